"""What lies in the time that a query names, and what that adds to scores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.asking.dates import AskedDates, asked_dates
from palimpsest.domain.asking.lifting import bounds, lifted, share_of, within
from palimpsest.domain.instants import UNDATED, microseconds
from palimpsest.domain.language import Language
from tests.support.asking_texts import NOW, dated_queries

NAMED = [each.query for each in dated_queries() if each.names_time]


def asked(query: str, zone: tzinfo = UTC) -> AskedDates:
    found = asked_dates(query, NOW, zone, tuple(Language))

    assert found is not None
    return found


def lies(dates: AskedDates, *instants: str) -> list[bool]:
    dated = [microseconds(datetime.fromisoformat(each).replace(tzinfo=UTC)) for each in instants]
    return [bool(each) for each in within(dates, np.array(dated, np.int64))]


def test_both_ends_of_a_time_lie_in_it() -> None:
    ends = ("2025-03-01T00:00:00", "2025-03-31T23:59:59.999", "2025-02-28T23:59:59.999", "2025-04-01T00:00:00.001")

    assert lies(asked("in March 2025"), *ends) == [True, True, False, False]
    assert lies(asked("since March 2025"), *ends) == [True, True, False, True]
    assert lies(asked("before April 2025"), *ends) == [True, True, True, False]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Europe/Warsaw", "America/Los_Angeles"])
def test_what_is_dated_by_its_day_alone_lies_in_that_day_in_every_zone(zone: str) -> None:
    dates = asked("on 2025-03-14", ZoneInfo(zone))

    assert lies(dates, "2025-03-13", "2025-03-14", "2025-03-15") == [False, True, False]


def test_an_instant_lies_in_the_days_of_who_asks() -> None:
    evening = "2025-03-14T23:30:00"  # half past midnight in Warsaw

    assert lies(asked("on 2025-03-14"), evening) == [True]
    assert lies(asked("on 2025-03-14", ZoneInfo("Europe/Warsaw")), evening) == [False]


def test_what_has_no_date_lies_in_no_time() -> None:
    for query in ("since 2020", "before 2030", "in 2025"):
        assert not within(asked(query), np.array([UNDATED])).any()


@given(
    st.sampled_from(NAMED), st.sampled_from(["UTC", "Pacific/Kiritimati", "America/New_York"]), st.integers(0, 2**31)
)
def test_the_bounds_hold_all_that_lies_in_the_time(query: str, zone: str, seconds: int) -> None:
    dates, at = asked(query, ZoneInfo(zone)), datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    begins_at, ends_at = bounds(dates)

    for instant in (at, at.replace(hour=0, minute=0, second=0)):
        if within(dates, np.array([microseconds(instant)]))[0]:
            assert begins_at is None or begins_at <= instant
            assert ends_at is None or instant <= ends_at


SCORES = st.integers(0, 1_000_000).map(lambda millionths: millionths / 1_000_000)  # as many digits as order results


@given(st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=9), st.floats(0.01, 0.5))
def test_a_lift_keeps_scores_in_range_and_the_order_of_what_lies_alike(
    rows: list[tuple[float, bool]], share: float
) -> None:
    scores, inside = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])

    found = lifted(scores, inside, share)

    assert ((found >= 0) & (found <= 1)).all()
    for alike in (inside, ~inside):
        assert (np.argsort(scores[alike], kind="stable") == np.argsort(found[alike], kind="stable")).all()


def test_a_lift_by_hand_and_none_where_nothing_lies_within() -> None:
    scores = np.array([1.0, 0.8])

    assert lifted(scores, np.array([False, True]), 0.2).tolist() == pytest.approx([0.8, 0.84])
    assert lifted(scores, np.array([False, False]), 0.2).tolist() == [1.0, 0.8]


def test_a_time_that_is_only_mentioned_decides_less() -> None:
    assert share_of(asked("the January release")) < share_of(asked("in January"))
