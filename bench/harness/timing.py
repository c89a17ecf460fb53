"""Durations as percentiles.

The percentile is the nearest rank: the smallest measured value that at least so many percent of the values do not pass.
Nothing is interpolated, nothing is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """Percentiles of durations, in milliseconds."""

    count: int
    p50: float
    p95: float
    p99: float
    longest: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Spread:
        """The spread of durations in seconds; ValueError for none."""
        taken = sorted(1000 * each for each in seconds)
        p50, p95, p99 = (round(percentile(taken, percent), 2) for percent in (50, 95, 99))
        return cls(len(taken), p50, p95, p99, round(taken[-1], 2))


def percentile(ascending: Sequence[float], percent: float) -> float:
    """The nearest rank in values that stand in ascending order; ValueError for none."""
    if not ascending:
        raise ValueError("no values")
    return ascending[max(1, math.ceil(len(ascending) * percent / 100)) - 1]


def median(values: Sequence[float]) -> float:
    """The value of rank 50 %."""
    return percentile(sorted(values), 50)
