"""What narrows a recall or a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.belief import Head, Status
from palimpsest.domain.errors import Invalid
from palimpsest.domain.timeline import END, Moment
from palimpsest.domain.version import MemoryType, Version


@dataclass(frozen=True, slots=True)
class Filters:
    """Only what passes every filter that is given; an empty tuple or None filters nothing.

    Attributes:
        statuses: Any of these; by default what is current.
        memory_types, levels: Any of these.
        tags: All of these.
        dated_from, dated_until: Event date, else asserted, within the bounds, both included.
        as_of: What was true then; None: now, or at `believed_at` when that is given.
        believed_at: As it was believed then; None: now.
    """

    statuses: tuple[Status, ...] = (Status.CURRENT,)
    memory_types: tuple[MemoryType, ...] = ()
    levels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    dated_from: datetime | None = None
    dated_until: datetime | None = None
    as_of: datetime | None = None
    believed_at: datetime | None = None

    @property
    def shows_stale(self) -> bool:
        """Older versions may be shown beside, or in place of, the current one."""
        return Status.STALE in self.statuses

    @property
    def is_timed(self) -> bool:
        """It is asked for another time than now."""
        return self.as_of is not None or self.believed_at is not None

    def moment(self, head: Head, now: datetime) -> Moment:
        """What is asked for of that belief. Today's question passes over no version for its writer's fast clock."""
        if not self.is_timed:
            return Moment(max(now, head.recorded_at), END)
        return Moment(self.as_of or self.believed_at or now, self.believed_at or END)

    def require_order(self) -> None:
        """Raise Invalid when the dates end before they begin."""
        begins, ends = self.dated_from, self.dated_until
        if begins is not None and ends is not None and ends < begins:
            raise Invalid("date_to", "date_to lies before date_from")

    def passes(self, head: Head, version: Version) -> bool:
        """The version, under its head, passes every filter."""
        return head.status(version.number) in self.statuses and self.fits(head, version)

    def fits(self, head: Head, version: Version) -> bool:
        """The version passes every filter but that of how it stands now."""
        said = version.statement
        dated = said.event_date or said.asserted_at
        return (
            (not self.memory_types or said.memory_type in self.memory_types)
            and (not self.levels or said.level in self.levels)
            and set(self.tags) <= set(head.annotations.tags)
            and (self.dated_from is None or self.dated_from <= dated)
            and (self.dated_until is None or dated <= self.dated_until)
        )
