"""A search engine that leaves behind all that it was ever given: nothing but a sweep takes a document out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import Entry, Gone, SearchIndex, Swept
from tests.support.passing_indexes import PassingIndex, PassingIndexes


class Engine:
    """What the test turns and looks at.

    Attributes:
        documents: Of each key of a space the revisions of its documents.
        asked: The spaces that were swept, with the key behind which each part began.
        page: Entries in a part.
        is_down: It answers nothing.
        when_asked: Called when a part was read and nothing is deleted yet.
    """

    def __init__(self) -> None:
        self.documents: defaultdict[SpaceId, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        self.asked: list[tuple[SpaceId, str]] = []
        self.page = 100
        self.is_down = False
        self.when_asked: Callable[[], object] = lambda: None

    def require(self) -> None:
        if self.is_down:
            raise IndexUnavailable("index_asleep", "no answer in time")

    def swept_spaces(self) -> list[SpaceId]:
        """The spaces in their order, each part one."""
        return [space for space, _ in self.asked]

    def sweep(self, space: SpaceId, gone: Gone, after: str) -> Swept:
        self.asked.append((space, after))
        self.require()
        held = self.documents[space]
        keys = sorted(key for key in held if key > after)[: self.page]
        seen = {key: list(held[key]) for key in keys}
        removals = {removal.key: removal.revision for removal in gone(keys)} if keys else {}
        self.when_asked()
        taken = 0
        for key, revisions in seen.items():
            useless = sorted(revisions)[:-1]
            if key in removals:
                useless = [revision for revision in revisions if revision <= removals[key]]
            there = [revision for revision in useless if revision in held[key]]  # another sweep may have been faster
            for revision in there:
                held[key].remove(revision)
            taken += len(there)
            if not held[key]:
                del held[key]
        return Swept(taken, keys[-1] if len(keys) == self.page else None)


class LeavingIndex(PassingIndex):
    """One generation. What searches find is that of the embedded index, which knows no leftovers."""

    needs_sweeps = True

    def __init__(self, engine: Engine, inner: SearchIndex) -> None:
        super().__init__(inner)
        self._engine = engine

    def upsert(self, entries: Iterable[Entry]) -> None:
        self._engine.require()
        given = list(entries)
        super().upsert(given)
        for entry in given:
            self._engine.documents[entry.space][entry.key].append(entry.revision)

    def sweep(self, space: SpaceId, gone: Gone, after: str = "") -> Swept:
        return self._engine.sweep(space, gone, after)


class LeavingIndexes(PassingIndexes):
    """The engine's generations, kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.engine = Engine()
        super().__init__(folder, lambda inner: LeavingIndex(self.engine, inner))
