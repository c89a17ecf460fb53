"""Whom a speaker names as theirs: my partner Sam, Tomek, mój trener; and whose name a clause begins with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from palimpsest.domain.analysis import fold
from palimpsest.domain.learning.fact import Span
from palimpsest.domain.learning.plainness import COVER
from palimpsest.domain.naming.kinds_of_words import ACQUAINTANCES, KIN, PETS
from palimpsest.domain.naming.persons import given_name
from palimpsest.domain.restating.wordlists import words

_MORE: Final = """
girlfriend boyfriend ex roommate brother-in-law sister-in-law
dziewczyna dziewczyny dziewczynie dziewczynę dziewczyną chłopak chłopaka chłopakowi chłopakiem synek synka synkowi
synkiem córeczka córeczki córeczkę
"""
_NO_NAMES: Final = words(
    """
    i i'm i've i'll monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december english polish german french god
    """
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Relative(NamedTuple):
    """Somebody of the speaker's, by name.

    Attributes:
        evidence: Where both stand.
        name: As it is written.
        text: A sentence that says it, where the language needs no case for that.
    """

    evidence: Span
    name: str
    text: str


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    nouns = {fold(noun.replace("_", " ")) for noun in [*KIN, *ACQUAINTANCES, *PETS.split(), *_MORE.split()]}
    noun = "|".join(re.escape(each) for each in sorted(nouns, key=len, reverse=True))
    mine = r"my|our|moj(?:a|ego|ej|emu|im|a)?|nasz(?:a|ego|ej|emu|ym)?"
    name = r"[a-z]{2,}(?:-[a-z]{2,})?"
    return re.compile(
        rf"\b(?P<mine>{mine})\s+(?:\w+\s+)?(?P<noun>{noun})(?:(?:\s+is)?\s+(?:called|named)|'s\s+name\s+is|"
        rf"\s+(?:o\s+imieniu|ma\s+na\s+imie|wabi\s+sie|nazywa\s+sie))?\s+(?P<name>{name})\b"
        rf"|\b(?P<first>{name}),\s+(?:{mine})\s+(?:\w+\s+)?(?P<after>{noun})\b",
    )


def relatives(text: str, shown: str) -> Iterator[Relative]:
    """Those that `text`, plain as `shown`, names with what they are to its speaker."""
    for found in _pattern().finditer(shown):
        if COVER in found[0]:
            continue
        group, noun = ("name", "noun") if found["name"] else ("first", "after")
        name = text[found.start(group) : found.end(group)]
        if (
            is_name(name)
            and (group == "name" or _is_given(name))
            and not _is_sentence_over(shown[found.start() : found.end()])
        ):
            span = Span(found.start(), found.end())
            said, whose = text[found.start() : found.end()], text[found.start() : found.end(noun)]
            is_english = group == "name" and shown.startswith(("my", "our"), found.start())
            yield Relative(span, name, f"{whose[:1].upper()}{whose[1:]} is called {name}" if is_english else said)


def is_name(word: str) -> bool:
    """A word that is written as a name is."""
    return word[:1].isupper() and word[1:].islower() and word.lower() not in _NO_NAMES


def named_first(text: str, begin: int, known: frozenset[str]) -> Span | None:
    """The name that a clause begins with, of somebody known or a given name that everybody knows."""
    found = _WORD.match(text, begin)
    if found is None or not is_name(found[0]):
        return None
    return Span(*found.span()) if found[0] in known or _is_given(found[0]) else None


def _is_given(name: str) -> bool:
    return given_name(name.casefold(), is_inflected=False) == name


def someone(shown: str, begin: int, end: int) -> int | None:
    """Where somebody of the speaker's ends that a clause begins with; None where it begins with none."""
    found = _someone().match(shown, begin, end)
    return None if found is None else found.end()


@lru_cache(maxsize=1)
def _someone() -> re.Pattern[str]:
    nouns = {fold(noun) for noun in [*KIN, *ACQUAINTANCES, *PETS.split(), *_MORE.split()] if "_" not in noun}
    noun = "|".join(re.escape(each) for each in sorted(nouns, key=len, reverse=True))
    near = "mum|mom|dad|grandma|grandpa|mama|tata|babcia|dziadek|siostra|brat|zona|maz|syn|synek|corka|coreczka|corcia"
    near += "|tesciowa|tesc|dziewczyna|chlopak|narzeczona|narzeczony|rodzice|dzieci|szef|szefowa"
    mine = r"my|our|moj|moja|moje|moi|nasz|nasza|nasze|nasi"
    return re.compile(rf"(?:(?:a|i)\s+)?(?:(?:{mine})\s+(?:\w+\s+)?(?:{noun}|rodzice)|{near})\b")


def _is_sentence_over(text: str) -> bool:
    return re.search(r"[.!?\n]", text) is not None
