"""Once a day: look through the change logs of all spaces for those that no index follows; in the table alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Key
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import changes
from palimpsest.stores.changes import ChangeLog
from palimpsest.stores.chunk_log import ChunkLog
from palimpsest.stores.keys import LogPartition, chunk_log
from palimpsest.stores.lagging import Lagging
from palimpsest.stores.leases import Leases
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.watermarks import Watermark
from palimpsest.usecases.searching import Searching

_LATE = timedelta(minutes=10)
"""A row that is older and not indexed has been forgotten by its doorbell."""

_PUT_AGAIN = timedelta(days=20)
"""A stuck row that is older is written anew, since rows expire after 30 days."""


@dataclass(frozen=True, slots=True)
class CheckLogs:
    """Notes the logs that lag, and writes stuck rows anew before they expire; the index gets another try at those."""

    log: ChangeLog
    chunk_log: ChunkLog
    lagging: Lagging
    leases: Leases
    searching: Searching
    spaces: Spaces
    clock: Clock
    ids: Ids

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Some spaces, by name; True when there are more."""
        work = Work(Job.CHECK_LOGS, subject)
        generation = self.searching.generations.read().active
        if generation is None or self.searching.indexes.is_off:
            return False
        watermarks = self.searching.watermarks(generation)
        for space in self.spaces.walk(self.leases.cursor(work)):
            for partition in space.log_partitions():
                self._check(partition, watermarks.read(partition), self.clock.now())
            chunks = chunk_log(space.id)
            self._check_chunks(chunks, watermarks.read(chunks), self.clock.now())
            if seconds_left() <= 0:
                self.leases.keep_cursor(work, space.name)
                return True
        return False

    def _check(self, partition: LogPartition, watermark: Watermark, now: datetime) -> None:
        for change in self.log.oldest_first(partition, _behind(watermark), limit=1).changes:
            self._note(partition, change.place, now)
        for place in watermark.stuck:
            if now - changes.place_time(place) >= _PUT_AGAIN:
                self.log.put_again(Key(partition.pk, place), self.ids.ulid(), now)

    def _check_chunks(self, partition: LogPartition, watermark: Watermark, now: datetime) -> None:
        for row in self.chunk_log.oldest_first(partition, _behind(watermark), limit=1).rows:
            self._note(partition, row.place, now)

    def _note(self, partition: LogPartition, place: str, now: datetime) -> None:
        """It lags when the row at that place has waited for long."""
        since = changes.place_time(place)
        if now - since >= _LATE:
            self.lagging.note(partition, since)


def _behind(watermark: Watermark) -> str:
    """From where a log is not indexed yet."""
    return watermark.newest + "\0" if watermark.newest else ""
