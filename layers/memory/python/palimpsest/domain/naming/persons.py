"""Names of people by their shape: a given name, with a surname behind it or not, in the case that Polish puts it in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from palimpsest.domain.naming.everyday import TITLES, given_names, short_names
from palimpsest.domain.naming.inflecting import bases
from palimpsest.domain.naming.tokens import Token

_FEMALE: Final = {
    "y": (("skiej", "ska"), ("ckiej", "cka"), ("ej", "a"), ("y", "a"), ("i", "a")),
    "ę": (("ską", "ska"), ("cką", "cka"), ("ą", "a"), ("ę", "a")),
    "ą": (("ską", "ska"), ("cką", "cka"), ("ą", "a")),
    "e": (("skiej", "ska"), ("ckiej", "cka"), ("ej", "a"), ("cie", "ta"), ("nie", "na"), ("ce", "ka"), ("dzie", "da")),
}
_MALE: Final = {
    "a": (
        ("iego", "i"),
        ("ego", "y"),
        ("wca", "wiec"),
        ("ńca", "niec"),
        ("ka", "ek"),
        ("y", "a"),
        ("i", "a"),
        ("ę", "a"),
        ("a", ""),
    ),
    "m": (
        ("im", "i"),
        ("ym", "y"),
        ("wcem", "wiec"),
        ("ńcem", "niec"),
        ("kiem", "ek"),
        ("ą", "a"),
        ("kiem", "k"),
        ("em", ""),
    ),
    "i": (("iemu", "i"), ("emu", "y"), ("kowi", "ek"), ("owi", "")),
    "u": (("im", "i"), ("ym", "y"), ("ku", "ek"), ("u", "")),
    "e": (("im", "i"), ("ym", "y"), ("ie", ""), ("u", "")),
}
"""What the ending of a surname becomes, by the last letter of an inflected given name."""

_TAKES_EK: Final = frozenset({"ka", "kiem", "kowi", "ku"})
_APOSTROPHE: Final = re.compile(r"['’](?:ego|emu|a|em|u|m|owi|ie|y|ą|ę)?$")
_VOWELS: Final = frozenset("aeiouyąęó")


def given_name(word: str, *, is_inflected: bool) -> str | None:
    """The given name that `word`, casefolded, is a form of, unless it is an everyday word as well."""
    names = given_names()
    if word in names or not is_inflected or word.endswith(("ów", "om", "ami", "ach")):
        return names.get(word)
    forms = (form for form in bases(word) if form[-1] not in "eo")
    return next(
        (names.get(form) or short_names()[form] for form in forms if form in names or form in short_names()), None
    )


def full_name(run: Sequence[Token], *, is_inflected: bool) -> str | None:
    """The base form of capitalised words that begin with a given name, a surname behind it; None for others."""
    run = [token for token in run if token.text != "."]
    if len(run) < 2 or len(run) > 4 or not all(_is_name_word(token) for token in run):
        return None
    first = run[0].lower
    if is_inflected and first == "sam" and run[0].is_first:
        return None  # "himself"
    given = given_name(first, is_inflected=is_inflected) or short_names().get(first)
    if given is None:
        return None
    rest = [token.text + "." * (len(token.text) == 1) for token in run[1:]]
    if is_inflected and first[-1] in "oeiuy" and rest[-1].endswith("a") and rest[-1][-2] not in _VOWELS:
        return None  # Theo is in no case, Walcotta may be in any
    if given.casefold() != first:
        cases = [_surname(word, given=given, form=first) for word in rest]
        return None if None in cases else " ".join([given, *filter(None, cases)])
    return " ".join([given, *(word[:-1] + "a" if is_inflected and word.endswith("ę") else word for word in rest)])


def without_titles(run: Sequence[Token]) -> Sequence[Token]:
    """The run behind its titles, such as Dr or pani."""
    place = 0
    while place < len(run) and run[place].lower in TITLES:
        place += 1
    return run[place:]


def _is_name_word(token: Token) -> bool:
    bare = token.text.replace("-", "").replace("'", "").replace("’", "")
    return bare.isalpha() and not (bare.isupper() and len(bare) > 1)


def _surname(word: str, *, given: str, form: str) -> str | None:
    """The base form of a surname beside an inflected given name; None when they are not in one case."""
    if "-" in word:
        parts = [_surname(part, given=given, form=form) for part in word.split("-") if part]
        return None if None in parts else "-".join(filter(None, parts))
    bare = _APOSTROPHE.sub("", word)
    if bare != word:
        return bare
    endings = (_FEMALE if given.endswith("a") else _MALE).get(_case(given, form), ())
    for ending, base in endings:
        stem = word.removesuffix(ending)
        if word.endswith(ending) and not (ending in _TAKES_EK and stem[-1:].casefold() in _VOWELS):
            return stem + base
    return None if given.endswith("a") and word[-1] in "ąęy" else word


def _case(given: str, form: str) -> str:
    """The last letter of an inflected given name; -i and -y of women are one case."""
    return "y" if given.endswith("a") and form[-1] in "iy" else form[-1]
