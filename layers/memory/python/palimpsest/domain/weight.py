"""What a memory's age, use, marks and source make of its score: little, so that what answers better stays before it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain.belief import Memory
from palimpsest.domain.source import Trust

RATES: Final[Mapping[str, float]] = {"L0": 0.05, "L1": 0.03}
"""How fast a level fades, per day and strength: retention is e^(-rate age / strength) (MemoryBank, Zhong et al.,
arXiv:2305.10250; the rates are Loomem's)."""

TIME_SPAN: Final = 0.1
"""Of a score, what age takes at the most."""

_PINNED: Final = 1.05
_IMPORTANCE_SPAN: Final = 0.05
_TRUST: Final[Mapping[Trust, float]] = {Trust.A1: 1.0, Trust.A2: 0.98, Trust.B: 0.95}
_RATED: Final = 0.4
"""Of what ratings say (`Ratings.weight`)."""

LEAST: Final = 0.85
MOST: Final = 1.15
"""All together. A memory that scores .75 stays before one that scores .5, whatever speaks for the other."""

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Weight:
    """What a score is multiplied by. `time`: the part of age, 0.9 to 1."""

    time: float
    whole: float


def weight(memory: Memory, now: datetime) -> Weight:
    """What a memory's score is multiplied by at `now`: 0.85 to 1.15. What is pinned does not age."""
    said, marks, used = memory.version.statement, memory.head.annotations, memory.reinforcement
    age = max(0.0, (now - (said.event_date or said.asserted_at)) / _DAY)
    retention = 1.0 if marks.pinned else math.exp(-RATES.get(said.level, RATES["L0"]) * age / used.strength)
    time = 1 - TIME_SPAN * (1 - retention)
    doublings = math.log2(max(memory.importance, 0.5))
    important = 1 + _IMPORTANCE_SPAN * min(max(doublings, -1.0), 1.0)
    rated = 1 + _RATED * (used.ratings.weight - 1)
    whole = time * important * rated * _TRUST[said.source.trust] * (_PINNED if marks.pinned else 1.0)
    return Weight(time, min(max(whole, LEAST), MOST))
