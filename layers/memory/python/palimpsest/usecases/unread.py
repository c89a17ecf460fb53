"""Which sources nobody has read yet as they stand now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.belief import Head, State
from palimpsest.domain.graph.links import MemorySource
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.stores import graph_keys
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.links import LinkStore


@dataclass(frozen=True, slots=True)
class Unread:
    """Looks strongly, in two batches, and once more for each memory that went before its last version was read."""

    beliefs: Beliefs
    links: LinkStore

    def __call__(self, subjects: Sequence[RootId | ChunkId]) -> list[RootId | ChunkId]:
        """Those among memories and chunks whose links are not as they ought to be, in their order."""
        heads = self.beliefs.heads([RootId(each) for each in subjects if is_memory(each)], only_readable=True)
        marks = {
            each: graph_keys.extraction(graph_keys.chunk_source(ChunkId(each)), 0)
            for each in subjects
            if not is_memory(each)
        }
        marks |= {
            root: graph_keys.extraction(graph_keys.memory_source(root), head.current) for root, head in heads.items()
        }
        found = self.links.table.get(list(marks.values())).items if marks else {}
        live = {each: bool(found[place]["is_live"]) for each, place in marks.items() if place in found}
        wanted = {root: head.state is State.LIVE for root, head in heads.items()}
        return [
            each
            for each in marks
            if live.get(each, False) != wanted.get(RootId(each), True)
            or (each not in live and self._counts_still(heads[RootId(each)]))
        ]

    def _counts_still(self, head: Head) -> bool:
        """A version that somebody has read counts, though its memory is not live."""
        return head.current > 1 and any(each.is_live for each in self.links.of(MemorySource(head.root, head.current)))


def is_memory(subject: str) -> bool:
    """The id is that of a memory, not of a chunk."""
    return subject.startswith("mem_")
