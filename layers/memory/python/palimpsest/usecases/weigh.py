"""Weigh results: what age, use, marks and source of memories make of their scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple

from palimpsest.domain.ids import RootId
from palimpsest.domain.strength import Reinforcement
from palimpsest.domain.weight import weight
from palimpsest.ports.clock import Clock
from palimpsest.stores.reinforcements import Reinforcements
from palimpsest.usecases.answers import AnyHit, Hit
from palimpsest.usecases.candidates import is_of_chunk, parse_entry_key
from palimpsest.usecases.rank_space import Ranked

_WAITED_SECONDS: Final = 0.5
"""It begins before candidates are read again, and takes less than that; a table that stands still costs the uses."""


_LATE: Final = "uses_late"


class Weighed(NamedTuple):
    """Weighed results. `lacking`: why that is without how often they were made use of."""

    hits: list[AnyHit]
    lacking: str | None = None


@dataclass(frozen=True, slots=True)
class Weigh:
    """Weighs. How often candidates were made use of is read while they are read again themselves."""

    reinforcements: Reinforcements
    clock: Clock
    executor: Executor

    def begin(self, found: Sequence[Ranked], most: int) -> Weighing:
        """Begin to look up the first `most` memories of each space."""
        roots = [root for ranked in found for root in islice(_memories(ranked), most)]
        return Weighing(self, frozenset(roots), self.executor.submit(self.reinforcements.of, roots))


@dataclass(frozen=True, slots=True)
class Weighing:
    """One look-up that is under way."""

    weigh: Weigh
    roots: frozenset[RootId]
    used: Future[dict[RootId, Reinforcement]]

    def __call__(self, hits: Sequence[AnyHit]) -> Weighed:
        """The same hits in their order, with weighed scores and with how often each was made use of."""
        others = [
            hit.memory.head.root for hit in hits if isinstance(hit, Hit) and hit.memory.head.root not in self.roots
        ]
        try:
            used, lacking = self.used.result(_WAITED_SECONDS) | self.weigh.reinforcements.of(others), None
        except TimeoutError:
            used, lacking = {}, _LATE
        return Weighed([self._weighed(hit, used) if isinstance(hit, Hit) else hit for hit in hits], lacking)

    def _weighed(self, hit: Hit, used: Mapping[RootId, Reinforcement]) -> Hit:
        memory = replace(hit.memory, reinforcement=used.get(hit.memory.head.root, Reinforcement()))
        own = weight(memory, self.weigh.clock.now())
        told = hit.scores | {"time": own.time, "weight": own.whole}
        return replace(hit, memory=memory, score=min(hit.score * own.whole, 1.0), scores=told)


def _memories(ranked: Ranked) -> Iterator[RootId]:
    """Those that were proposed, best first; a belief with several versions comes as often."""
    return (parse_entry_key(key)[0] for key in ranked.ranking.places if not is_of_chunk(key))
