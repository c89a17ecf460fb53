"""The dates that a query asks for, in English and Polish, relative to a moment and a time zone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.asking import date_words
from palimpsest.domain.asking.date_match import Moment
from palimpsest.domain.asking.date_phrases import Phrases
from palimpsest.domain.asking.date_ranges import Range, Ranges
from palimpsest.domain.asking.date_tokens import Token, tokens
from palimpsest.domain.asking.spans import DAY
from palimpsest.domain.language import Language

_MOST: Final = 400
"""Words and signs that are looked at, so that a long text costs little; who asks for a time says so before."""

_NAMES: Final = ("month", "month_word", "month_short", "year", "ordinal", "date", "day_month", "decade")

_WORD: Final = re.compile(r"[^\W\d_]+")
_INSTANT: Final = timedelta(milliseconds=1)
"""What instants are stored to."""


@dataclass(frozen=True, slots=True)
class AskedDates:
    """The time that a query asks for: whole days of its zone, both ends included; None is open.

    Attributes:
        first, last: The days. What is dated by a day alone lies in them by its date, in any zone.
        begins_at, ends_at: Their first and last millisecond, UTC.
        words: What it was read from, and `begin` and `end`: where that stands in the query (NFC).
        is_restricting: The query asks for that time (in, since, yesterday), rather than mentions it.
        names: The months, years and numbers of days among its words: a text that has all of them may tell of that time.
    """

    first: date | None
    last: date | None
    begins_at: datetime | None
    ends_at: datetime | None
    words: str
    begin: int
    end: int
    is_restricting: bool
    names: tuple[str, ...] = ()


def asked_dates(query: str, now: datetime, zone: tzinfo, languages: Sequence[Language]) -> AskedDates | None:
    """The time that a query asks for; of several the first that restricts it. None when it names none.

    Weeks begin on Monday; a month, a weekday or a season that leaves its year or week open is the last that has begun,
    or the coming one where the query asks for plans. A birthday without its year is no time.

    Args:
        query: As it was asked; it is not changed.
        now: When it is asked.
        zone: On whose clock.
        languages: What the query is written in; it decides only what could be read either way: 03/04/2025 has its day
            first where there is Polish, and is not guessed in English.
    """
    text = unicodedata.normalize("NFC", query)
    found = tokens(text, is_day_first=tuple(languages) == (Language.POLISH,))[:_MOST]
    words = {fold(word) for word in _WORD.findall(text.casefold())}
    try:
        moment = Moment(now.astimezone(zone), not words.isdisjoint(date_words.AHEAD))
        is_polish = tuple(languages) == (Language.POLISH,)
        chosen = _first(Ranges(Phrases(found, moment), is_polish).find())
        if chosen is None or (not words.isdisjoint(date_words.YEARLY) and _is_of_any_year(chosen, found)):
            return None
        return _on_the_clock(chosen, zone, text, found[chosen.begin : chosen.end])
    except OverflowError:
        return None  # it lies outside the years 1 to 9999


def _first(ranges: Iterator[Range]) -> Range | None:
    """The first that restricts, else the first mention."""
    first = next(ranges, None)
    if first is None or first.is_restricting:
        return first
    return next((each for each in ranges if each.is_restricting), first)


def _is_of_any_year(chosen: Range, found: Sequence[Token]) -> bool:
    """A day of some month, without its year."""
    part = found[chosen.begin : chosen.end]
    has_month = any(token.may_be("month", "month_word", "month_short", "day_month") for token in part)
    return has_month and not any(token.may_be("year", "unit") for token in part)


def _on_the_clock(chosen: Range, zone: tzinfo, text: str, part: Sequence[Token]) -> AskedDates:
    begins_at = None if chosen.first is None else _midnight(chosen.first, zone)
    ends_at = None if chosen.last is None else _midnight(chosen.last + DAY, zone) - _INSTANT
    if begins_at is not None and ends_at is not None:
        ends_at = max(begins_at, ends_at)  # a zone that changes sides of the date line leaves a day out
    begin, end = part[0].begin, part[-1].end
    names = tuple(text[token.begin : token.end] for token in part if token.may_be(*_NAMES))
    words, is_restricting = text[begin:end], chosen.is_restricting
    return AskedDates(chosen.first, chosen.last, begins_at, ends_at, words, begin, end, is_restricting, names)


def _midnight(day: date, zone: tzinfo) -> datetime:
    """When the day begins; where the clock jumps over midnight, the moment at which it jumps."""
    return datetime.combine(day, time(), zone).astimezone(UTC)
