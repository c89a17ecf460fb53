"""Have the new sources of a space read for entities, a few seconds after they were saved or ingested.

It follows the space's change logs as the index does, by watermarks of its own, so doorbells may get lost, come twice or
out of order. What it finds unread becomes a run, so a burst of saves is one, and each source is told of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Final

from palimpsest.domain.graph.reading import NEW
from palimpsest.domain.ids import SYSTEM, ChunkId, RootId, RunId, SpaceId
from palimpsest.domain.run import Phase, Run, RunKind
from palimpsest.domain.run_plan import Counts, PlanItem
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import changes, keys
from palimpsest.stores.changes import ChangeLog
from palimpsest.stores.chunk_log import ChunkLog
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.runs import PAGE_ITEMS, Runs
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.stores.tail import Tails
from palimpsest.stores.unextracted import Unextracted
from palimpsest.stores.watermarks import Watermarks
from palimpsest.usecases.unread import Unread

CONSUMER: Final = "extract"
_ROWS: Final = 20
_SOURCES: Final = 1_000
"""Of one run: its whole plan begins with it, in one transaction."""
_ENOUGH_SECONDS: Final = 10.0
_AHEAD: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a log: the memories or the chunks that it tells of."""

    place: str
    subjects: tuple[RootId | ChunkId, ...]


@dataclass(frozen=True, slots=True)
class Extract:
    """Looks through the logs and begins runs. `is_wanted`: sources of the space are read by themselves."""

    spaces: Spaces
    log: ChangeLog
    chunk_log: ChunkLog
    tails: Tails
    watermarks: Watermarks
    unextracted: Unextracted
    unread: Unread
    runs: Runs
    clock: Clock
    ids: Ids
    ask: Callable[[Work], object]
    is_wanted: Callable[[Space], bool]

    def slice(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Begin runs over all that is new in the space with that id; True when the time was up before."""
        space = self.spaces.by_id(SpaceId(subject))
        while (since := self.unextracted.since(space.id)) is not None:
            if self.is_wanted(space) and not self._follow(space, seconds_left):
                return True
            if self.unextracted.clear(space.id, since):
                break
        return False

    def _follow(self, space: Space, seconds_left: SecondsLeft) -> bool:
        """Begin runs over what the logs tell of from their watermarks on; False when the time was up before their ends.

        What is new in all of them is one run: a memory and a document that came together know each other's names.
        """
        found: dict[RootId | ChunkId, None] = {}
        reached: dict[LogPartition, str] = {}
        is_up = False
        for partition in (*space.log_partitions(), keys.chunk_log(space.id)):
            rows = self._rows(partition, self.tails.begin(self.watermarks.read(partition).newest, timedelta(0)))
            while not is_up and (some := list(islice(rows, _ROWS))):
                reached[partition] = some[-1].place
                told = dict.fromkeys(subject for row in some for subject in row.subjects)
                found |= dict.fromkeys(self.unread(list(told)))
                is_up = seconds_left() < _ENOUGH_SECONDS
                if len(found) >= _SOURCES:
                    self._take(space, found, reached)
        self._take(space, found, reached)
        return not is_up

    def _take(self, space: Space, found: dict[RootId | ChunkId, None], reached: dict[LogPartition, str]) -> None:
        """The runs before the watermarks, so that a crash between them loses no source; both are empty then."""
        subjects = list(found)
        for at in range(0, len(subjects), _SOURCES):
            self._begin(space, subjects[at : at + _SOURCES])
        for partition, place in reached.items():
            self._keep(partition, place)
        found.clear()
        reached.clear()

    def _begin(self, space: Space, subjects: Sequence[RootId | ChunkId]) -> None:
        """A run that reads these."""
        now, items = self.clock.now(), [PlanItem(subject, 0, changes=0) for subject in subjects]
        pages = [tuple(items[at : at + PAGE_ITEMS]) for at in range(0, len(items), PAGE_ITEMS)]
        run = Run(
            RunId(f"run_{self.ids.ulid()}"),
            RunKind.INDEX,
            space.id,
            SYSTEM,
            now,
            now,
            phase=Phase.APPLYING,
            asked=NEW,
            pages=len(pages),
            counts=Counts().adding(items),
        )
        self.runs.begin(run, pages=pages)
        self.ask(Work(Job.RUN, run.id))

    def _rows(self, partition: LogPartition, begin: str) -> Iterator[Row]:
        return self._of_chunks(partition, begin) if partition.is_of_chunks else self._of_memories(partition, begin)

    def _of_memories(self, partition: LogPartition, begin: str) -> Iterator[Row]:
        since, is_last = begin, False
        while not is_last:
            page = self.log.oldest_first(partition, since, limit=_ROWS)
            yield from (Row(change.place, (change.root,)) for change in page.changes)
            since, is_last = page.next_place, page.is_last

    def _of_chunks(self, partition: LogPartition, begin: str) -> Iterator[Row]:
        since: str | None = begin
        while since is not None:
            page = self.chunk_log.oldest_first(partition, since, limit=_ROWS)
            yield from (Row(row.place, row.chunks) for row in page.rows)
            since = page.next_place

    def _keep(self, partition: LogPartition, place: str) -> None:
        """Never past the present: rows of a writer whose clock is late would be passed over."""
        now = self.clock.now()
        newest = min(place, changes.place_at(now + _AHEAD))
        self.watermarks.advance(partition, self.watermarks.read(partition), newest, now)
