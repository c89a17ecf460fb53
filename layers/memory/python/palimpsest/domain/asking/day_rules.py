"""Phrases that name days: dates, weekdays, feasts, yesterday."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

from palimpsest.domain.asking import spans
from palimpsest.domain.asking.date_match import Match, Reading, Rule
from palimpsest.domain.asking.date_words import ENGLISH, EVERY
from palimpsest.domain.asking.spans import Recurring, Span, weekly, yearly

_VERBS: Final = frozenset({"may", "march"})
_MANY: Final = frozenset({"srody", "soboty"})
_BEFORE_SHORT: Final = frozenset({"on", "w", "we", "od", "do", "since"})
_WHICH: Final = {"last": -1, "this": 0, "next": 1, "before_last": -2}


def away(found: Match) -> int:
    """How many weeks, months, years away: last -1, this 0, next 1."""
    return next(count for sense, count in _WHICH.items() if found.has(sense))


def of_unit(found: Match, recurring: Recurring, name: str) -> Span | None:
    """That one of last year, of next week."""
    return recurring.within(found.unit.around(found.today, away(found))) if found.unit.name == name else None


def chosen(found: Match, recurring: Recurring) -> Span:
    """``last``: the last that is over; ``next``: the first that has not begun; ``this``: the one of this year."""
    if found.has("last", "past"):
        return recurring.over(found.today)
    return recurring.following(found.today)


def _written(found: Match) -> Span:
    return found.spans[0]


def _relative(found: Match) -> Span:
    return spans.day(found.today + found["relative"] * spans.DAY)


def _day_of(month: int, day: int, year: int) -> Span:
    return spans.day(date(year, month, day))


def _dated(found: Match) -> Span:
    return _day_of(found["month"], found["number"], found["year"])


def _yearly(found: Match) -> Recurring:
    month, day = found["month"], found["number"]
    _day_of(month, day, 2024)
    return yearly(partial(_day_of, month, day))


def _day_month(found: Match) -> Reading | None:
    """15 March; not `the second may be wrong`, `march 5 miles`, `in March 3 people`."""
    recurring, behind = _yearly(found), found.behind
    goes_on = behind is not None and behind.is_word and not behind.may_be("and", "to", "until", "in", "at")
    is_month_first = not found.text[found.begin].may_be("number", "ordinal")
    if goes_on and not (is_month_first and found.has("ordinal")):
        part = [token.word for token in found.text[found.begin : found.end]]
        is_verb = found.intro is None and not _VERBS.isdisjoint(part) and "of" not in part
        if is_verb or (is_month_first and found.intro is not None and found.intro.word == "in"):
            return None
    return found.open(recurring)


def _english_first(found: Match) -> Reading | None:
    """March 15; in Polish a number behind a month counts what follows."""
    return _day_month(found) if found.text[found.begin].word in ENGLISH else None


def _day_of_year(found: Match) -> Span | None:
    return of_unit(found, _yearly(found), "year")


def _point(found: Match) -> Reading | None:
    if found.intro is None:
        return None
    month, day = divmod(found["day_month"], 100)
    _day_of(month, day, 2024)
    return found.open(yearly(partial(_day_of, month, day)))


def _weekday(found: Match) -> Reading | None:
    """On Friday; not `every Friday`, nor `w środy`, on all of them."""
    before, word = found.before.word if found.before is not None else "", found.text[found.begin].word
    is_many = before in EVERY or (before in ("w", "we") and word in _MANY)
    is_other_word = found.has("day_short") and before not in _BEFORE_SHORT
    return None if is_many or is_other_word else found.open(weekly(found["weekday"]))


def _which_weekday(found: Match) -> Span:
    recurring = weekly(found["weekday"])
    if found.has("this") and not found.has("last", "past", "next"):
        return recurring.within(spans.Unit("week").around(found.today))
    return chosen(found, recurring)


def _weekday_of(found: Match) -> Span | None:
    return of_unit(found, weekly(found["weekday"]), "week")


def _feast(found: Match) -> Reading | None:
    return found.open(yearly(partial(spans.feast, found["feast"])), is_bare=found.intro is None)


def _which_feast(found: Match) -> Span:
    recurring = yearly(partial(spans.feast, found["feast"]))
    if found.has("this"):
        return spans.feast(found["feast"], found.today.year)
    return chosen(found, recurring)


def _feast_of(found: Match) -> Span:
    return spans.feast(found["feast"], found["year"])


RULES: Final[Sequence[Rule]] = (
    ("date", _written),
    ("relative", _relative),
    ("DAY OF MONTH OF year", _dated),
    ("MONTH the? DAY OF year", _dated),
    ("DAY OF MONTH OF WHICH unit", _day_of_year),
    ("DAY OF MONTH", _day_month),
    ("MONTH the? DAY", _english_first),
    ("day_month", _point),
    ("WEEKDAY", _weekday),
    ("LAST|this|next WEEKDAY", _which_weekday),
    ("WEEKDAY ON? ON? WHICH unit", _weekday_of),
    ("WHICH unit ON? WEEKDAY", _weekday_of),
    ("feast", _feast),
    ("LAST|this|next feast", _which_feast),
    ("feast OF year", _feast_of),
)
