"""Who does what in Polish whatever stands first, and times of day and dates in one notation."""

from __future__ import annotations

import pytest

from palimpsest.domain.language import Language
from palimpsest.domain.restating.calendar import clock
from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.tellings import Telling

EN, PL = Language.ENGLISH, Language.POLISH


def say_the_same(one: str, other: str) -> bool:
    first, second = Telling(one), Telling(other)
    assert restates(first, second) is restates(second, first)
    return restates(first, second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Weronika kupiła bilety", "Bilety kupiła Weronika"),
        ("Matka kupiła krzesła", "Krzesła kupiła matka"),
        ("Chłopcy kupili mleko", "Mleko kupili chłopcy"),
        ("Gość napisał listy", "Listy napisał gość"),
        ("Sól zepsuła zupę", "Zupę zepsuła sól"),
        ("Brat sprzedał pole", "Pole sprzedał brat"),
        ("Panie kupiły kwiaty", "Kwiaty kupiły panie"),
        ("Babcia upiekła ciasto", "Ciasto upiekła babcia"),
        ("Pani kupiła książki", "Książki kupiła pani"),
    ],
)
def test_endings_tell_who_did_it_whatever_stands_first(one: str, other: str) -> None:
    assert say_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Marek lubi Ewę", "Ewa lubi Marka"),
        ("Kot goni psa", "Pies goni kota"),
        ("Ola uderzyła Kasię", "Kasia uderzyła Olę"),
        ("Sąsiad kupił auto", "Auto kupił sąsiad sąsiada"),
        ("Dziewczyny namalowały płoty", "Płoty namalowały dziewczyny"),
        ("Noc przyniosła mrozy", "Mrozy przyniosła noc"),
    ],
)
def test_where_endings_do_not_tell_who_did_it_nothing_is_taken_for_the_same(one: str, other: str) -> None:
    assert not say_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("The fair is on 3 May of 2026", "The fair is on May 3, 2026", True),
        ("The meeting is in May of 2026", "The meeting is in May 2026", True),
        ("The meeting is in May 2026", "The meeting is in May 2027", False),
        ("The castle burned down in May 1000", "The castle burned down in May 1001", False),
        ("We meet at 13:00", "We meet at 1 pm", True),
        ("We meet at 12 am", "We meet at 0:00", True),
        ("We meet at 1 pm", "We meet at 1 am", False),
        ("He may go in March", "In March he may go", True),
        ("He goes to school", "He went to school", False),
    ],
)
def test_dates_and_times_are_compared_in_one_notation(one: str, other: str, is_so: bool) -> None:
    assert say_the_same(one, other) is is_so


@pytest.mark.parametrize(
    ("hour", "minute", "part", "language", "time"),
    [
        (5, 0, "", EN, "time:05:00?"),
        (12, 30, "", EN, "time:12:30?"),
        (0, 0, "", EN, "time:00:00"),
        (13, 0, "", EN, "time:13:00"),
        (24, 0, "", EN, "time:24:00"),
        (25, 0, "", EN, None),
        (5, 60, "", EN, None),
        (5, 59, "pm", EN, "time:17:59"),
        (12, 0, "pm", EN, "time:12:00"),
        (12, 0, "am", EN, "time:00:00"),
        (11, 0, "am", EN, "time:11:00"),
        (13, 0, "pm", EN, "time:13:00"),
        (7, 15, "wieczorem", PL, "time:19:15"),
        (7, 15, "rano", PL, "time:07:15"),
    ],
)
def test_a_time_of_day_has_one_notation(
    hour: int, minute: int, part: str, language: Language, time: str | None
) -> None:
    assert clock(hour, minute, part, language) == time
