from __future__ import annotations

import pytest

from harness import ranking
from harness.timing import Spread, percentile


def test_fraction_and_any_hit_count_the_gold_among_the_first_k() -> None:
    ranked = ["a", "x", "b", "y", "c"]

    assert ranking.fraction({"a", "b", "c", "d"}, ranked, 3) == 0.5
    assert ranking.any_hit({"c", "d"}, ranked, 4) == 0.0
    assert ranking.any_hit({"c", "d"}, ranked, 5) == 1.0


def test_a_group_stands_where_its_best_member_stands() -> None:
    assert ranking.groups(["s2", "s1", "s2", "s3", "s1"]) == ["s2", "s1", "s3"]


def test_auroc_is_the_share_of_pairs_in_the_right_order_with_ties_counted_half() -> None:
    assert ranking.auroc([3.0, 2.0], [1.0]) == 1.0
    assert ranking.auroc([1.0, 1.0], [1.0]) == 0.5
    assert ranking.auroc([3.0, 1.0], [2.0, 0.0]) == 0.75


def test_figures_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        ranking.mean([])
    with pytest.raises(ValueError, match="nothing to find"):
        ranking.fraction(set(), ["a"], 1)
    with pytest.raises(ValueError, match="both kinds"):
        ranking.auroc([1.0], [])


def test_a_percentile_is_a_measured_value_by_nearest_rank() -> None:
    values = [float(value) for value in range(1, 201)]

    assert [percentile(values, percent) for percent in (50, 95, 99, 100)] == [100.0, 190.0, 198.0, 200.0]
    assert percentile([7.0], 99) == 7.0


def test_a_spread_is_told_in_milliseconds() -> None:
    assert Spread.of([0.003, 0.001, 0.002]) == Spread(count=3, p50=2.0, p95=3.0, p99=3.0, longest=3.0)
