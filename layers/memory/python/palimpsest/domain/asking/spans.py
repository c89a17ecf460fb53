"""Spans of whole days, and those that come again every week or year."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)

_QUARTER: Final = 85
_MONTH: Final = 30.4
"""Days."""

_SEASONS: Final = {1: (3, 3), 2: (6, 3), 3: (9, 3), 4: (12, 3), 5: (7, 2)}
"""First month and number of months: the meteorological seasons of the north, then Polish school holidays."""


class Span(NamedTuple):
    """Days from the first to the last, both included."""

    first: date
    last: date

    def third(self, number: int) -> Span:
        """Of a month the days 1 to 10, 11 to 20 or 21 to its end; so of all that is longer, by whole months."""
        days = (self.last - self.first).days + 1
        if days < 3:
            return self
        if days < _QUARTER:
            bounds = [self.first, *(self.first + count * (days // 3) * DAY for count in (1, 2)), self.last + DAY]
        else:
            length = round(days / _MONTH / 3)
            bounds = [self.first, *(_months_on(self.first, count * length) for count in (1, 2)), self.last + DAY]
        return [Span(begin, end - DAY) for begin, end in pairwise(bounds)][number]


@dataclass(frozen=True, slots=True)
class Unit:
    """A length of time: so many days, weeks, months, quarters or years, or a weekend."""

    name: str
    count: int = 1

    def around(self, today: date, away: int = 0) -> Span:
        """The day, the week from its Monday, the month, quarter or year, so many of these away from today's."""
        away *= self.count
        if self.name == "day":
            return day(today + away * DAY)
        if self.name == "week":
            monday = today - today.weekday() * DAY + away * WEEK
            return Span(monday, monday + 6 * DAY)
        if self.name == "weekend":
            saturday = today - today.weekday() * DAY + 5 * DAY + away * WEEK
            return Span(saturday, saturday + DAY)
        length = {"month": 1, "quarter": 3, "year": 12}[self.name]
        month = today.year * 12 + (today.month - 1) // length * length + away * length
        return months(month // 12, month % 12 + 1, length)

    def back_from(self, today: date, count: int) -> Span:
        """The last so many of them, up to today."""
        if self.name in ("day", "week"):
            return Span(today - count * self.count * (WEEK if self.name == "week" else DAY), today)
        begun = Unit(self.name, self.count).around(today, -count)
        offset = (today - Unit(self.name).around(today).first).days
        return Span(min(begun.first + offset * DAY, begun.last), today)


def day(at: date) -> Span:
    """One day."""
    return Span(at, at)


def _months_on(first: date, count: int) -> date:
    month = first.year * 12 + first.month - 1 + count
    return first.replace(year=month // 12, month=month % 12 + 1)


def months(year: int, first: int, count: int = 1) -> Span:
    """So many months, from the first of one to the end of another."""
    after = year * 12 + first - 1 + count
    return Span(date(year, first, 1), date(after // 12, after % 12 + 1, 1) - DAY)


def year(number: int) -> Span:
    """A year."""
    return months(number, 1, 12)


def season(number: int, of_year: int) -> Span:
    """Spring 1 to winter 4, which begins in December of the year; 5: Polish summer holidays."""
    return months(of_year, *_SEASONS[number])


def easter(of_year: int) -> Span:
    """Easter Sunday and Monday (the anonymous Gregorian algorithm, Meeus, Astronomical Algorithms, 1991)."""
    a, b, c = of_year % 19, of_year // 100, of_year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, before = divmod(h + k - 7 * m + 114, 31)
    sunday = date(of_year, month, before + 1)
    return Span(sunday, sunday + DAY)


_FEASTS: Final = ((12, 24, 3), (12, 24, 1), (12, 31, 1), (1, 1, 1), (10, 31, 1), (2, 14, 1), (5, 1, 3))
"""Month, first day and number of days."""


def feast(number: int, of_year: int) -> Span:
    """Christmas 0, its eve, New Year's Eve, New Year, Halloween, Valentine's Day, Polish May days, Easter 7."""
    if number == len(_FEASTS):
        return easter(of_year)
    month, first, days = _FEASTS[number]
    begin = date(of_year, month, first)
    return Span(begin, begin + (days - 1) * DAY)


@dataclass(frozen=True, slots=True)
class Recurring:
    """What comes again. `around`: its occurrences about a day, in order."""

    around: Callable[[date], Sequence[Span]]

    def begun(self, today: date) -> Span:
        """The last that has begun."""
        return [each for each in self.around(today) if each.first <= today][-1]

    def over(self, today: date) -> Span:
        """The last that is over."""
        return [each for each in self.around(today) if each.last < today][-1]

    def coming(self, today: date) -> Span:
        """The first that isn't over."""
        return next(each for each in self.around(today) if each.last >= today)

    def following(self, today: date) -> Span:
        """The first that has not begun."""
        return next(each for each in self.around(today) if each.first > today)

    def within(self, whole: Span) -> Span:
        """The first that begins in `whole`."""
        return next(each for each in self.around(whole.first) if each.first >= whole.first)


def weekly(weekday: int, days: int = 1) -> Recurring:
    """From that day of each week, 0 for Monday."""

    def around(today: date) -> list[Span]:
        there = today - today.weekday() * DAY + weekday * DAY
        return [Span(there + away * WEEK, there + away * WEEK + (days - 1) * DAY) for away in (-2, -1, 0, 1, 2)]

    return Recurring(around)


def yearly(of_year: Callable[[int], Span]) -> Recurring:
    """Once in each year, but for days that a year lacks."""

    def around(today: date) -> list[Span]:
        found = []
        for number in range(max(today.year - 9, 1), min(today.year + 9, 9998)):
            try:
                found.append(of_year(number))
            except ValueError:
                continue  # 29 February
        return found

    return Recurring(around)
