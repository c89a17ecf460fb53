"""Words that say when, in plain English and Polish, and the day that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.learning import day_phrases
from palimpsest.domain.restating import numbers


class Moment(NamedTuple):
    """When something is said, and whether it is told of the past."""

    said_on: date
    is_past: bool


class Found(NamedTuple):
    """Where a text says when; `date` is None where it names no day."""

    begin: int
    end: int
    date: date | None


_Day = Callable[[re.Match[str], Moment], date | None]

_LENGTH: Final = {"day": 1, "days": 1, "week": 7, "weeks": 7, "dni": 1, "dzien": 1, "tydzien": 7, "tygodnie": 7,
                  "tygodni": 7}  # fmt: skip
_HALF_YEAR: Final = timedelta(days=183)


def find(text: str, moment: Moment) -> list[Found]:
    """Where plain `text` says when, in order; none stands within another."""
    found: list[Found] = []
    for match in day_phrases.pattern().finditer(text):
        kind = match.lastgroup or ""
        found.append(Found(match.start(), match.end(), _DAYS[kind](match, moment)))
    return found


def _iso(match: re.Match[str], _: Moment) -> date | None:
    try:
        return date.fromisoformat(match[0][-10:])
    except ValueError:
        return None


def _dotted(match: re.Match[str], moment: Moment) -> date | None:
    day, month, *year = map(int, re.findall(r"\d+", match[0]))
    return _near(moment, month, day, year[0] if year else None)


def _named(match: re.Match[str], moment: Moment) -> date | None:
    day, *year = map(int, re.findall(r"\d+", match[0]))
    month = next(day_phrases.MONTHS[word] for word in re.findall(r"[a-z]+", match[0]) if word in day_phrases.MONTHS)
    return _near(moment, month, day, year[0] if year else None)


def _near(moment: Moment, month: int, day: int, year: int | None) -> date | None:
    """That day of the year, or of the year that is nearest in the direction of what is told."""
    around = [year] if year else [moment.said_on.year + away for away in (-1, 0, 1)]
    there = list(_dates(around, month, day))
    if year or not there:
        return there[0] if there else None
    wanted = [each for each in there if each == moment.said_on or (each < moment.said_on) == moment.is_past]
    return min(wanted, key=lambda each: abs(each - moment.said_on), default=None)


def _dates(years: list[int], month: int, day: int) -> Iterator[date]:
    for year in years:
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _ordinal(match: re.Match[str], moment: Moment) -> date | None:
    day = int(re.findall(r"\d+", match[0])[0])
    months = {-1: moment.said_on - timedelta(days=30), 0: moment.said_on, 1: moment.said_on + timedelta(days=30)}
    there = [found for each in months.values() for found in _dates([each.year], each.month, day)]
    wanted = [each for each in there if (each < moment.said_on) == moment.is_past and each != moment.said_on]
    return min(wanted, key=lambda each: abs(each - moment.said_on), default=None)


def _weekday(match: re.Match[str], moment: Moment) -> date | None:
    words = match[0].split()
    is_past = moment.is_past or any(word.startswith(("last", "zesz")) for word in words)
    is_past = is_past and not any(word.startswith(("next", "przyszl", "until", "till", "by")) for word in words)
    number = next(day_phrases.WEEKDAYS[word] - 1 for word in reversed(words) if word in day_phrases.WEEKDAYS)
    ahead = (number - moment.said_on.weekday() - 1) % 7 + 1
    behind = (moment.said_on.weekday() - number - 1) % 7 + 1
    return moment.said_on + timedelta(days=-behind if is_past else ahead)


def _week_day(match: re.Match[str], moment: Moment) -> date | None:
    number = next(day_phrases.WEEKDAYS[word] - 1 for word in match[0].split() if word in day_phrases.WEEKDAYS)
    return moment.said_on + timedelta(days=7 - moment.said_on.weekday() + number)


def _away(match: re.Match[str], moment: Moment) -> date | None:
    words = max((words for words in day_phrases.AWAY if re.search(rf"\b{words}$", match[0])), key=len)
    return moment.said_on + timedelta(days=day_phrases.AWAY[words])


def _ago(match: re.Match[str], moment: Moment) -> date | None:
    length = _length(match[0])
    return None if length is None else moment.said_on - length


def _ahead(match: re.Match[str], moment: Moment) -> date | None:
    length = _length(match[0])
    return None if length is None else moment.said_on + length


def _length(phrase: str) -> timedelta | None:
    """So many days; None for months and years, which name no day."""
    words = re.findall(r"\w+", phrase)
    unit = next((_LENGTH[word] for word in words if word in _LENGTH), None)
    count = next((number for word in words if (number := _number(word)) is not None), 1)
    return None if unit is None else timedelta(days=unit * count)


def _number(word: str) -> int | None:
    if word.isdecimal():
        return int(word)
    english = numbers.in_words([word], Language.ENGLISH)
    return english[0] if english else _polish_values().get(word)


@lru_cache(maxsize=1)
def _polish_values() -> dict[str, int]:
    read = {word: numbers.in_words([word], Language.POLISH) for word in numbers.words(Language.POLISH)}
    return {fold(word): number[0] for word, number in read.items() if number is not None}


_DAYS: Final[Mapping[str, _Day]] = {
    "iso": _iso, "dotted": _dotted, "day_month": _named, "month_day": _named, "ordinal": _ordinal,
    "week_day": _week_day, "weekday": _weekday, "ago": _ago, "ahead": _ahead, "away": _away,
    "vague": lambda match, moment: None,
}  # fmt: skip
