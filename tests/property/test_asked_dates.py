"""Laws of the dates that a query asks for: ordered, whole days of any zone, the same however it is typed."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.analysis import fold
from palimpsest.domain.asking.dates import AskedDates, asked_dates
from palimpsest.domain.language import Language
from tests.support.asking_texts import dated_queries

BOTH = tuple(Language)
ZONES = [
    "UTC", "Europe/Warsaw", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Apia",
    "Pacific/Marquesas", "America/Sao_Paulo", "Africa/Cairo", "Australia/Lord_Howe",
]  # fmt: skip
QUERIES = st.sampled_from([each.query for each in dated_queries()])
WORDS = sorted({word for each in dated_queries() for word in each.query.split()})
MADE_UP = st.lists(st.sampled_from([*WORDS, "2024", "12", "15", "31", "-", "and"]), max_size=12).map(" ".join)
MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - they get theirs
ZONED = st.sampled_from(ZONES).map(ZoneInfo)


def asked(query: str, now: datetime, zone: ZoneInfo) -> AskedDates | None:
    return asked_dates(query, now, zone, BOTH)


@given(QUERIES | MADE_UP | st.text(max_size=60), MOMENTS, ZONED)
def test_a_time_begins_before_it_ends_and_is_of_whole_days(query: str, now: datetime, zone: ZoneInfo) -> None:
    found = asked(query, now, zone)

    if found is None:
        return
    assert (found.first, found.last) != (None, None)
    if found.begins_at is not None and found.ends_at is not None:
        assert found.first is not None
        assert found.last is not None
        assert found.first <= found.last
        assert found.begins_at <= found.ends_at
    for day, instant in ((found.first, found.begins_at), (found.last, found.ends_at)):
        if day is not None and instant is not None:
            assert abs(instant - datetime.combine(day, time(12), zone).astimezone(UTC)) <= timedelta(hours=36)


@given(QUERIES | MADE_UP, MOMENTS, ZONED)
def test_case_and_lost_diacritics_change_nothing(query: str, now: datetime, zone: ZoneInfo) -> None:
    def days(text: str) -> tuple[object, ...] | None:
        found = asked(text, now, zone)
        return None if found is None else (found.begins_at, found.ends_at, found.is_restricting)

    assert days(fold(query.casefold())) == days(query)
    assert days(query.upper()) == days(query)


@given(QUERIES, MOMENTS, ZONED, st.integers(0, 86_399_999))
def test_an_instant_of_a_day_that_is_asked_for_lies_within(
    query: str, now: datetime, zone: ZoneInfo, moment: int
) -> None:
    found = asked(query, now, zone)

    if found is None or found.first is None or found.begins_at is None:
        return
    clock = (datetime(2000, 1, 1, tzinfo=UTC) + timedelta(milliseconds=moment)).time()
    at = datetime.combine(found.first, clock, zone).astimezone(UTC)
    if at.astimezone(zone).date() == found.first:  # else the clock jumps over it
        assert found.begins_at <= at
        assert found.ends_at is None or at <= found.ends_at


@given(QUERIES | MADE_UP, MOMENTS)
def test_what_it_was_read_from_stands_in_the_query(query: str, now: datetime) -> None:
    found = asked(query, now, ZoneInfo("UTC"))

    assert found is None or query[found.begin : found.end] == found.words != ""
