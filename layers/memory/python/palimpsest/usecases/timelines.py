"""Which versions of some beliefs answer, read from the table: as much of each lineage as that takes."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from palimpsest.domain import timeline
from palimpsest.domain.belief import Head
from palimpsest.domain.errors import CorruptItem, VersionMissing
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId
from palimpsest.domain.timeline import BEGINNING, Moment
from palimpsest.domain.version import Version
from palimpsest.stores import keys
from palimpsest.stores.beliefs import Beliefs

Rows: TypeAlias = MutableMapping[tuple[RootId, int], Version]
"""Versions that were read already; what is read more goes in."""

_AT_ONCE: Final = 16
"""Versions of one belief read together; most lineages are shorter."""


@dataclass(frozen=True, slots=True)
class Timelines:
    """Finds what answers. A belief in which only its current version is in question costs no further read."""

    beliefs: Beliefs

    def __call__(self, heads: Iterable[Head], rows: Rows, filters: Filters, now: datetime) -> dict[RootId, Version]:
        """Of each belief the version that answers; of those in which none does, or none can be read, nothing."""
        asked = {
            head.root: (head, moment)
            for head in heads
            for moment in (filters.moment(head, now),)
            if not head.is_expired(now) and timeline.is_believed(head, moment.believed_at)
        }
        wanted = [(root, number) for root, (head, moment) in asked.items() for number in _needed(head, moment)]
        rows.update(self.beliefs.versions([ref for ref in wanted if ref not in rows], only_readable=True))
        found = {}
        for root, (head, moment) in asked.items():
            with suppress(CorruptItem):
                version = self._answer(_Lineage(self.beliefs, head, rows), head, moment)
                if version is not None:
                    found[root] = version
        return found

    def _answer(self, lineage: _Lineage, head: Head, moment: Moment) -> Version | None:
        if timeline.is_current(head, moment):
            current = lineage(head.current)
            return None if timeline.has_ended(current, moment.true_at) else current
        newest = lineage.newest_of(moment.believed_at)
        return timeline.answer(lineage, newest, moment.true_at, last_begin=head.last_begin or BEGINNING)


@dataclass(frozen=True, slots=True)
class _Lineage:
    """The versions of one belief by number, read when they are asked for."""

    beliefs: Beliefs
    head: Head
    rows: Rows

    def __call__(self, number: int) -> Version:
        """That version; CorruptItem when it can't be read, VersionMissing when it is not there."""
        ref = self.head.root, number
        if ref not in self.rows:
            for version in self.beliefs.versions_before(self.head.root, number + 1, limit=_AT_ONCE):
                self.rows[version.root, version.number] = version
        if ref not in self.rows:
            raise VersionMissing(*keys.version(*ref), space=self.head.space, number=number)
        return self.rows[ref]

    def newest_of(self, believed_at: datetime) -> int:
        """The last version that was recorded by then; 0 when none was."""
        if self.head.recorded_at <= believed_at:
            return self.head.current
        low, high = 0, self.head.current - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self(middle).recorded_at <= believed_at else (low, middle - 1)
        return low


def _needed(head: Head, moment: Moment) -> Iterable[int]:
    """The versions that are read at once, since the answer takes them most likely."""
    if timeline.is_current(head, moment):
        return (head.current,)
    return range(max(1, head.count - _AT_ONCE + 1), head.count + 1)
