"""What narrows a recall or a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.lineage import MemoryType, Status


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
