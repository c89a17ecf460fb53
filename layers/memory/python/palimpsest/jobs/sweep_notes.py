"""What those who write to an index say for its sweep: which space they write to, and that the engine is awake."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import SearchIndex
from palimpsest.stores.sweeps import NOTED_AGAIN, Sweeps
from palimpsest.usecases.searching import Searching

_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class SweepNotes:
    """Leaves word, seldom enough to cost next to nothing, and none where nothing needs a sweep."""

    sweeps: Sweeps
    searching: Searching
    clock: Clock
    _noted: dict[SpaceId, datetime] = field(default_factory=dict, init=False)

    def before(self, index: SearchIndex, space: SpaceId) -> None:
        """Entries of the space are about to be written; said before, so that no kill can leave it unsaid."""
        if not index.needs_sweeps:
            return
        now = self.clock.now()
        noted_at = self._noted.get(space)
        if noted_at is None or now - noted_at >= NOTED_AGAIN:
            self.sweeps.note(space, now)
            if len(self._noted) >= _REMEMBERED:
                self._noted.clear()
            self._noted[space] = now

    def after(self, index: SearchIndex) -> None:
        """The engine has answered."""
        if not index.needs_sweeps and not self.searching.indexes.is_remote:
            return
        with suppress(TableError):
            self.searching.found_answering(self.clock.now())
