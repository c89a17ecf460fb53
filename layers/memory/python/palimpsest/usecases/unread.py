"""Which sources nobody has read yet as they stand now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.belief import State
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.ports.table import Table
from palimpsest.stores import graph_keys
from palimpsest.stores.beliefs import Beliefs


@dataclass(frozen=True, slots=True)
class Unread:
    """Looks strongly, in two batches at most."""

    table: Table
    beliefs: Beliefs

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
        found = self.table.get(list(marks.values())).items if marks else {}
        live = {each: bool(found[place]["is_live"]) for each, place in marks.items() if place in found}
        wanted = {root: head.state is State.LIVE for root, head in heads.items()}
        return [each for each in marks if live.get(each, False) != wanted.get(RootId(each), True)]


def is_memory(subject: str) -> bool:
    """The id is that of a memory, not of a chunk."""
    return subject.startswith("mem_")
