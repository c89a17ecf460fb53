"""Keep the index equal to the table: read the change log, read the heads, make the entries be what the heads say.

A doorbell only tells where to look. Rows are read from a margin before the watermark, and what a row means is decided
by the head, so lost, doubled, late and reordered doorbells cannot change the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import RootId
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation, Removal
from palimpsest.ports.table import Key
from palimpsest.stores.changes import Change, ChangeLog
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.tail import Tails
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.entries import Entries
from palimpsest.usecases.searching import Opened, Searching

_BATCH = 200
_REMEMBERED = 20_000


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
            except IndexUnavailable:
                failed += own
        return failed

    def catch_up(self, partition: LogPartition, announced: Sequence[Key] = ()) -> None:
        """Bring the generation that answers up to the end of one log; IndexUnavailable when it could not be."""
        generation = self.searching.state().active
        if generation is not None:
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
    ) -> None:
        """Bring one generation up to the end of one log; `back`: how much before the watermark to begin.

        One thread at a time: a head that was read first must not be put in last.
        """
        with self._locks.setdefault(partition.pk, Lock()):
            self._read_up(generation, partition, announced, back)

    def _read_up(
        self, generation: Generation, partition: LogPartition, announced: Sequence[Key], back: timedelta
    ) -> None:
        opened = self.searching.open(generation)
        watermarks = self.searching.watermarks(generation)
        seen = watermarks.read(partition)
        changes = self.log.rows(list(announced))
        since = self.tails.begin(seen.newest, back)
        while True:
            page = self.log.oldest_first(partition, since, limit=_BATCH)
            self._apply(opened, partition, [*changes, *page.changes])
            if page.changes:
                since = page.changes[-1].place + "\0"
                watermarks.advance(partition, seen, page.changes[-1].place, self.clock.now())
                seen = watermarks.read(partition)
            if page.is_last:
                return
            changes = []

    def _apply(self, opened: Opened, partition: LogPartition, changes: Iterable[Change]) -> None:
        fresh = {c.place: c for c in changes if (opened.generation.id, c.place) not in self._applied}
        if not fresh:
            return
        touched: dict[RootId, set[int]] = {}
        for change in fresh.values():
            own = range(1, change.number + 1) if change.touches_all else {change.number, change.number - 1} - {0}
            touched.setdefault(change.root, set()).update(own)
        heads = self.entries.beliefs.heads(list(touched))
        gone = [head for head in heads.values() if head.state is not State.LIVE]
        opened.index.remove(partition.space, [removal for head in gone for removal in _removals(head)])
        live = [(head, sorted(touched[root])) for root, head in heads.items() if head.state is State.LIVE]
        opened.index.upsert(self.entries.of(live, opened.generation.model))
        self._remember(opened.generation, fresh)

    def _remember(self, generation: Generation, changes: Iterable[str]) -> None:
        self._applied |= dict.fromkeys((generation.id, place) for place in changes)
        for key in list(self._applied)[: max(0, len(self._applied) - _REMEMBERED)]:
            self._applied.pop(key, None)


def _removals(head: Head) -> list[Removal]:
    return [Removal(entry_key(head.root, number), head.revision) for number in range(1, head.count + 1)]
