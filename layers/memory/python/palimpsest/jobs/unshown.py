"""What an index need not show yet of a space, by its change logs and how far the index has followed them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.ports.search_index import Generation
from palimpsest.ports.table import Key
from palimpsest.stores import changes
from palimpsest.stores.changes import ChangeLog
from palimpsest.stores.chunk_log import ChunkLog
from palimpsest.stores.keys import LogPartition, chunk_log, root_of_row
from palimpsest.stores.spaces import Space
from palimpsest.usecases.searching import Searching

_ROWS: Final = 1_000
"""Of one log; with more the index is far behind, which the tail arm tells of."""


@dataclass(frozen=True, slots=True)
class _Since:
    """From where on rows count, and the places of those before that the index refuses."""

    place: str
    stuck: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unshown:
    """Reads the logs. Unlike the tail it leaves out what has been in for long: recall reads that again, to be safe."""

    searching: Searching
    log: ChangeLog
    chunk_log: ChunkLog

    def memories(self, space: Space, generation: Generation) -> frozenset[RootId] | None:
        """The memories that the index may lack something of; None when there are too many to tell."""
        found: set[RootId] = set()
        for partition in space.log_partitions():
            since = self._since(partition, generation)
            page = self.log.oldest_first(partition, since.place, limit=_ROWS)
            if not page.is_last or page.unreadable:
                return None
            found.update(change.root for change in page.changes)
            found.update(map(root_of_row, since.stuck))
        return frozenset(found)

    def chunks(self, space: Space, generation: Generation) -> frozenset[ChunkId] | None:
        """The same of sections and turns."""
        partition = chunk_log(space.id)
        since = self._since(partition, generation)
        page = self.chunk_log.oldest_first(partition, since.place, limit=_ROWS)
        if page.next_place is not None:
            return None
        rows = [*page.rows, *self.chunk_log.at([Key(partition.pk, stuck) for stuck in since.stuck])]
        return frozenset(chunk for row in rows for chunk in row.chunks)

    def _since(self, partition: LogPartition, generation: Generation) -> _Since:
        """Behind what a search shows, but for so much of the end as may have come late."""
        timing, now = self.searching.tails.timing, self.searching.clock.now()
        seen = self.searching.watermarks(generation).read(partition)
        settled = seen.settled(now, timing.refresh)
        late = changes.place_at(now - timing.skew - timing.refresh)
        return _Since(min(f"{settled}\0", late) if settled else "", seen.stuck)
