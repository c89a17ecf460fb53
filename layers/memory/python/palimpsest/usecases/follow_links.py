"""Follow links: from what was found to what real relations lead to, at a share of its score."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from palimpsest.domain.belief import Status
from palimpsest.domain.errors import TableError
from palimpsest.domain.graph import spreading
from palimpsest.domain.graph.links import ChunkSource, Source
from palimpsest.domain.ids import EntityId, RootId
from palimpsest.ports.search_index import Kind, Search
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.leads import Leads
from palimpsest.usecases.candidates import Ranking, parse_entry_key
from palimpsest.usecases.derived_ways import DerivedWays
from palimpsest.usecases.narrow import key_of, passing
from palimpsest.usecases.stated_ways import StatedWays

_LEADERS: Final = 5
"""The best that ways begin from, and so many of what they reach are gone on from."""
_MOST: Final = 10
"""Candidates that the graph alone brings to a space's results."""
_LATE: Final = "graph_late"
_LOOKED: Final = 50
"""Of what one hop leads to; what is behind that is not looked at."""


@dataclass(frozen=True, slots=True)
class Given:
    """What the graph gives.

    Attributes:
        scores: By key, where that is more than the candidate has of its own.
        lacking: Why there may be more; None when all was looked up.
    """

    scores: Mapping[str, float]
    lacking: str | None = None


NOTHING_GIVEN: Final = Given({})


@dataclass(frozen=True, slots=True)
class FollowLinks:
    """Follows: one batch of reads where nothing leads anywhere, else some more each hop; the re-read decides."""

    leads: Leads
    stated: StatedWays
    derived: DerivedWays
    beliefs: Beliefs
    chunks: Chunks

    def __call__(self, search: Search, ranking: Ranking, named: Iterable[EntityId], deadline: float) -> Given:
        """What the best candidates of a search give to what is linked with them and passes its filters.

        What texts stated at another time than now is not looked at: then nothing is given.

        Args:
            named: The entities that the query names: what else is stated of them is no other end of anything.
            deadline: Of `arms.deadline`.
        """
        filters = search.filters
        if filters.is_timed or Status.CURRENT not in filters.statuses:
            return NOTHING_GIVEN
        own = {key: ranking.totals[place] for key, place in ranking.places.items()}
        walk = _Walk(self, search, own, deadline, set(named))
        leaders = list(islice(own, _LEADERS))
        return Given(spreading.spread(own, leaders, walk.onward, width=_LEADERS, most=_MOST), walk.lacking)


@dataclass(slots=True)
class _Walk:
    """The hops of one search. `met`: entities that were followed; `lacking`: why it ended early."""

    to: FollowLinks
    search: Search
    own: Mapping[str, float]
    deadline: float
    met: set[EntityId]
    lacking: str | None = field(default=None, init=False)

    def onward(self, keys: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """To what each key leads; to nothing once something failed, so that what was reached before stays."""
        if self.lacking is not None:
            return {}
        try:
            return self._onward(keys)
        except TimeoutError:
            self.lacking = _LATE
        except TableError:
            self.lacking = "table_unavailable"
        return {}

    def _onward(self, keys: Sequence[str]) -> Mapping[str, Sequence[str]]:
        refs = {parse_entry_key(key): key for key in keys}
        self._left()
        leads = self.to.leads.of(list(refs))
        if not leads:
            return {}
        stated = self.to.stated(leads, self.met, self._left())
        derived = self.to.derived(self.search.space, list(refs), leads, self._left())
        led = {key: [*derived.get(ref, ()), *stated.get(ref, ())] for ref, key in refs.items()}
        shown = self._shown(source for some in led.values() for source in some)
        return {key: [shown[each] for each in some if each in shown] for key, some in led.items()}

    def _left(self) -> float:
        """How many seconds there are."""
        left = self.deadline - time.perf_counter()
        if left <= 0:
            raise TimeoutError
        return left

    def _shown(self, sources: Iterable[Source]) -> dict[Source, str]:
        """Those that may be results, by their keys; of a memory that is a candidate no other version."""
        versions: dict[RootId, set[str]] = {}
        for key in self.own:
            versions.setdefault(parse_entry_key(key)[0], set()).add(key)
        fit = (each for each in dict.fromkeys(sources) if _kind(each) in self.search.kinds)
        keys = {
            each: key_of(each) for each in passing(fit, self.search.filters, _LOOKED, self.to.beliefs, self.to.chunks)
        }
        return {each: key for each, key in keys.items() if key in versions.get(parse_entry_key(key)[0], (key,))}


def _kind(source: Source) -> Kind:
    return Kind.CHUNK if isinstance(source, ChunkSource) else Kind.MEMORY
