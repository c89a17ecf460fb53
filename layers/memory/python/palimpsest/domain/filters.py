"""What narrows a recall or a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.belief import Head, Status
from palimpsest.domain.errors import Invalid
from palimpsest.domain.version import MemoryType, Version


@dataclass(frozen=True, slots=True)
class Filters:
    """Only what passes every filter that is given; an empty tuple or None filters nothing.

    Attributes:
        statuses: Any of these; by default what is current.
        memory_types, levels: Any of these.
        tags: All of these.
        dated_from, dated_until: Event date, else asserted, within the bounds, both included.
    """

    statuses: tuple[Status, ...] = (Status.CURRENT,)
    memory_types: tuple[MemoryType, ...] = ()
    levels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    dated_from: datetime | None = None
    dated_until: datetime | None = None

    @property
    def shows_stale(self) -> bool:
        """Older versions may be shown beside, or in place of, the current one."""
        return Status.STALE in self.statuses

    def require_order(self) -> None:
        """Raise Invalid when the dates end before they begin."""
        begins, ends = self.dated_from, self.dated_until
        if begins is not None and ends is not None and ends < begins:
            raise Invalid("date_to", "date_to lies before date_from")

    def passes(self, head: Head, version: Version) -> bool:
        """The version, under its head, passes every filter."""
        said = version.statement
        dated = said.event_date or said.asserted_at
        return (
            head.status(version.number) in self.statuses
            and (not self.memory_types or said.memory_type in self.memory_types)
            and (not self.levels or said.level in self.levels)
            and set(self.tags) <= set(head.annotations.tags)
            and (self.dated_from is None or self.dated_from <= dated)
            and (self.dated_until is None or dated <= self.dated_until)
        )
