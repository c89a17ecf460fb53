"""Figures of recalls, worked by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.usage import OLDEST, Look, Usage, band, median_days


@pytest.mark.parametrize(
    ("days", "found"), [(-1, 0), (0, 0), (0.9, 0), (1, 1), (2.9, 1), (3, 2), (7, 3), (20_000, OLDEST)]
)
def test_a_band_is_twice_as_wide_as_the_one_before(days: float, found: int) -> None:
    assert band(timedelta(days=days)) == found


def test_the_median_lies_within_its_band() -> None:
    assert median_days({}) is None
    assert median_days({0: 2}) == 0.5
    assert median_days({0: 1, 2: 3}) == 4.33


def test_shares_of_nothing_are_unknown() -> None:
    assert (Usage().hit_rate, Usage(4, 3).hit_rate) == (None, 0.75)
    assert (Look(0, 0).share, Look(4, 1).share) == (None, 0.25)


@given(st.dictionaries(st.integers(0, OLDEST), st.integers(1, 1_000), min_size=1))
def test_the_median_is_between_the_least_and_the_greatest(bands: Mapping[int, int]) -> None:
    found = median_days(bands)

    assert found is not None
    assert 2 ** min(bands) - 1 <= found <= 2 ** (max(bands) + 1) - 1
