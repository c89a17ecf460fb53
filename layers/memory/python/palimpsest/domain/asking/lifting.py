"""What the time that a query names adds to scores."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from palimpsest.domain.asking.dates import AskedDates
from palimpsest.domain.instants import UNDATED, microseconds
from palimpsest.domain.matching import Floats, Integers

Mask: TypeAlias = npt.NDArray[np.bool_]

_DAY: Final = timedelta(days=1) // timedelta(microseconds=1)

RESTRICTING: Final = 0.4
"""The share of a score that lying in the time decides; of .1 to .5 the smallest that was best (`bench/asking.py`,
2026-11-30)."""
MENTIONED: Final = 0.1
"""The same where the query only mentions the time; a guess."""


class Bounds(NamedTuple):
    """A range of instants, both ends included; None is open."""

    begins_at: datetime | None
    ends_at: datetime | None


def bounds(dates: AskedDates) -> Bounds:
    """The narrowest range that holds all that `within` says lies in the time."""
    first, last = (None if day is None else datetime.combine(day, time(), UTC) for day in (dates.first, dates.last))
    begins = [each for each in (first, dates.begins_at) if each is not None]
    ends = [each for each in (last, dates.ends_at) if each is not None]
    return Bounds(min(begins, default=None), max(ends, default=None))


def within(dates: AskedDates, dated: Integers) -> Mask:
    """Which dates lie in the time, microseconds since 1970; what has none (`UNDATED`) doesn't.

    A date without a time of day is stored as midnight in UTC. It counts by its day, whatever the zone of who asks.
    """
    by_instant, by_day = dated != UNDATED, dated % _DAY == 0
    if dates.begins_at is not None and dates.first is not None:
        by_instant = by_instant & (dated >= microseconds(dates.begins_at))
        by_day = by_day & (dated >= microseconds(datetime.combine(dates.first, time(), UTC)))
    if dates.ends_at is not None and dates.last is not None:
        by_instant = by_instant & (dated <= microseconds(dates.ends_at))
        by_day = by_day & (dated <= microseconds(datetime.combine(dates.last, time(), UTC)))
    is_within: Mask = (by_instant & (dated % _DAY != 0)) | (by_day & (dated != UNDATED))
    return is_within


def lifted(scores: Floats, is_within: Mask, share: float) -> Floats:
    """Scores of which `share` is whether a candidate lies in the time that is asked for.

    ``(1 - share) * score + share * within``: from 0 to 1 as the scores are; what lies within passes what does not only
    where that scores less than ``share / (1 - share)`` more. Without any within the scores stay as they are.
    """
    return (1 - share) * scores + share * is_within if is_within.any() else scores


def share_of(dates: AskedDates) -> float:
    """How much the time decides."""
    return RESTRICTING if dates.is_restricting else MENTIONED
