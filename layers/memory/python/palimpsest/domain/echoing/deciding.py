"""Whether a text says nothing but what was handed out to its author a moment ago.

Words decide, since no similarity of vectors tells 'at 9:15' from 'at 9:45' or 'left' from 'right': each clause has to
be found in one recalled sentence, in the same or in known other words, with the same numbers, names, dates and denials
about the same things. A word that was not recalled is news. So what is taken for an echo is one, and what is put very
freely is not recognised.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

from palimpsest.domain.echoing.alike import alike, are_swapped, covers
from palimpsest.domain.echoing.reading import Kind, Sentence, Token
from palimpsest.domain.echoing.vocabulary import NO_NAME_ENDINGS

Words: TypeAlias = Sequence[Token]
Memory: TypeAlias = Sequence[Sentence]

_FIXED: Final = (Kind.NUMBER, Kind.DATE, Kind.NAME)
_KEPT: Final = frozenset({Kind.NUMBER, Kind.QUALIFIER})
_FEWEST_WORDS: Final = 2
_MOST_OF_A_CLAUSE: Final = 0.5


def echoed(saved: Memory, recalled: Sequence[Memory]) -> int | None:
    """Which of the recalled memories a text repeats most of; None when it says anything else.

    Args:
        saved: The sentences of the text, without lead-ins.
        recalled: The sentences of each memory, likeliest first.
    """
    if sum(len(_counting(sentence.words)) for sentence in saved) < _FEWEST_WORDS:
        return None
    given = [0] * len(recalled)
    for sentence in saved:
        sources = _sources(sentence, recalled)
        if not sources:
            return None
        for place, words in sources:
            given[place] += words
    return max(range(len(given)), key=given.__getitem__)


def _sources(sentence: Sentence, recalled: Sequence[Memory]) -> list[tuple[int, int]]:
    """For a sentence that is an echo the memories that its parts are from and how many words of it; else nothing."""
    said = [(place, each) for place, memory in enumerate(recalled) for each in memory if _same_people(sentence, each)]
    whole = _counting(sentence.words)
    for place, each in said:
        if _repeats(whole, each, sentence):
            return [(place, len(whole))]
    found: list[tuple[int, int]] = []
    for clause in filter(None, map(_counting, sentence.clauses)):
        source = next((place for place, each in said if _repeats(clause, each, sentence)), None)
        if source is None:
            return []
        found.append((source, len(clause)))
    return found


def _repeats(clause: Words, said: Sentence, sentence: Sentence) -> bool:
    """A clause of `sentence` says no more and nothing else than one recalled sentence."""
    return (
        all(covers(said.words, token) for token in clause)
        and _is_bound(clause, said)
        and _denies_the_same(clause, said)
        and _keeps(clause, said, sentence)
        and not are_swapped(_covered(sentence, said), said.words)
    )


def _is_bound(clause: Words, said: Sentence) -> bool:
    """Numbers, dates and names are said of the same things, in the same order."""
    parts = _parts(said)
    for a, b in combinations(clause, 2):
        if a.kind not in _FIXED and b.kind not in _FIXED:
            continue
        if not any(covers(part, a) and covers(part, b) for part in parts):
            return False
        if a.kind is b.kind and not _in_order(said.words, a, b):
            return False
    return True


def _parts(said: Sentence) -> Sequence[Words]:
    """What belongs together: a whole sentence, or its clauses when it gives several things a value each."""
    for kind in _FIXED:
        giving = [c for c in said.clauses if {kind, Kind.WORD} <= {token.kind for token in c}]
        if len(giving) > 1:
            return said.clauses
    return (said.words,)


def _in_order(words: Words, a: Token, b: Token) -> bool:
    first = next((at for at, token in enumerate(words) if alike(a, token)), len(words))
    return any(alike(b, token) for token in words[first + 1 :])


def _denies_the_same(clause: Words, said: Sentence) -> bool:
    """What is denied was denied, and the other way round."""
    mine = sum(token.kind is Kind.DENIAL for token in clause)
    denied = [c for c in said.clauses if any(token.kind is Kind.DENIAL for token in c)]
    where = denied if mine else [c for c in said.clauses if c not in denied]
    if mine > sum(token.kind is Kind.DENIAL for token in said.words):
        return False
    return all(any(covers(c, token) for c in where) for token in clause if token.kind is Kind.WORD)


def _keeps(clause: Words, said: Sentence, sentence: Sentence) -> bool:
    """Of what is repeated nothing is left out that makes it hold less, or for another number."""
    for part in said.clauses:
        words = [token for token in part if token.kind is Kind.WORD]
        repeated = sum(covers(clause, token) for token in words)
        if repeated and repeated >= _MOST_OF_A_CLAUSE * len(words):
            kept = (token for token in part if token.kind in _KEPT)
            if not all(covers(sentence.words, token) for token in kept):
                return False
    return True


def _covered(sentence: Sentence, said: Sentence) -> Words:
    """The clauses of a sentence that a recalled one has all words of."""
    clauses = (c for c in sentence.clauses if all(covers(said.words, token) for token in _counting(c)))
    return [token for clause in clauses for token in clause]


def _same_people(sentence: Sentence, said: Sentence) -> bool:
    """They are about somebody in common, or one of them names nobody."""
    here, there = _people(sentence), _people(said)
    mentions = any(covers(sentence.words, token) for token in there)
    return not here or not there or mentions or bool(_senses(here) & _senses(there))


def _people(sentence: Sentence) -> list[Token]:
    """Whom it names; the first word counts when it may be a name."""
    named = [token for token in sentence.words if token.kind in (Kind.NAME, Kind.PERSON)]
    first = sentence.words[0]
    may_be_name = first.is_capital and not first.form.endswith(NO_NAME_ENDINGS)
    is_known = any(sense.startswith("=") for sense in first.senses)
    return [*named, first] if may_be_name and not is_known else named


def _senses(people: Sequence[Token]) -> set[str]:
    return {"+" if sense.startswith("+") else sense for token in people for sense in token.senses}


def _counting(words: Words) -> Words:
    return [token for token in words if token.kind is not Kind.FREE]
