"""Whether words say the same, and whether two of them have changed places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from palimpsest.domain.echoing.reading import Kind, Token
from palimpsest.domain.echoing.vocabulary import COPULAS, PIVOTS

_LONG_WORD: Final = 8
"""Letters from which two capitalised words with one stem are two forms of a word rather than two names."""

_BY: Final = frozenset({"by", "przez"})
_ENGLISH_PARTICIPLE: Final = ("ed", "en", "paid", "kept", "made", "sent", "done")
_POLISH_PARTICIPLE: Final = ("na", "ny", "ne", "no", "ty", "ta", "te", "to")


class _Place(NamedTuple):
    here: int
    there: int


def covers(said: Sequence[Token], token: Token) -> bool:
    """The words say what the token says, too."""
    if token.kind is Kind.FREE:
        return True
    if token.kind is Kind.TENSE:
        return any(other.is_past or other.kind is Kind.TENSE for other in said)
    return any(alike(token, other) for other in said)


def alike(a: Token, b: Token) -> bool:
    """The two can say the same: the same word, a form of it in the same tense, or another word for it."""
    shared = a.senses & b.senses
    if not shared:
        return False
    if a.form == b.form or a.kind is not Kind.WORD:
        return True
    if b.kind is Kind.NAME or (a.is_capital and b.is_capital and _may_be_names(a, b, shared)):
        return False
    return a.is_past == b.is_past


def _may_be_names(a: Token, b: Token, shared: frozenset[str]) -> bool:
    is_known = any(sense.startswith("=") for sense in shared)
    return not is_known and min(len(a.form), len(b.form)) < _LONG_WORD


def are_swapped(words: Sequence[Token], said: Sequence[Token]) -> bool:
    """Two words have changed places around one that stayed, as in 'tea rather than coffee'.

    A part that was moved as a whole goes around nothing, so it is no swap; nor is what a passive turns round.
    """
    if _is_passive(words) != _is_passive(said):
        return False
    places = _aligned(words, said)
    stayed = [place for place in places if words[place.here].form == said[place.there].form]
    return any(
        a.there > b.there and any(a.here < m.here < b.here and b.there < m.there < a.there for m in stayed)
        for a, b in combinations(places, 2)
    )


def _aligned(words: Sequence[Token], said: Sequence[Token]) -> list[_Place]:
    """Where each word that counts stands in both; of free ones those that tell sides, if they are there once."""
    taken: set[int] = set()
    places: list[_Place] = []
    for here, token in enumerate(words):
        if token.kind is Kind.FREE:
            there = _only(said, token) if token.form in PIVOTS and _only(words, token) is not None else None
        else:
            free = (at for at, other in enumerate(said) if at not in taken and alike(token, other))
            there = next(free, None)
        if there is not None:
            taken.add(there)
            places.append(_Place(here, there))
    return places


def _only(words: Sequence[Token], token: Token) -> int | None:
    found = [at for at, other in enumerate(words) if other.form == token.form]
    return found[0] if len(found) == 1 else None


def _is_passive(words: Sequence[Token]) -> bool:
    """It tells what is done, not who does it."""
    if any(token.form in _BY for token in words):
        return True
    endings = {"en": _ENGLISH_PARTICIPLE, "pl": _POLISH_PARTICIPLE}
    return any(a.form in COPULAS and b.form.endswith(endings[COPULAS[a.form]]) for a, b in pairwise(words))
