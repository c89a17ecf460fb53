"""The tail: what was written and may not show in the index yet. Recall scores it, lists are united with it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId
from palimpsest.ports.table import Key
from palimpsest.stores import changes
from palimpsest.stores.changes import Change, ChangeLog
from palimpsest.stores.spaces import Space
from palimpsest.stores.watermarks import Watermark, Watermarks

MAX_BYTES = 262_144
MAX_BYTES_ALONE = 524_288
"""What is read when there is no index beside it."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How late things may come.

    Attributes:
        refresh: From the index's acknowledgement until a search sees the entry.
        skew: How much earlier than its commit a row's place may lie: clocks of writers, and a write's own time.
        settle: After which everything shows that was under way, or not shown by an index: an erasure looks again.
    """

    refresh: timedelta
    skew: timedelta
    settle: timedelta = timedelta(0)


ONE_MACHINE = Timing(refresh=timedelta(0), skew=timedelta(seconds=10))
"""One clock; a write waits at most for the busy timeout of 3 s and the commits before it."""

MANY_MACHINES = Timing(refresh=timedelta(seconds=60), skew=timedelta(seconds=30), settle=timedelta(seconds=60))
"""Clocks of Lambda hosts, and the slowest refresh of an index."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The newest change of each belief that was touched since the index's watermark.

    Attributes:
        is_truncated: Rows that the index may lack were left unread, because there are too many.
        unreadable: How many rows no codec can read.
        lag: How old the oldest row is that the index may lack.
        older: Of those beliefs one change for each further version, and for the one that was hidden since.
    """

    newest: dict[RootId, Change]
    is_truncated: bool
    lag: timedelta
    unreadable: int = 0
    older: tuple[Change, ...] = ()

    @property
    def changes(self) -> Collection[Change]:
        """Of each version in the tail one."""
        return (*self.newest.values(), *self.older)

    def passing(self, filters: Filters) -> list[Change]:
        """Those whose version passes the filters, as far as rows tell; how it stands today is not in them."""
        if not filters.narrow:
            return list(self.changes)
        return [change for change in self.changes if self._passes(change, filters)]

    def _passes(self, change: Change, filters: Filters) -> bool:
        traits, tags = change.traits, self.newest[change.root].tags
        return traits is None or filters.take(replace(traits, labels=traits.labels | tags))


@dataclass(frozen=True, slots=True)
class Tails:
    """Reads tails. `timing` is the index's."""

    log: ChangeLog
    timing: Timing

    def read(self, space: Space, watermarks: Watermarks | None, now: datetime) -> Tail:
        """The tail of a space; without watermarks (no index at all) everything that fits."""
        most = MAX_BYTES if watermarks else MAX_BYTES_ALONE
        newest: dict[RootId, Change] = {}
        versions: dict[tuple[RootId, int], Change] = {}
        is_truncated = False
        unreadable = 0
        oldest = now
        for partition in space.log_partitions():
            seen = watermarks.read(partition) if watermarks else Watermark()
            place = seen.settled(now, self.timing.refresh)
            page = self.log.newest_first(partition, self.begin(place), max_bytes=most // space.read_shards)
            stuck = [Key(partition.pk, stuck) for stuck in seen.stuck]
            for change in [*page.changes, *(self.log.rows(stuck, with_features=True) if stuck else ())]:
                known = newest.get(change.root)
                if known is None or known.revision < change.revision:
                    newest[change.root] = change
                if change.features is not None:
                    versions.setdefault((change.root, change.number), change)
            unreadable += page.unreadable
            waiting = [change.place for change in page.changes if change.place > place]
            is_cut = not page.is_last and len(waiting) == len(page.changes)
            is_truncated |= is_cut
            if is_cut:  # the oldest is among those that were not read
                waiting += [change.place for change in self.log.oldest_first(partition, place + "\0", limit=1).changes]
            if waiting:
                oldest = min(oldest, changes.place_time(waiting[-1]))
        older = tuple(each for each in versions.values() if not _says_as_much(newest[each.root], each))
        return Tail(newest, is_truncated, now - oldest, unreadable, older)

    def begin(self, place: str, back: timedelta = timedelta(0)) -> str:
        """From where to read on after `place`, so that rows with late commits are seen; empty text: from the start.

        `back`: how much earlier still.
        """
        return changes.place_at(changes.place_time(place) - self.timing.skew - back) if place else ""


def _says_as_much(newest: Change, change: Change) -> bool:
    """The newest change of a belief tells of the same version."""
    return newest.features is not None and newest.number == change.number
