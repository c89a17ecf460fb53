"""Names of entities: when two are the same, and what can't be one."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import Final

from palimpsest.domain.restating.wordlists import words

OWNER: Final = "You"
"""The entity that is the owner of the space; every space knows it."""

LONGEST: Final = 40
MOST_WORDS: Final = 5
FEWEST_LETTERS: Final = 2

_MATH = re.compile(
    r"[=^<>]|[^\W\d_]\s*[*/]\s*\d|\d\s*[-+*/]\s*[\d(a-z]\b|\\[a-zA-Z]+|[_^]\{|\$|(?<![^\W_])[^\W\d_]\s?\([^)]*\)"
)
"""Operators, digit-operator-digit, residue of LaTeX, and calls of a function of one letter."""

_LANGUAGE = re.compile(r"[A-Z](?:\+\+|#)")
"""C++, C#, F#: the only names that have one letter."""

_NUMERAL = re.compile(r"[\d.,:/%°\s-]*\d[\d.,:/%°\s-]*[^\W\d_]{0,3}")
"""A number, also with its unit, its ending or its currency: ``1,250.00 EUR``, ``9:30``, ``14th``, ``30 min``."""

_NUMBERED = words("week day part page chapter quarter tydzień dzień część strona rozdział kwartał rok year")
_DATE_WORDS = words(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun today
    tomorrow yesterday noon midnight of the
    styczeń stycznia styczniu luty lutego lutym marzec marca marcu kwiecień kwietnia kwietniu maj maja maju czerwiec
    czerwca czerwcu lipiec lipca lipcu sierpień sierpnia sierpniu wrzesień września wrześniu październik października
    październiku listopad listopada listopadzie grudzień grudnia grudniu poniedziałek poniedziałki wtorek wtorki środa
    środę środy czwartek czwartki piątek piątki sobota sobotę soboty niedziela niedzielę niedziele dziś dzisiaj jutro
    wczoraj południe północ roku
    """
)
_ALSO_NAMES = words("may april june august maja mar jan jun")
"""Words of dates that people are called as well; alone they are no date."""


class NameFault(StrEnum):
    """Why something can't be the name of an entity."""

    TOO_LONG = "too-long"
    TOO_MANY_WORDS = "too-many-words"
    FEW_LETTERS = "few-letters"
    CONTROLS = "controls"
    MATH = "math"
    NUMBER = "number"
    DATE = "date"


def name_key(name: str) -> str:
    """What two spellings of one name have in common: its identity within a space."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(" ".join(folded.split()).removeprefix("@").split())


def tidy(name: str) -> str:
    """`name` as it is shown: NFC, trimmed, runs of white space as one space."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def fault_of(name: str) -> NameFault | None:
    """The first reason why `name` can't be one; None when it can."""
    shown = tidy(name)
    is_plain = shown.replace(" ", "").replace("-", "").isalpha()
    checks = (
        (NameFault.TOO_LONG, len(shown) > LONGEST),
        (NameFault.TOO_MANY_WORDS, len(shown.split()) > MOST_WORDS),
        (NameFault.CONTROLS, not shown.isprintable()),
        (NameFault.NUMBER, not is_plain and _NUMERAL.fullmatch(shown) is not None),
        (NameFault.DATE, _is_date(shown)),
        (NameFault.FEW_LETTERS, _has_few_letters(shown)),
        (NameFault.MATH, not is_plain and _is_math(shown)),
    )
    return next((fault for fault, is_so in checks if is_so), None)


def _has_few_letters(name: str) -> bool:
    return sum(map(str.isalpha, name)) < FEWEST_LETTERS and not _LANGUAGE.fullmatch(name)


def _is_math(name: str) -> bool:
    return _MATH.search(name) is not None or any(
        unicodedata.category(each) == "Sm" and each not in "+~|" for each in name
    )


def _is_date(name: str) -> bool:
    parts = re.findall(r"[^\W_]+", name.casefold())
    if len(parts) == 1 and parts[0] in _ALSO_NAMES:
        return False
    kinds = {_kind_of(part) for part in parts}
    return kinds <= {"date", "number", "unit"} and len(kinds) > ("unit" in kinds)


def _kind_of(word: str) -> str:
    if word in _DATE_WORDS or re.fullmatch(r"q[1-4]", word):
        return "date"
    if re.fullmatch(r"\d+(?:st|nd|rd|th)?", word):
        return "number"
    return "unit" if word in _NUMBERED else "word"
