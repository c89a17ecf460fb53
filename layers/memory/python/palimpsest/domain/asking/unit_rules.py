"""Phrases that name weeks, months and years by how far away they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from palimpsest.domain.asking import spans
from palimpsest.domain.asking.date_match import Match, Reading, Rule
from palimpsest.domain.asking.day_rules import away
from palimpsest.domain.asking.spans import Span, weekly

FEW: Final = (2, 7)
"""What `a few` may be, of any unit."""


def _which(found: Match) -> Span | None:
    """Last week, this month; `last day` and `this day` tell of something else."""
    if found.has("recent") and found.intro is not None and found.before is not None and found.before.word == "the":
        return _rolling(found)
    return None if found.unit.name == "day" else found.unit.around(found.today, away(found))


def _rolling(found: Match) -> Span | None:
    """The past week, w ostatnim miesiącu: up to today."""
    if found.unit.name == "weekend":
        return weekly(5, 2).over(found.today)
    return None if found.unit.name == "day" else found.unit.back_from(found.today, 1)


def _last_few(found: Match) -> Span:
    return found.unit.back_from(found.today, found.numbers.get("number", FEW[1]))


def _last_hours(found: Match) -> Span:
    hours = found.numbers.get("number", 1)
    return Span((found.moment.now - timedelta(hours=hours)).date(), found.today)


def _ago(found: Match) -> Span:
    """The day, or the whole week, month or year so long ago."""
    return found.unit.around(found.today, -found.numbers.get("number", 1))


def _few_ago(found: Match) -> Span:
    return Span(found.unit.around(found.today, -FEW[1]).first, found.unit.around(found.today, -FEW[0]).last)


def _hours_ago(found: Match) -> Span:
    return spans.day((found.moment.now - timedelta(hours=found.numbers.get("number", 1))).date())


def _before(found: Match) -> Span | None:
    """``przed tygodniem``, ``przed dwoma laty``; with another case it is what comes before."""
    if not found.text[found.end - 1].word.endswith(("m", "mi", "laty")):
        return None
    return _ago(found)


def _ahead(found: Match) -> Span:
    return found.unit.around(found.today, found.numbers.get("number", 1))


def _in(found: Match) -> Span | None:
    """In two weeks: from now on only where that is asked for; else it may be how long something took."""
    return _ahead(found) if found.moment.is_ahead and found.text[found.begin].word == "in" else None


def _za(found: Match) -> Span | None:
    is_clear = "number" in found.numbers or found.moment.is_ahead or found.unit.name == "week"
    return _ahead(found) if is_clear else None


def _weekend(found: Match) -> Reading | None:
    if found.unit.name != "weekend" or found.intro is None:
        return None
    return found.open(weekly(5, 2))


RULES: Final[Sequence[Rule]] = (
    ("WHICH unit", _which),
    ("unit before_last", _which),
    ("past unit", _rolling),
    ("recent few? units", _last_few),
    ("few recent units", _last_few),
    ("recent number the? UNIT", _last_few),
    ("number recent units", _last_few),
    ("recent number? hours", _last_hours),
    ("number|one UNIT ago", _ago),
    ("unit ago", _ago),
    ("one? few UNIT ago", _few_ago),
    ("one? number UNIT ago", _ago),
    ("number|one hours ago", _hours_ago),
    ("przed number? UNIT", _before),
    ("number|one UNIT hence", _ahead),
    ("in number|one UNIT", _in),
    ("in_pl number? UNIT", _za),
    ("unit", _weekend),
)
