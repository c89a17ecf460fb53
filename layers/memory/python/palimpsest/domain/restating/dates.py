"""Dates, weekdays, seasons and times of day in tokens."""

from __future__ import annotations

import re
from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating import calendar, numbers
from palimpsest.domain.restating.places import SUFFIXES, Found, Place
from palimpsest.domain.restating.tokens import Sort

HOURS: Final = frozenset({"godz", "godzina", "godzinie", "godziną", "godziny"})
"""Polish words before a time."""


def written_date(at: Place) -> Found:
    if at.sort() is not Sort.VALUE or ":" in at.text():
        return None
    parts = [int(part) for part in re.split(r"[-.]", at.text()) if part]
    year, month, day = parts if "-" in at.text() else (parts[2] if len(parts) > 2 else 0, parts[1], parts[0])
    return _date(at, year, month, day, 1)


def _date(at: Place, year: int, month: int, day: int, used: int) -> Found:
    used += at.text(used) in ("r", "roku", "rok") and year > 0
    return (f"date:{year or ''}-{month}-{day or ''}", used) if 1 <= month <= 12 and 0 <= day <= 31 else None


def date_in_words(at: Place) -> Found:
    """14 March 2026, March 14th, 2026, 14 marca, March 2026, in March."""
    months = calendar.MONTHS[at.language]
    near = months | calendar.SHORT_MONTHS if at.language is Language.ENGLISH else months
    day = at.integer()
    if day is not None:
        ahead = 1 + (at.text(1) in SUFFIXES)
        ahead += at.text(ahead) in ("of", ".")
        if at.text(ahead) in near and day <= 31:
            return _with_year(at, near[at.text(ahead)], day, ahead + 1)
        return None
    if at.text() not in near or not _is_month(at):
        return None
    day = at.integer(1) if at.language is Language.ENGLISH else None
    if day is not None and day <= 31 and at.sort(1) is not Sort.VALUE:
        return _with_year(at, near[at.text()], day, 2 + (at.text(2) in SUFFIXES))
    return _with_year(at, near[at.text()], 0, 1) if at.text() in months else None


def _is_month(at: Place) -> bool:
    """A month rather than a verb, or the name of a person."""
    if at.language is Language.POLISH:
        return not at.token.is_capital
    return at.token.is_capital and not (at.token.is_first and at.text() in ("may", "march") and at.integer(1) is None)


def _with_year(at: Place, month: int, day: int, used: int) -> Found:
    ahead = used + (at.text(used) in (",", "of") and at.integer(used + 1) is not None)
    year = at.integer(ahead)
    if year is not None and year > 1000:
        return _date(at, year, month, day, ahead + 1)
    return _date(at, 0, month, day, used)


def weekday(at: Place) -> Found:
    every = at.text() in calendar.EVERY[at.language]
    ahead = int(every)
    word, language = at.text(ahead), at.language
    token = at.tokens[at.i + ahead] if word else at.token
    if language is Language.ENGLISH and (not token.is_capital or at.is_behind_name):
        return None
    if word in calendar.PLURAL_DAYS[language]:
        return f"weekdays:{calendar.PLURAL_DAYS[language][word]}", ahead + 1
    if word in calendar.EITHER_DAYS[language]:
        is_plural = every or at.last == "w"
        return f"weekday{'s' * is_plural}:{calendar.EITHER_DAYS[language][word]}", ahead + 1
    if word in calendar.DAYS[language]:
        return f"weekday{'s' * every}:{calendar.DAYS[language][word]}", ahead + 1
    return None


def season(at: Place) -> Found:
    number = calendar.SEASONS[at.language].get(at.text())
    if number is None:
        return None
    ahead = 1 + (at.text(1) == "of")
    year = at.integer(ahead)
    is_dated = year is not None and year > 1000
    return (f"season:{year}-{number}", ahead + 1) if is_dated else (f"season:{number}", 1)


def time(at: Place) -> Found:
    """17:00, 5 PM, 6 in the morning, at 10, godz. 17, o 15."""
    hinted = at.text() in HOURS
    ahead = int(hinted)
    text = at.text(ahead)
    parts = text.split(":") if at.sort(ahead) is Sort.VALUE and ":" in text else [text, "0"]
    if not all(part.isdecimal() for part in parts) or len(parts[0]) > 2:
        return None
    part, used = _part_of_day(at, ahead + 1)
    is_time = len(text.split(":")) > 1 or hinted or used or _is_at(at, ahead)
    if not is_time or len(parts) > 2:
        return (f"time:{text}", ahead + 1) if len(parts) > 2 else None
    part = part or "am" * parts[0].startswith("0")
    found = calendar.clock(int(parts[0]), int(parts[1]), part, at.language)
    return (found, ahead + 1 + used) if found else None


def _is_at(at: Place, ahead: int) -> bool:
    """``at 10``, ``o 15``, with nothing behind that it could count."""
    word = {Language.ENGLISH: "at", Language.POLISH: "o"}[at.language]
    behind = at.text(ahead + 1)
    return at.last == word and behind not in numbers.UNITS and (not behind or at.sort(ahead + 1) is not Sort.MARK)


def _part_of_day(at: Place, ahead: int) -> tuple[str, int]:
    named = calendar.MORNING[at.language] | calendar.EVENING[at.language]
    for skipped in ((), ("in", "the")):
        if all(at.text(ahead + i) == word for i, word in enumerate(skipped)) and at.text(ahead + len(skipped)) in named:
            return at.text(ahead + len(skipped)), len(skipped) + 1
    return "", 0
