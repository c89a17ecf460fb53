"""How far a consumer has read a log: the last eight places it reached, with the time when each was reached."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Condition, Equals, Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.keys import LogPartition

_RING = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the log, and when everything up to it had been handed to the index."""

    place: str
    reached_at: datetime


@dataclass(frozen=True, slots=True)
class Watermark:
    """Marks, oldest first; empty when the consumer has not begun."""

    marks: tuple[Mark, ...] = ()

    @property
    def newest(self) -> str:
        """The last place reached; empty text before the first."""
        return self.marks[-1].place if self.marks else ""

    def settled(self, now: datetime, refresh: timedelta) -> str:
        """The newest place whose rows a search sees, given how late the index refreshes; empty when there is none."""
        visible = [mark.place for mark in self.marks if mark.reached_at + refresh <= now]
        return visible[-1] if visible else ""


@dataclass(frozen=True, slots=True)
class Watermarks:
    """The watermarks of one consumer: an index generation. `refresh`: how late its index shows what it was given."""

    table: Table
    consumer: str
    refresh: timedelta = timedelta(0)

    def read(self, partition: LogPartition) -> Watermark:
        key = keys.watermark(partition, self.consumer)
        stored = self.table.get([key]).items.get(key)
        return Watermark() if stored is None else _read(Reader(stored))

    def advance(self, partition: LogPartition, seen: Watermark, place: str, now: datetime) -> bool:
        """Record that `place` was reached; False when another process advanced meanwhile or `place` is no advance.

        Of marks that lie close together only the last is kept, so that the ring reaches back as far as the refresh.
        """
        if place <= seen.newest:
            return False
        kept = seen.marks
        if len(kept) > 1 and now - kept[-2].reached_at < self.refresh / (_RING // 2):
            kept = kept[:-1]
        marks = (*kept, Mark(place, now))[-_RING:]
        condition: Condition = Equals("newest", seen.newest) if seen.marks else Missing("pk")
        stored = item(
            keys.watermark(partition, self.consumer),
            newest=place,
            places=[mark.place for mark in marks],
            times=[instants.write(mark.reached_at) for mark in marks],
        )
        try:
            self.table.write(Put(stored, condition))
        except ConditionFailed:
            return False
        return True


def _read(r: Reader) -> Watermark:
    places, times = r.texts("places"), r.texts("times")
    return Watermark(tuple(Mark(place, instants.read(time)) for place, time in zip(places, times, strict=True)))
