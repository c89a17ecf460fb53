"""Words that say when, in plain English and Polish, as one pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.learning.rules import compiled
from palimpsest.domain.restating import calendar, numbers

AWAY: Final = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1, "the day after tomorrow": 2, "przedwczoraj": -2,
    "wczoraj": -1, "dzis": 0, "dzisiaj": 0, "jutro": 1, "jutra": 1, "pojutrze": 2, "pojutrza": 2,
}  # fmt: skip
"""Days from the one on which it is said."""


def _plain(tables: Mapping[Language, Mapping[str, int]]) -> dict[str, int]:
    return {fold(word): number for table in tables.values() for word, number in table.items()}


MONTHS: Final = _plain(calendar.MONTHS) | calendar.SHORT_MONTHS
WEEKDAYS: Final = _plain(calendar.DAYS) | _plain(calendar.EITHER_DAYS)
_WORDS: Final = frozenset({"mon", "tues", "wed", "thu", "fri", "sat", "sun", "thur", "tue", "thurs"})
"""Short names of days that are other words, too: days only behind a preposition."""
_SEASONS: Final = _plain(calendar.SEASONS)


_ON: Final = r"(?:(?:on|by|until|till|from|since|before|after|for|w|we|do|od|na|przed|po|z) )?"
_TURN: Final = r"last|next|this|coming|w zesz\w+|zesz\w+|ostatni\w*|w przyszl\w+|przyszl\w+|najblizsz\w+|t[ea]n?"
_UNIT: Final = r"days?|weeks?|months?|years?|dni|dzien|tydzien|tygodni\w*|miesi\w+|rok|lata?"
_YEAR: Final = r"(?:,? (?:of )?(?:19|20)\d\d(?: r(?:oku|\.)?)?)?"
_WEEK: Final = r"next week|w przyszlym tygodniu"
_SPELLED: Final = r"""
(?<![\w.,:/-])(?:
(?P<iso>{on}(?:19|20)\d\d-\d\d-\d\d)
|(?P<dotted>(?:on|od|do|na|w|we|z) \d{1,2}\.(?:0[1-9]|1[0-2])(?!\d|\.\d)
|{on}\d{1,2}\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d(?!\d))
|(?P<day_month>{on}(?:the )?\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?{month}\b{year})
|(?P<month_day>{on}{month}\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?\b(?!:){year})
|(?P<ordinal>(?:on|by|until|till|from|since) the \d{1,2}(?:st|nd|rd|th)\b)
|(?P<week_day>{week} (?:on |we? )?{weekday}\b|{on}{weekday} {week}\b)
|(?P<weekday>(?!(?:w )?(?:srody|soboty)\b)
(?<!\band\s)(?<!\bor\s)(?<!\bi\s)(?<!\boraz\s)(?<!every\s)(?<!each\s)(?<!\bco\s)(?<!kazdy\s)(?<!kazda\s)
{on}(?:{turn} )?{weekday}\b(?! (?:and|or|i|oraz|lub|albo) (?:on |we? )?{weekday})(?!s\b))
|(?P<ago>{number} {unit} (?:ago|temu)|(?:tydzien|miesiac|rok) temu)
|(?P<ahead>in {number} {unit}\b(?:' time)?|za (?:{number} )?{unit}\b)
|(?P<away>{on}{away}\b)
|(?P<vague>(?:in|since|by|until|before|after|w|od|do|przed|po|na|pod koniec) (?:early |late )?{month}\b
(?! \d{1,2}\b){year}
|(?:in|since|w|od|po|przed) (?:19|20)\d\d(?: r(?:oku|\.)?)?\b(?!\s*(?:zl|eur|pln|usd|gbp|km|kg|m|mb|gb|%|€|\$))
|{on}(?:last|next|this|that|w zeszlym|zeszlego|zeszla|w tym|tego|w przyszlym|przyszlego|przyszla)\s+
(?:week|month|year|weekend|{season}|tygodni\w+|miesi\w+|roku|lata)\b
|(?:in|na|w) (?:the )?{season}\b))
"""


@lru_cache(maxsize=1)
def pattern() -> re.Pattern[str]:
    """Finds where a text says when; the name of its group tells how."""
    weekday = _any(WEEKDAYS.keys() - _WORDS) + rf"|(?<=on\s)(?:{_any(_WORDS)})|(?<=last\s)(?:{_any(_WORDS)})"
    polish = map(fold, numbers.words(Language.POLISH))
    number = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|" + _any(polish)
    parts = {"on": _ON, "turn": _TURN, "unit": _UNIT, "year": _YEAR, "week": _WEEK, "weekday": weekday}
    parts |= {"month": _any(MONTHS), "season": _any(_SEASONS), "away": _any(AWAY), "number": number}
    return compiled(_SPELLED, **parts)


def _any(words: Iterable[str]) -> str:
    """One of the words, the longest that fits."""
    return "|".join(sorted(words, key=len, reverse=True))
