"""Numbers, quantities, dates, weekdays and times in a text, each made one token in one notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating import amounts, calendar, dates, numbers
from palimpsest.domain.restating.places import Found, Place
from palimpsest.domain.restating.tokens import Sort, Token

_RULES: Final[tuple[Callable[[Place], Found], ...]] = (
    dates.written_date,
    dates.date_in_words,
    dates.weekday,
    dates.season,
    dates.time,
    amounts.ordinal,
    amounts.price,
    amounts.rate,
    amounts.quantity,
)


def _beginnings(language: Language) -> frozenset[str]:
    named = (calendar.MONTHS, calendar.DAYS, calendar.PLURAL_DAYS, calendar.EITHER_DAYS, calendar.SEASONS)
    return (
        frozenset(word for names in named for word in names[language])
        | frozenset(calendar.SHORT_MONTHS)
        | calendar.EVERY[language]
        | numbers.words(language)
        | amounts.words(language)
        | frozenset(numbers.UNITS)
        | dates.HOURS
    )


_BEGINNINGS: Final = {language: _beginnings(language) for language in Language}
"""Words that a value may begin with: most words are none of them, and are not looked at further."""


def valued(tokens: Sequence[Token], language: Language) -> list[Token]:
    """The tokens, with those that make up a value replaced by it."""
    result: list[Token] = []
    i = 0
    while i < len(tokens):
        value, used = _value(Place(tokens, i, result, language)) or ("", 0)
        if used:
            result.append(replace(tokens[i], text=value, sort=Sort.VALUE))
        else:
            result.append(tokens[i])
        i += max(used, 1)
    return result


def _value(at: Place) -> Found:
    if at.sort() is Sort.WORD and at.text().partition("-")[0] not in _BEGINNINGS[at.language]:
        return None
    for rule in _RULES:
        found = rule(at)
        if found is not None:
            return found
    return None
