"""Bring one index generation up to the end of the log of one space's chunks: what is there is put in, the rest goes.

A chunk never changes and its id never comes again, so what the table says of it now is all that counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from threading import Lock
from typing import Final

from palimpsest.domain.analysis import ANALYSIS_VERSION
from palimpsest.domain.errors import EntriesRefused, IndexUnavailable, TableThrottled
from palimpsest.domain.ids import ChunkId, SpaceId
from palimpsest.jobs.reached import AHEAD, ATTEMPTS, REFUSES
from palimpsest.jobs.sweep_notes import SweepNotes
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation, Removal
from palimpsest.ports.table import Key
from palimpsest.stores import changes
from palimpsest.stores.chunk_log import ChunkLog, ChunkRow
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.tail import Tails
from palimpsest.stores.watermarks import MOST_STUCK, Watermarks
from palimpsest.usecases.chunk_entries import GONE, THERE, ChunkEntries
from palimpsest.usecases.searching import Opened, Searching

_ROWS: Final = 20
_REMEMBERED: Final = 2_000


@dataclass(slots=True)
class FollowChunks:
    """Follows. Rows that are in are remembered, so that the margin before the watermark is not put in again.

    A row counts as in only once the watermark that says so is kept, and one that the index refuses never does.
    """

    log: ChunkLog
    tails: Tails
    entries: ChunkEntries
    searching: Searching
    notes: SweepNotes
    clock: Clock
    _applied: dict[tuple[str, str], None] = field(default_factory=dict, init=False)
    _locks: dict[str, Lock] = field(default_factory=dict, init=False)

    def __call__(
        self,
        generation: Generation,
        partition: LogPartition,
        announced: Sequence[Key] = (),
        *,
        back: timedelta = timedelta(0),
        seconds_left: SecondsLeft = lambda: math.inf,
    ) -> bool:
        """Bring one generation up to the end of one log; False when the time was up before.

        Args:
            generation: Which.
            partition: The log.
            announced: Rows that are read also when they lie far behind, as a slow clock of their writer puts them.
            back: How much before the watermark to begin.
            seconds_left: Looked at after every row.
        """
        if generation.schema > ANALYSIS_VERSION:
            raise IndexUnavailable("index_newer", "a newer release made the search index, and only that can fill it")
        with self._locks.setdefault(partition.pk, Lock()):
            opened = self.searching.open(generation)
            watermarks = self.searching.watermarks(generation)
            begin = self.tails.begin(watermarks.read(partition).newest, back)
            since: str | None = begin
            while since is not None:
                page = self.log.oldest_first(partition, since, limit=_ROWS)
                for row in page.rows:
                    self._take(opened, watermarks, partition, row)
                    if seconds_left() <= 0:
                        return False
                since = page.next_place
            for row in self.log.at([key for key in announced if key.sk < begin]):
                self._take(opened, watermarks, partition, row)
            return True

    def forget(self) -> None:
        """Put in again what was put in before: the index may have lost it."""
        self._applied.clear()

    def _take(self, opened: Opened, watermarks: Watermarks, partition: LogPartition, row: ChunkRow) -> None:
        known = (opened.generation.id, row.place)
        if known in self._applied:
            return
        refused = self._apply(opened, partition.space, row.chunks)
        self._keep(watermarks, partition, row, is_refused=refused)
        if not refused:
            self._applied[known] = None
        for key in list(islice(self._applied, max(0, len(self._applied) - _REMEMBERED))):
            self._applied.pop(key, None)

    def _apply(self, opened: Opened, space: SpaceId, chunks: Sequence[ChunkId]) -> bool:
        """Make the entries be what the table says; True when the index refuses one for good."""
        entries = self.entries.of(chunks, opened.generation.model, revision=THERE)
        there = {entry.key for entry in entries}
        self.notes.before(opened.index, space)
        try:
            opened.index.remove(space, [Removal(chunk, GONE) for chunk in chunks if chunk not in there])
            opened.index.upsert(entries)
        except EntriesRefused:
            return True
        self.notes.after(opened.index)
        return False

    def _keep(self, watermarks: Watermarks, partition: LogPartition, row: ChunkRow, *, is_refused: bool) -> None:
        """The row is in; one with a chunk that is refused is kept aside, as long as there are few."""
        for _ in range(ATTEMPTS):
            seen, now = watermarks.read(partition), self.clock.now()
            others = tuple(place for place in seen.stuck if place != row.place)
            stuck = (*others, row.place) if is_refused else others
            if len(stuck) > MOST_STUCK:
                raise IndexUnavailable(REFUSES, f"the search index refuses more than {MOST_STUCK} parts of documents")
            newest = max(seen.newest, min(row.place, changes.place_at(now + AHEAD)))
            is_same = newest == seen.newest and set(stuck) == set(seen.stuck)
            if is_same or watermarks.advance(partition, seen, newest, now, stuck):
                return
        if is_refused:
            raise TableThrottled
