"""Look in the table for work that is due, and ask for it: what was asked for before and got lost goes on so.

It touches the table alone, never the index, so that a sleeping index is not woken by a schedule.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.errors import QueueUnavailable
from palimpsest.domain.ids import ulid_milliseconds
from palimpsest.jobs.build_index import BuildIndex, is_outdated
from palimpsest.jobs.migrate import Migrate
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation
from palimpsest.ports.work_queue import Job, Work, WorkQueue
from palimpsest.stores.builds import longest_silence
from palimpsest.stores.pending import Pending

_TRIED_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class PlanWork:
    """Asks for work. Twice is as good as once."""

    build_index: BuildIndex
    migrate: Migrate
    pending: Pending
    queue: WorkQueue
    clock: Clock

    def __call__(self) -> int:
        """How much was asked for."""
        asked = 0
        for work in self._due(self.clock.now()):
            with suppress(QueueUnavailable):
                self.queue.send(work)
                asked += 1
        return asked

    def _due(self, now: datetime) -> Iterator[Work]:
        if self.pending.listed(1):
            yield Work(Job.EMBED_PENDING)
        if self.migrate.is_due():
            yield Work(Job.MIGRATE)
        yield from self._builds(now)
        for retired in self.build_index.generations.retired():
            if retired.tried_at is None or now - retired.tried_at >= _TRIED_AGAIN:
                yield Work(Job.DROP_INDEX, retired.generation.id)

    def _builds(self, now: datetime) -> Iterator[Work]:
        if self.build_index.fill.searching.indexes.is_off:
            return
        state = self.build_index.generations.read()
        if state.building is None and is_outdated(state):
            self.build_index.begin(model=state.active.model if state.active else None)
            return
        for generation in (state.building, state.active):
            if generation is not None and self._stands_still(generation, now, is_begun=generation == state.active):
                yield Work(Job.BUILD_INDEX, generation.id)

    def _stands_still(self, generation: Generation, now: datetime, *, is_begun: bool) -> bool:
        """The build has not moved for long, or has not begun; notes that it is asked for."""
        builds = self.build_index.builds
        progress = builds.read(generation.id)
        if progress is None:
            begun_at = instants.from_milliseconds(ulid_milliseconds(generation.id))
            return not is_begun and now - begun_at >= longest_silence(0)
        if now - progress.moved_at < longest_silence(progress.asks):
            return False
        return builds.move(progress, now, asks=progress.asks + 1) is not None
