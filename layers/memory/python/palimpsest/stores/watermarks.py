"""How far a consumer has read a log: the last eight places it reached, with the time when each was reached."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import RootId
from palimpsest.ports.table import All, Condition, Equals, Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.keys import LogPartition

_RING = 8
MOST_STUCK = 32


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the log, and when everything up to it had been handed to the index."""

    place: str
    reached_at: datetime


@dataclass(frozen=True, slots=True)
class Part:
    """How much of one large belief is in, when the time was up within it: versions up to `number`, as of `revision`."""

    root: RootId
    revision: int
    number: int


@dataclass(frozen=True, slots=True)
class Watermark:
    """Marks, oldest first; empty when the consumer has not begun.

    Attributes:
        part: Of the belief of a row after the newest mark; it is not read once there is a later mark.
        stuck: Places of rows that the index refuses for good, though it is past them; at most 32. Recall reads them.
    """

    marks: tuple[Mark, ...] = ()
    stuck: tuple[str, ...] = ()
    part: Part | None = None

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

    def advance(
        self,
        partition: LogPartition,
        seen: Watermark,
        place: str,
        now: datetime,
        stuck: tuple[str, ...] | None = None,
        part: Part | None = None,
    ) -> bool:
        """Record that `place` was reached; False when another process advanced meanwhile or nothing changes.

        Of marks that lie close together only the last is kept, so that the ring reaches back as far as the refresh.
        `stuck`: what is refused from now on; as it was when None. `part`: what is in of the belief that comes next.
        """
        stuck = seen.stuck if stuck is None else stuck
        if place <= seen.newest and (stuck, part) == (seen.stuck, seen.part):
            return False
        marks = self._with(seen.marks, place, now) if place > seen.newest else seen.marks
        was_stuck: Condition = Equals("stuck", list(seen.stuck)) if seen.stuck else Missing("stuck")
        condition: Condition = All((Equals("newest", seen.newest), was_stuck)) if seen.marks else Missing("pk")
        stored = item(
            keys.watermark(partition, self.consumer),
            newest=marks[-1].place,
            stuck=list(stuck),
            places=[mark.place for mark in marks],
            times=[instants.write(mark.reached_at) for mark in marks],
            part=None if part is None else f"{part.root}#{part.revision}#{part.number}",
        )
        try:
            self.table.write(Put(stored, condition))
        except ConditionFailed:
            return False
        return True

    def _with(self, marks: tuple[Mark, ...], place: str, now: datetime) -> tuple[Mark, ...]:
        if len(marks) > 1 and now - marks[-2].reached_at < self.refresh / (_RING // 2):
            marks = marks[:-1]
        return (*marks, Mark(place, now))[-_RING:]


def _read(r: Reader) -> Watermark:
    places, times = r.texts("places"), r.texts("times")
    marks = tuple(Mark(place, instants.read(time)) for place, time in zip(places, times, strict=True))
    return Watermark(marks, r.texts("stuck"), r.parsed("part", _part) if "part" in r.item else None)


def _part(text: str) -> Part:
    root, revision, number = text.split("#")
    return Part(RootId(root), int(revision), int(number))
