"""Keep the index equal to the table: read the change log, read the heads, make the entries be what the heads say.

A doorbell only tells where to look. Rows are read from a margin before the watermark, and what a row means is decided
by the head, so lost, doubled, late and reordered doorbells cannot change the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import EntriesRefused, IndexUnavailable, NewerItem, TableError, TableThrottled
from palimpsest.domain.ids import RootId
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation, Removal
from palimpsest.ports.table import Key
from palimpsest.stores import changes as changes_of
from palimpsest.stores.changes import Change, ChangeLog
from palimpsest.stores.keys import LogPartition, root_of_row
from palimpsest.stores.tail import Tails
from palimpsest.stores.watermarks import MOST_STUCK, Watermarks
from palimpsest.usecases.candidates import entry_key, parse_entry_key
from palimpsest.usecases.entries import Entries
from palimpsest.usecases.searching import OFF, Opened, Searching

_BATCH = 200
_REMEMBERED = 20_000
_ATTEMPTS = 5
_AHEAD = timedelta(seconds=1)
"""Clocks that are a little apart are no reason to hold a watermark back."""


@dataclass(slots=True)
class IndexChanges:
    """The index's consumer of the change logs, for the generation that answers; one that is built reads them itself."""

    log: ChangeLog
    tails: Tails
    entries: Entries
    searching: Searching
    clock: Clock
    _applied: dict[tuple[str, str], None] = field(default_factory=dict, init=False)
    _locks: dict[str, Lock] = field(default_factory=dict, init=False)

    def __call__(self, rows: Sequence[Key]) -> list[Key]:
        """Index what these rows of change logs announce, and all else that waits in their logs.

        Returns:
            The rows whose log could not be handled; they have to be announced again.
        """
        failed: list[Key] = []
        for pk in dict.fromkeys(row.pk for row in rows):
            own = [row for row in rows if row.pk == pk]
            try:
                self.catch_up(LogPartition.of(pk), own)
            except IndexUnavailable as error:
                if error.reason != OFF:
                    failed += own
            except (NewerItem, TableError):
                failed += own
        return failed

    def catch_up(self, partition: LogPartition, announced: Sequence[Key] = ()) -> None:
        """Bring the generation that answers up to the end of one log; IndexUnavailable when it could not be."""
        generation = self.searching.state().active
        if generation is not None and not self.searching.indexes.is_off:
            self.bring_up(generation, partition, announced)

    def recheck(self, partition: LogPartition, back: timedelta) -> None:
        """Index the rows of the last `back` before the watermark again.

        After a loss of power the index's file may lack what it had acknowledged in the last seconds; the table's never.
        """
        generation = self.searching.state().active
        if generation is not None:
            self._applied.clear()
            self.bring_up(generation, partition, back=back)

    def bring_up(
        self,
        generation: Generation,
        partition: LogPartition,
        announced: Sequence[Key] = (),
        *,
        back: timedelta = timedelta(0),
        seconds_left: SecondsLeft = lambda: math.inf,
    ) -> bool:
        """Bring one generation up to the end of one log; False when the time was up before.

        One thread at a time: a head that was read first must not be put in last.

        Args:
            generation: Which.
            partition: The log.
            announced: Rows that are read whatever their place, since a writer's clock may be far behind.
            back: How much before the watermark to begin.
            seconds_left: Looked at after each page of rows.
        """
        with self._locks.setdefault(partition.pk, Lock()):
            opened = self.searching.open(generation)
            reached = _Reached(self.searching.watermarks(generation), partition, self.clock)
            changes = self.log.rows(list(announced))
            begun, since = reached.seen.newest, self.tails.begin(reached.seen.newest, back)
            while True:
                page = self.log.oldest_first(partition, since, limit=_BATCH)
                applied, refused = self._apply(opened, partition, [*changes, *page.changes])
                reached.note(applied, page.changes[-1].place if page.changes else "", refused)
                self._remember(generation, applied)
                if page.is_last:
                    return True
                since = page.next_place
                changes = []
                is_further = bool(page.changes) and page.changes[-1].place > begun  # else the next would read the same
                if is_further and seconds_left() <= 0:
                    return False

    def _apply(
        self, opened: Opened, partition: LogPartition, changes: Iterable[Change]
    ) -> tuple[list[Change], set[RootId]]:
        """Make the entries be what the heads say.

        Returns:
            The changes that this process had not applied before, and the beliefs of which the index refuses an entry.
        """
        fresh = {c.place: c for c in changes if (opened.generation.id, c.place) not in self._applied}
        if not fresh:
            return [], set()
        touched: dict[RootId, set[int]] = {}
        for change in fresh.values():
            own = range(1, change.number + 1) if change.touches_all else {change.number, change.number - 1} - {0}
            touched.setdefault(change.root, set()).update(own)
        heads = self.entries.beliefs.heads(list(touched), only_readable=True)
        gone = [head for head in heads.values() if head.state is not State.LIVE]
        live = [(head, sorted(touched[root])) for root, head in heads.items() if head.state is State.LIVE]
        refused: set[RootId] = set()
        try:
            opened.index.remove(partition.space, [removal for head in gone for removal in _removals(head)])
        except EntriesRefused as error:
            refused |= {parse_entry_key(key)[0] for key in error.keys}
        try:
            opened.index.upsert(self.entries.of(live, opened.generation.model))
        except EntriesRefused as error:
            refused |= {parse_entry_key(key)[0] for key in error.keys}
        return list(fresh.values()), refused

    def _remember(self, generation: Generation, changes: Iterable[Change]) -> None:
        self._applied |= dict.fromkeys((generation.id, change.place) for change in changes)
        for key in list(self._applied)[: max(0, len(self._applied) - _REMEMBERED)]:
            self._applied.pop(key, None)


class _Reached:
    """Keeps a watermark as a log is read: how far, and which rows the index refuses for good."""

    def __init__(self, watermarks: Watermarks, partition: LogPartition, clock: Clock) -> None:
        self.seen = watermarks.read(partition)
        self._watermarks = watermarks
        self._partition = partition
        self._clock = clock

    def note(self, changes: Sequence[Change], place: str, refused: set[RootId]) -> None:
        """These changes are in, but those of the refused; `place`: of the last row in the order of the log, if any.

        The watermark never passes the present: after a row of a writer whose clock is fast, the rows of the others
        would count as long indexed, and neither recall nor this consumer would look at them.

        Raises:
            IndexUnavailable: More is refused than can be kept aside.
            TableThrottled: Others moved the watermark each time, so that what is refused could not be kept aside.
        """
        for _ in range(_ATTEMPTS):
            now = self._clock.now()
            newest = min(place, changes_of.place_at(now + _AHEAD))
            stuck = _stuck(self.seen.stuck, changes, refused)
            if newest <= self.seen.newest and stuck == self.seen.stuck:
                return
            is_kept = self._watermarks.advance(
                self._partition, self.seen, newest or self.seen.newest or stuck[-1], now, stuck
            )
            self.seen = self._watermarks.read(self._partition)
            if is_kept or not refused:
                return
        raise TableThrottled


def _stuck(stuck: tuple[str, ...], changes: Sequence[Change], refused: set[RootId]) -> tuple[str, ...]:
    """The stuck rows after these changes: for each refused belief its newest, none of those that went in now."""
    touched = {change.root for change in changes}
    newest = {
        change.root: change.place for change in sorted(changes, key=lambda c: c.revision) if change.root in refused
    }
    together = tuple(sorted([*(place for place in stuck if root_of_row(place) not in touched), *newest.values()]))
    if len(together) > MOST_STUCK:
        raise IndexUnavailable(
            "index_refuses", f"the index refuses the entries of more than {MOST_STUCK} rows of one log"
        )
    return together


def _removals(head: Head) -> list[Removal]:
    return [Removal(entry_key(head.root, number), head.revision) for number in range(1, head.count + 1)]
