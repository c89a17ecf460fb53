"""What a word can stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from palimpsest.domain.echoing.everyday import DATES, GROUPS, PHRASES
from palimpsest.domain.echoing.vocabulary import PERSONS, QUALIFIERS

_PRESENT: Final = frozenset({"is", "are", "be", "being", "get", "gets", "jest", "sa"})
_PASSIVE_PAST: Final = frozenset({"zostal", "zostala", "zostalo", "zostali", "zostaly", "byl", "byla", "bylo", "byly"})
_PAST: Final = re.compile(
    r"\w{2,}(?:ł|ła|ło|[aeiyu]li|ły|łem|łam|łeś|łaś)|been|led|told|went|came|became|began|got|made|took|gave"
)
_PARTICIPLE: Final = re.compile(r"(?!need|speed|seed|feed|breed|indeed)\w{2,}ed|paid|kept|held|built|sent|bought|sold")
_ENDINGS: Final = re.compile(r"(?<=\w{5})(?:ion|ment|on|an|en|ow|uj|iuj|ani|eni)$|(?<=\wr)z$")


def _entries(text: str, mark: str) -> Mapping[str, str]:
    """For each word the first of its group, behind the mark."""
    groups = (entry.split() for line in text.splitlines() for entry in line.split("|"))
    return MappingProxyType({word: mark + group[0] for group in groups for word in group})


def _phrases() -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    for entry in (entry for line in PHRASES.splitlines() for entry in line.split("|") if entry.strip()):
        phrase, _, told = entry.partition(">")
        yield tuple(phrase.split()), tuple(told.split())


_DATES: Final = _entries(DATES, "@")
_GROUPS: Final = _entries(GROUPS, "=")
_PHRASES: Final = MappingProxyType(dict(_phrases()))
_PHRASE_BEGINS: Final = frozenset(phrase[0] for phrase in _PHRASES)
_WORDS: Final = 10_000
"""That are remembered with their senses: people use the same ones again and again."""

LONGEST_PHRASE: Final = max(map(len, _PHRASES))


def roots(stem: str) -> Iterator[str]:
    """A stem, and what is left of it without an ending that makes another kind of word of it."""
    yield stem
    root = _ENDINGS.sub("", stem)
    if root != stem:
        yield root


def is_past(word: str, before: Sequence[str]) -> bool:
    """A verb (casefolded, diacritics kept) is one of the past, after these words (folded)."""
    if _PAST.fullmatch(word) or any(each in _PASSIVE_PAST for each in before):
        return True
    return _PARTICIPLE.fullmatch(word) is not None and not any(each in _PRESENT for each in before)


def phrase(folded: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """How many of the words are a phrase, and what it stands for; one and nothing when they begin with none."""
    if folded[0] not in _PHRASE_BEGINS:
        return 1, ()
    for length in range(len(folded), 1, -1):
        told = _PHRASES.get(tuple(folded[:length]))
        if told:
            return length, told
    return 1, ()


def person(form: str) -> str | None:
    """The sense of a word for the one whose memory it is."""
    is_inflected = form not in PERSONS and form.startswith(("uzytkownik", "uzytkowniczk"))
    return "has" if is_inflected else PERSONS.get(form)


@lru_cache(_WORDS)
def date(form: str) -> str | None:
    """The sense of a word for a month, a day, a time of the day or the year, or a length of time."""
    return _find(_DATES, form)


@lru_cache(_WORDS)
def group(form: str) -> str | None:
    """The sense that a word has in common with others."""
    return _find(_GROUPS, form.removesuffix("'s"))


@lru_cache(_WORDS)
def is_qualifier(form: str) -> bool:
    """It makes what is said hold less, more, no longer, or under a condition."""
    return form in QUALIFIERS or any(f"{form[:length]}*" in QUALIFIERS for length in range(3, len(form) + 1))


def _find(entries: Mapping[str, str], form: str) -> str | None:
    if form in entries:
        return entries[form]
    starts = (f"{form[:length]}*" for length in range(len(form), 2, -1))
    return next((entries[start] for start in starts if start in entries), None)
