"""What time a query asks for, in English and Polish: the table of `tests/corpora/asking`, and its edges."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest

from palimpsest.domain.asking.dates import AskedDates, asked_dates
from palimpsest.domain.language import Language
from tests.support.asking_texts import NOW, DatedQuery, dated_queries

BOTH = tuple(Language)
WARSAW = ZoneInfo("Europe/Warsaw")
QUERIES = dated_queries()


def asked(query: str, *, now: datetime = NOW, zone: tzinfo = UTC, languages: tuple[Language, ...] = BOTH) -> AskedDates:
    found = asked_dates(query, now, zone, languages)

    assert found is not None, query
    return found


def days(query: str, now: str) -> tuple[str | None, ...]:
    found = asked(query, now=datetime.fromisoformat(now).replace(tzinfo=UTC))
    return tuple(None if end is None else end.isoformat() for end in (found.first, found.last))


def test_the_table_is_large_and_holds_both_what_names_a_time_and_what_only_looks_like_it() -> None:
    assert len(QUERIES) >= 250
    assert sum(each.names_time for each in QUERIES) >= 200
    assert sum(not each.names_time for each in QUERIES) >= 50
    assert len({each.query for each in QUERIES}) == len(QUERIES)


@pytest.mark.parametrize("each", QUERIES, ids=lambda each: each.query)
def test_a_query_asks_for_the_days_of_the_table(each: DatedQuery) -> None:
    found = asked_dates(each.query, NOW, UTC, BOTH)

    assert (found is not None) == each.names_time
    if found is not None:
        assert (found.first, found.last, not found.is_restricting) == (each.first, each.last, each.is_mention)


@pytest.mark.parametrize(
    ("query", "now", "first", "last"),
    [
        ("in March", "2025-02-28", "2024-03-01", "2024-03-31"),
        ("in March", "2025-03-01", "2025-03-01", "2025-03-31"),
        ("w lutym", "2024-03-05", "2024-02-01", "2024-02-29"),
        ("last March", "2025-03-20", "2024-03-01", "2024-03-31"),
        ("last Friday", "2025-06-13", "2025-06-06", "2025-06-06"),
        ("on Friday", "2025-06-13", "2025-06-13", "2025-06-13"),
        ("w zeszły piątek", "2025-06-14", "2025-06-13", "2025-06-13"),
        ("last week", "2025-06-09", "2025-06-02", "2025-06-08"),
        ("last week", "2025-06-08", "2025-05-26", "2025-06-01"),
        ("last month", "2025-01-31", "2024-12-01", "2024-12-31"),
        ("w zeszłym kwartale", "2025-02-01", "2024-10-01", "2024-12-31"),
        ("in the past month", "2025-03-31", "2025-02-28", "2025-03-31"),
        ("29 lutego", "2025-06-11", "2024-02-29", "2024-02-29"),
        ("last winter", "2025-01-15", "2023-12-01", "2024-02-29"),
        ("this winter", "2025-01-15", "2024-12-01", "2025-02-28"),
        ("last weekend", "2025-06-15", "2025-06-07", "2025-06-08"),
        ("na przełomie grudnia i stycznia", "2025-06-11", "2024-12-21", "2025-01-10"),
        ("from November to January", "2025-06-11", "2024-11-01", "2025-01-31"),
        ("yesterday", "2025-01-01", "2024-12-31", "2024-12-31"),
    ],
)
def test_what_leaves_its_year_or_week_open_is_the_last_that_has_begun(
    query: str, now: str, first: str, last: str
) -> None:
    assert days(query, now) == (first, last)


def test_days_begin_and_end_by_the_clock_of_who_asks() -> None:
    late = datetime(2025, 6, 10, 22, 30, tzinfo=UTC)  # half past midnight in Warsaw

    here, there = asked("today", now=late), asked("today", now=late, zone=WARSAW)

    assert (here.first, there.first) == (date(2025, 6, 10), date(2025, 6, 11))
    assert there.begins_at == datetime(2025, 6, 10, 22, tzinfo=UTC)
    assert there.ends_at == datetime(2025, 6, 11, 21, 59, 59, 999_000, tzinfo=UTC)


def test_the_days_on_which_clocks_change_have_23_and_25_hours() -> None:
    spring, autumn = asked("2025-03-30", zone=WARSAW), asked("2025-10-26", zone=WARSAW)
    gap = asked("2018-11-04", zone=ZoneInfo("America/Sao_Paulo"))  # begins at one o'clock

    assert spring.begins_at == datetime(2025, 3, 29, 23, tzinfo=UTC)
    assert spring.ends_at == datetime(2025, 3, 30, 21, 59, 59, 999_000, tzinfo=UTC)
    assert autumn.begins_at == datetime(2025, 10, 25, 22, tzinfo=UTC)
    assert autumn.ends_at == datetime(2025, 10, 26, 22, 59, 59, 999_000, tzinfo=UTC)
    assert gap.begins_at == datetime(2018, 11, 4, 3, tzinfo=UTC)


def test_a_date_with_strokes_has_its_day_first_in_polish_and_is_not_guessed_in_english() -> None:
    assert asked("03/04/2025", languages=(Language.POLISH,)).first == date(2025, 4, 3)
    assert asked_dates("03/04/2025", NOW, UTC, (Language.ENGLISH,)) is None
    assert asked("12/25/2024", languages=(Language.ENGLISH,)).first == date(2024, 12, 25)


def test_what_it_was_read_from_is_told_with_its_place() -> None:
    found = asked("co się działo w marcu 2025 w biurze?")

    assert found.words == "w marcu 2025"
    assert "co się działo w marcu 2025 w biurze?"[found.begin : found.end] == found.words


def test_of_several_times_the_first_that_restricts_counts() -> None:
    assert asked("the January release, what did we say of it last week").words == "last week"
    assert asked("did what we said yesterday change what we said last week").words == "yesterday"


def test_the_ends_of_the_calendar_give_no_time() -> None:
    assert asked_dates("yesterday", datetime(1, 1, 1, tzinfo=UTC), UTC, BOTH) is None
    assert asked_dates("in ten years from now", datetime(9999, 6, 1, tzinfo=UTC), UTC, BOTH) is None
    assert asked_dates("9999-12-31", NOW, UTC, BOTH) is None


def test_what_names_a_time_for_good_is_told_apart_from_what_only_leads_to_it() -> None:
    assert asked("co się działo w marcu 2025").names == ("marcu", "2025")
    assert asked("the budget for 2026").names == ("2026",)
    assert asked("two weeks ago").names == ()
