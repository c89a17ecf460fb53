"""Names of months, weekdays, seasons and times of day, in English and Polish, in all cases."""

from __future__ import annotations

from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating.wordlists import numbered

_ENGLISH_MONTHS: Final = """
january, february, march, april, may, june, july, august, september, october, november, december
"""
_ENGLISH_SHORT: Final = "jan, feb, mar, apr, may, jun, jul, aug, sep sept, oct, nov, dec"
_POLISH_MONTHS: Final = """
styczeń stycznia styczniu styczniem, luty lutego lutym, marzec marca marcu marcem, kwiecień kwietnia kwietniu
kwietniem, maj maja maju majem, czerwiec czerwca czerwcu czerwcem, lipiec lipca lipcu lipcem, sierpień sierpnia
sierpniu sierpniem, wrzesień września wrześniu wrześniem, październik października październiku październikiem,
listopad listopada listopadzie listopadem, grudzień grudnia grudniu grudniem
"""
_ENGLISH_DAYS: Final = "monday, tuesday, wednesday, thursday, friday, saturday, sunday"
_ENGLISH_DAYS_SHORT: Final = "mon, tue tues, wed, thu thur thurs, fri, sat, sun"
_POLISH_DAYS: Final = """
poniedziałek poniedziałku poniedziałkiem poniedziałkowi pon, wtorek wtorku wtorkiem wtorkowi wt, środa środę środzie
środą śr, czwartek czwartku czwartkiem czwartkowi czw, piątek piątku piątkiem piątkowi pt, sobota sobotę sobocie
sobotą sob, niedziela niedzielę niedzielą niedz nd
"""
_POLISH_DAYS_PLURAL: Final = """
poniedziałki poniedziałków poniedziałkach, wtorki wtorków wtorkach, środach śród, czwartki czwartków czwartkach,
piątki piątków piątkach, sobotach sobót, niedzielach niedziel
"""
_POLISH_DAYS_EITHER: Final = ",,środy,,,soboty,niedziele niedzieli"
_ENGLISH_SEASONS: Final = "spring, summer, autumn, winter"
_POLISH_SEASONS: Final = """
wiosna wiosną wiosnę wiosny, lato latem lecie, jesień jesienią jesieni, zima zimą zimę zimy zimie
"""

MONTHS: Final = {Language.ENGLISH: numbered(_ENGLISH_MONTHS), Language.POLISH: numbered(_POLISH_MONTHS)}
SHORT_MONTHS: Final = numbered(_ENGLISH_SHORT)
"""Names of people, too (Jan): only beside a number."""

DAYS: Final = {
    Language.ENGLISH: numbered(_ENGLISH_DAYS) | numbered(_ENGLISH_DAYS_SHORT),
    Language.POLISH: numbered(_POLISH_DAYS),
}
PLURAL_DAYS: Final = {
    Language.ENGLISH: {name + "s": number for name, number in numbered(_ENGLISH_DAYS).items()},
    Language.POLISH: numbered(_POLISH_DAYS_PLURAL),
}
EITHER_DAYS: Final = {Language.ENGLISH: dict[str, int](), Language.POLISH: numbered(_POLISH_DAYS_EITHER)}
"""Forms that are plural after ``w``, else a case of the singular."""

SEASONS: Final = {Language.ENGLISH: numbered(_ENGLISH_SEASONS), Language.POLISH: numbered(_POLISH_SEASONS)}
EVERY: Final = {
    Language.ENGLISH: frozenset({"every", "each"}),
    Language.POLISH: frozenset({"co", "każdy", "każdą", "każde", "każdego", "każdej"}),
}
MORNING: Final = {
    Language.ENGLISH: frozenset({"am", "a.m", "morning"}),
    Language.POLISH: frozenset({"rano", "am"}),
}
EVENING: Final = {
    Language.ENGLISH: frozenset({"pm", "p.m", "afternoon", "evening"}),
    Language.POLISH: frozenset({"wieczorem", "popołudniu", "pm"}),
}


def clock(hour: int, minute: int, part: str, language: Language) -> str | None:
    """A time of day in 24 hours, when one half of the day is named by `part`; None when there is no such time.

    With neither half named it stays open which of the two is meant: ``time:05:00?``.
    """
    is_open = not part and 0 < hour <= 12
    if part in EVENING[language] and hour < 12:
        hour += 12
    elif part in MORNING[language] and hour == 12:
        hour = 0
    return f"time:{hour:02d}:{minute:02d}{'?' * is_open}" if hour <= 24 and minute < 60 else None
