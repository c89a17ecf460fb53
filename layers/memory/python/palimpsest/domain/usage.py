"""Figures of recalls over some days, and how old what they gave was. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

OLDEST: Final = 13
"""The last band of ages: 22 years and more."""

_DAY: Final = timedelta(days=1)


def band(age: timedelta) -> int:
    """The band of an age. Band b holds the ages from 2^b - 1 to 2^(b+1) - 1 days, the last all that are older."""
    return min(OLDEST, int(math.log2(1 + max(0.0, age / _DAY))))


def median_days(bands: Mapping[int, int]) -> float | None:
    """The median age in days, as if ages lay evenly within their bands; None where there are none."""
    half = sum(bands.values()) / 2
    before = 0
    for each in sorted(bands):
        if bands[each] and before + bands[each] >= half:
            width = float(1 << each)
            return round(width - 1 + width * (half - before) / bands[each], 2)
        before += bands[each]
    return None


@dataclass(frozen=True, slots=True)
class Usage:
    """What recalls of a space came to.

    Attributes:
        recalls: How many there were.
        with_result: How many of them gave something.
        arms: How often each arm fared how: ``(arm, state)``.
        ages: How often what was given was of which `band` of age.
    """

    recalls: int = 0
    with_result: int = 0
    arms: Mapping[tuple[str, str], int] = field(default_factory=dict)
    ages: Mapping[int, int] = field(default_factory=dict)

    @property
    def hit_rate(self) -> float | None:
        """The share of recalls that gave something; None without any."""
        return round(self.with_result / self.recalls, 4) if self.recalls else None


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the newest memories of a space: how many of so many no recall ever gave."""

    of: int
    never: int

    @property
    def share(self) -> float | None:
        """None where there are no memories."""
        return round(self.never / self.of, 4) if self.of else None
