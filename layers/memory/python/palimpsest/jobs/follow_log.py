"""Bring one index generation up to the end of one change log: read rows, read heads, make entries be what heads say.

Rows are read from a margin before the watermark, and what a row means is decided by the head, so lost, doubled, late
and reordered doorbells cannot change the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from threading import Lock
from typing import Final

from palimpsest.domain.analysis import ANALYSIS_VERSION
from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import EntriesRefused, IndexUnavailable
from palimpsest.domain.ids import RootId, SpaceId
from palimpsest.jobs.reached import Reached
from palimpsest.jobs.sweep_notes import SweepNotes
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation, Removal
from palimpsest.ports.table import Key
from palimpsest.stores.changes import Change, ChangeLog
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.tail import Tails
from palimpsest.stores.watermarks import Part
from palimpsest.usecases.candidates import entry_key, parse_entry_key
from palimpsest.usecases.entries import Entries
from palimpsest.usecases.searching import Opened, Searching

_ROWS = 200
_ENTRIES = 200
"""Put in between two looks at the time; the most that a server takes in one request."""
_REMEMBERED = 20_000

HAS_ENTRIES: Final = frozenset({State.LIVE, State.RETIRED})
"""Beliefs in these states have entries: a retired one is found by who asks what was believed."""


@dataclass(slots=True)
class FollowLog:
    """Follows logs. One thread at a time does one log: a head that was read first must not be put in last.

    Rows that are in are remembered, so that a busy space's margin is not put in again at every doorbell; a row counts
    as in only once the watermark that says so is kept, and one that the index refuses never does.
    """

    log: ChangeLog
    tails: Tails
    entries: Entries
    searching: Searching
    notes: SweepNotes
    clock: Clock
    _applied: dict[tuple[str, str], None] = field(default_factory=dict, init=False)
    _locks: dict[str, Lock] = field(default_factory=dict, init=False)

    def __call__(
        self,
        generation: Generation,
        partition: LogPartition,
        announced: Sequence[Key] = (),
        *,
        back: timedelta = timedelta(0),
        seconds_left: SecondsLeft = lambda: math.inf,
    ) -> bool:
        """Bring one generation up to the end of one log; False when the time was up before.

        Args:
            generation: Which.
            partition: The log.
            announced: Rows that are read also when they lie far behind, as a slow clock of their writer puts them.
            back: How much before the watermark to begin.
            seconds_left: Looked at after every 200 entries; a place is kept also within one belief.
        """
        if generation.schema > ANALYSIS_VERSION:
            raise IndexUnavailable("index_newer", "a newer release made the search index, and only that can fill it")
        with self._locks.setdefault(partition.pk, Lock()):
            opened = self.searching.open(generation)
            self.notes.before(opened.index, partition.space)
            reached = Reached(self.searching.watermarks(generation), partition, self.clock)
            since, is_last = self.tails.begin(reached.seen.newest, back), False
            behind = [key for key in announced if key.sk < since]
            while not is_last:
                page = self.log.oldest_first(partition, since, limit=_ROWS)
                if not self._take(opened, reached, page.changes, seconds_left):
                    return False
                since, is_last = page.next_place, page.is_last
            return self._take(opened, reached, self.log.rows(behind) if behind else (), seconds_left)

    def forget(self) -> None:
        """Put in again what was put in before: the index may have lost it."""
        self._applied.clear()

    def _take(self, opened: Opened, reached: Reached, rows: Sequence[Change], seconds_left: SecondsLeft) -> bool:
        """Put these rows in; False when the time was up before."""
        for group in _groups(rows):
            fresh = [row for row in group if (opened.generation.id, row.place) not in self._applied]
            refused: set[RootId] | None = set()
            if fresh:
                self.notes.before(opened.index, reached.partition.space)
                refused = self._apply(opened, reached, fresh, seconds_left)
            if refused is None:
                return False
            reached.note(fresh, group[-1].place, refused)
            self._remember(opened.generation, [row for row in fresh if row.root not in refused])
            is_further = group[-1].place > reached.begun  # else the next one would begin at the same place
            if fresh and is_further and seconds_left() <= 0 and group[-1] is not rows[-1]:
                return False
        return True

    def _apply(
        self, opened: Opened, reached: Reached, rows: Sequence[Change], seconds_left: SecondsLeft
    ) -> set[RootId] | None:
        """Make the entries be what the heads say: the refused beliefs, or None when the time was up before the end.

        Version rows touch their version and the one before; the other steps (annotate, forget, restore) touch all.
        """
        touched: dict[RootId, set[int]] = {}
        for row in rows:
            own = range(1, row.number + 1) if row.touches_all else {row.number, row.number - 1} - {0}
            touched.setdefault(row.root, set()).update(own)
        heads = self.entries.beliefs.heads(list(touched), only_readable=True)
        space = reached.partition.space
        gone = [head for head in heads.values() if head.state not in HAS_ENTRIES]
        live = {root: head for root, head in heads.items() if head.state in HAS_ENTRIES}
        wanted = [(head, n) for root, head in live.items() for n in sorted(touched[root]) if not reached.has(head, n)]
        refused = reached.refused_before(live.values()) | self._take_out(opened, space, gone)
        for start in range(0, len(wanted), _ENTRIES):
            some = wanted[start : start + _ENTRIES]
            refused |= self._put_in(opened, some)
            if start + _ENTRIES < len(wanted) and seconds_left() <= 0:
                head, number = some[-1]
                reached.pause(rows, Part(head.root, head.revision, number), refused)
                return None
        return refused

    def _take_out(self, opened: Opened, space: SpaceId, gone: Sequence[Head]) -> set[RootId]:
        """The beliefs of which the index keeps an entry that it should not."""
        if not gone:
            return set()
        try:
            opened.index.remove(space, [removal for head in gone for removal in _removals(head)])
            self.notes.after(opened.index)
        except EntriesRefused as error:
            return {parse_entry_key(key)[0] for key in error.keys}
        return set()

    def _put_in(self, opened: Opened, wanted: Sequence[tuple[Head, int]]) -> set[RootId]:
        """The beliefs of which the index refuses an entry for good."""
        try:
            opened.index.upsert(self.entries.of([(head, [n]) for head, n in wanted], opened.generation.model))
            self.notes.after(opened.index)
        except EntriesRefused as error:
            return {parse_entry_key(key)[0] for key in error.keys}
        return set()

    def _remember(self, generation: Generation, rows: Sequence[Change]) -> None:
        self._applied |= dict.fromkeys((generation.id, row.place) for row in rows)
        for key in list(islice(self._applied, max(0, len(self._applied) - _REMEMBERED))):
            self._applied.pop(key, None)


def _groups(rows: Sequence[Change]) -> Iterator[list[Change]]:
    """The rows in their order, so many together as touch at most 200 entries, or one that touches more."""
    group: list[Change] = []
    entries = 0
    for row in rows:
        own = row.number if row.touches_all else 2
        if group and entries + own > _ENTRIES:
            yield group
            group, entries = [], 0
        group.append(row)
        entries += own
    if group:
        yield group


def _removals(head: Head) -> list[Removal]:
    return [Removal(entry_key(head.root, number), head.revision) for number in range(1, head.count + 1)]
