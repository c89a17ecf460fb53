"""Phrases that name months, quarters, seasons, years and decades."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from palimpsest.domain.asking import spans
from palimpsest.domain.asking.date_match import Match, Reading, Rule
from palimpsest.domain.asking.date_words import COUNTED
from palimpsest.domain.asking.day_rules import chosen, of_unit
from palimpsest.domain.asking.spans import Recurring, Span, yearly
from palimpsest.domain.restating.wordlists import words

_PLACING: Final = words("in since od until do before after from between and to przed early mid late turn dash")
_WEAK: Final = frozenset({"by", "for"})
"""Before what may be a name: `by May`; plans are for a month."""
_VERBS_BEHIND: Final = words("be not have also still never need want")


def _month(found: Match) -> Recurring:
    month = found["month"]
    return yearly(lambda year: spans.months(year, month))


def _month_of(found: Match) -> Span:
    return spans.months(found["year"], found["month"])


def _open_month(found: Match) -> Reading | None:
    """In March; `May` and `march` need a word before them that makes them a month."""
    if found.has("month"):
        return found.open(_month(found), is_bare=found.intro is None)
    return found.open(_month(found)) if found.has("month_word") and _is_placed(found) else None


def _is_placed(found: Match) -> bool:
    before, behind = found.before, found.behind
    if found.intro is None or before is None or not before.may_be(*_PLACING):
        return False
    if found.text[found.begin].word == "maja" and not before.may_be("od", "do", "early", "mid", "late"):
        return False
    is_weak = before.word in _WEAK and not found.moment.is_ahead
    return not is_weak and not (behind is not None and behind.may_be("possessive"))


def _which_month(found: Match) -> Span | None:
    """Last May; not `this may be`."""
    behind = found.behind.word if found.behind is not None else ""
    if found.text[found.end - 1].word == "may" and (found.has("this") or behind in _VERBS_BEHIND):
        return None
    if found.has("this"):
        return spans.months(found.today.year, found["month"])
    return chosen(found, _month(found))


def _month_of_unit(found: Match) -> Span | None:
    return of_unit(found, _month(found), "year")


def _quarter_number(found: Match) -> int | None:
    number = found.numbers.get("quarter", found.numbers.get("number", 0))
    is_named = "quarter" in found.numbers or found.units[0].name == "quarter"
    return number if is_named and 1 <= number <= 4 else None


def _quarter(found: Match) -> Recurring | None:
    number = _quarter_number(found)
    return None if number is None else yearly(lambda year: spans.months(year, 3 * number - 2, 3))


def _open_quarter(found: Match) -> Reading | None:
    recurring = _quarter(found)
    return None if recurring is None else found.open(recurring, is_bare=found.intro is None)


def _quarter_of(found: Match) -> Span | None:
    number = _quarter_number(found)
    return None if number is None else spans.months(found["year"], 3 * number - 2, 3)


def _quarter_of_unit(found: Match) -> Span | None:
    recurring = _quarter(found)
    return None if recurring is None else of_unit(found, recurring, "year")


def _season(found: Match) -> Recurring:
    return yearly(partial(spans.season, found["season"]))


def _open_season(found: Match) -> Reading | None:
    """In the summer, latem: as often said of every summer, so only a mention."""
    if found.intro is None and not found.has("season_when"):
        return None
    if found.text[found.begin].word in ("fall", "spring", "lata") and not (found.intro and found.intro.may_be("in")):
        return None
    return found.open(_season(found), is_bare=True)


def _which_season(found: Match) -> Span:
    return _season(found).coming(found.today) if found.has("this") else chosen(found, _season(found))


def _season_of(found: Match) -> Span:
    return spans.season(found["season"], found["year"])


def _season_of_unit(found: Match) -> Span | None:
    return of_unit(found, _season(found), "year")


def _year(found: Match) -> Span | None:
    """In 2024; `2000 words` is no year, and 2000 is one only where no word follows."""
    behind, before = found.behind, found.before
    if found.intro is None or before is None or not before.may_be(*_PLACING, "slash", "units"):
        return None
    is_count = behind is not None and (behind.word in COUNTED or (behind.is_word and found["year"] % 100 == 0))
    return None if is_count else spans.year(found["year"])


def _named_year(found: Match) -> Span | None:
    is_year = not found.units or found.unit.name == "year"
    return spans.year(found["year"]) if is_year else None


def _decade_from(number: int) -> Span:
    """The 90s are those of the last century, the 20s those of this one."""
    first = number if number > 100 else number + (2000 if number < 30 else 1900)
    return Span(spans.year(first).first, spans.year(first + 9).last)


def _decade(found: Match) -> Span | None:
    """In the 90s, not `in his 90s`."""
    before = found.before
    is_placed = before is not None and before.may_be("in", "units", "since", "early", "late", "mid")
    is_placed = is_placed or (before is not None and before.word == "the")
    return _decade_from(found["decade"]) if is_placed else None


def _polish_decade(found: Match) -> Span | None:
    """As in ``w latach 90.``."""
    number = found["number"]
    is_decade = found.unit.name == "year" and number % 10 == 0 and 10 <= number < 100
    return _decade_from(number) if is_decade else None


RULES: Final[Sequence[Rule]] = (
    ("MONTH OF year", _month_of),
    ("MONTH", _open_month),
    ("LAST|this|next MONTH", _which_month),
    ("MONTH OF WHICH unit", _month_of_unit),
    ("quarter", _open_quarter),
    ("NTH the? unit", _open_quarter),
    ("quarter OF year", _quarter_of),
    ("NTH the? unit OF year", _quarter_of),
    ("quarter OF WHICH unit", _quarter_of_unit),
    ("NTH the? unit OF WHICH unit", _quarter_of_unit),
    ("SEASON", _open_season),
    ("LAST|this|next SEASON", _which_season),
    ("SEASON OF year", _season_of),
    ("SEASON OF year slash year|number", _season_of),
    ("SEASON OF WHICH unit", _season_of_unit),
    ("year", _year),
    ("unit year", _named_year),
    ("year unit|year_word", _named_year),
    ("decade", _decade),
    ("units decade", _decade),
    ("units number", _polish_decade),
)
