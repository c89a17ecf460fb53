"""Numbers, quantities, prices and rates in tokens."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import takewhile
from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating import numbers
from palimpsest.domain.restating.places import SUFFIXES, Found, Place
from palimpsest.domain.restating.tokens import Sort

_LITERAL: Final = re.compile(r"\d+(?:\.\d+)+$")
_RATES: Final = {
    Language.ENGLISH: {
        "daily": "s 86400", "weekly": "s 604800", "monthly": "month 1", "quarterly": "month 3", "yearly": "month 12",
        "annually": "month 12", "hourly": "s 3600",
    },
    Language.POLISH: {
        "codziennie": "s 86400", "tygodniowo": "s 604800", "miesięcznie": "month 1", "kwartalnie": "month 3",
        "rocznie": "month 12", "dziennie": "s 86400",
    },
}  # fmt: skip
_PER: Final = {
    Language.ENGLISH: frozenset({"per", "a", "an", "each", "every"}),
    Language.POLISH: frozenset({"na", "w", "co"}),
}
_DURING: Final = frozenset({"przez", "po", "za"})
_TIMES: Final = {Language.ENGLISH: {"once": 1, "twice": 2}, Language.POLISH: dict[str, int]()}


def words(language: Language) -> frozenset[str]:
    """Words that an amount may begin with, beside numbers and units."""
    return frozenset(_RATES[language]) | _PER[language] | frozenset(_TIMES[language]) | _DURING


def ordinal(at: Place) -> Found:
    if at.sort() is Sort.NUMBER and at.text(1) in SUFFIXES and at.text().isdecimal():
        return f"ord:{at.text()}", 2
    if at.language is Language.POLISH and at.sort() is Sort.NUMBER and at.text(1) == "." and at.sort(2) is Sort.WORD:
        return (f"ord:{at.text()}", 2) if not at.tokens[at.i + 2].is_capital else None
    number = numbers.ORDINALS[at.language].get(at.text())
    return None if number is None else (f"ord:{number}", 1)


def quantity(at: Place) -> Found:
    number, used = _number(at)
    if number is None:
        return None
    if used and at.text(used) in numbers.UNITS and at.text(used) != "raz":
        name, factor = numbers.UNITS[at.text(used)]
        return f"qty:{_plain(_decimal(number, at.language) * factor)} {name}", used + 1
    if at.last in numbers.CURRENCY_SIGNS:
        return None
    return f"num:{number if _LITERAL.match(number) else _plain(_decimal(number, at.language))}", used


def price(at: Place) -> Found:
    """A sign before its number: €2,400."""
    if at.text() not in numbers.CURRENCY_SIGNS or at.sort(1) is not Sort.NUMBER:
        return None
    name, _ = numbers.UNITS[at.text()]
    return f"qty:{_plain(_decimal(at.text(1), at.language))} {name}", 2


def _number(at: Place) -> tuple[str | None, int]:
    if at.sort() is Sort.NUMBER:
        times = numbers.multiplier(at.text(1), at.language)
        if times:
            return str(_decimal(at.text(), at.language) * times), 2
        return at.text(), 1
    spelled = takewhile(lambda ahead: at.sort(ahead) is Sort.WORD, range(6))
    found = numbers.in_words([at.text(ahead) for ahead in spelled], at.language)
    return (str(found[0]), found[1]) if found else (None, 0)


def _decimal(text: str, language: Language) -> Decimal:
    text = re.sub(r"[ \u00a0\u202f+]", "", text).replace("\u2212", "-")
    if language is Language.ENGLISH and re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    return Decimal(text.replace(",", ".")) if re.fullmatch(r"-?\d+([.,]\d+)?", text) else Decimal(_digits(text))


def _digits(text: str) -> int:
    """A number for what is none, such as 1.2.3: another one for every other text."""
    return int.from_bytes(text.encode(), "big")


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def rate(at: Place) -> Found:
    """A month, per month, monthly, na miesiąc, co miesiąc; a bare unit after ``przez`` is one of it."""
    named = _RATES[at.language].get(at.text())
    if named:
        return f"per:{named}", 1
    if at.text() in _TIMES[at.language]:
        return f"qty:{_TIMES[at.language][at.text()]} times", 1
    if at.language is Language.POLISH and at.text() == "raz":
        return "qty:1 times", 1
    if at.text() in _PER[at.language] and at.text(1) in numbers.UNITS and _is_rate(at):
        name, factor = numbers.UNITS[at.text(1)]
        return f"per:{name} {_plain(factor)}", 2
    if at.language is Language.POLISH and at.last in _DURING and at.text() in numbers.UNITS:
        name, factor = numbers.UNITS[at.text()]
        return f"qty:{_plain(factor)} {name}", 1
    return None


def _is_rate(at: Place) -> bool:
    if at.text() in ("per", "each", "every", "co"):
        return True
    return bool(at.before) and at.before[-1].sort is Sort.VALUE
