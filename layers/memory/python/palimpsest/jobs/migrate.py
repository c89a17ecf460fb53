"""Put stored items into the form that this release writes: a walk through the whole table, slice by slice.

Nothing waits for it, since every older form is read anyway. What is written once (versions, events, vectors, log rows)
is passed over: it is never written again, and keeps its upcasts for ever.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum, auto

from palimpsest.domain.errors import ConditionFailed, CorruptItem
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Cursor, Item, Key, Page, Units, WholeTable
from palimpsest.stores import keys
from palimpsest.stores.kinds import NOW, Kinds
from palimpsest.stores.migrations import Migration, Migrations
from palimpsest.stores.renewals import renewal

_ATTEMPTS = 3


class _Now(Enum):
    """What became of one item."""

    KEPT = auto()
    RENEWED = auto()
    NEWER = auto()
    UNREADABLE = auto()
    BUSY = auto()


@dataclass(frozen=True, slots=True)
class Migrate:
    """Walks. It can be killed anywhere, run twice at once and beside any writer."""

    table: WholeTable
    migrations: Migrations
    clock: Clock
    kinds: Kinds = NOW

    @property
    def target(self) -> str:
        """Which kinds of items get which form; empty when no kind has an older one."""
        kinds = self.kinds.by_name.values()
        return " ".join(f"{k.name}.{k.writes}" for k in kinds if k.writes > 1 and not k.is_written_once)

    def advance(self, limit: int = 200) -> Migration:
        """Go on with the walk by at most `limit` items; how it stands then. Call it until `is_done`.

        A call that dies before its end is done again by the next one, to the same effect.
        """
        walk = self._walk()
        if walk.is_done:
            return walk
        page, unreadable = self._page(walk.after, limit)
        counts = Counter(self._renew(each) for each in page.items)
        busy = walk.busy + counts[_Now.BUSY]
        is_last = page.next_cursor is None
        moved = replace(
            walk,
            after=page.next_cursor,
            is_done=is_last and not busy,
            seen=walk.seen + len(page.items) + unreadable,
            renewed=walk.renewed + counts[_Now.RENEWED],
            newer=walk.newer + counts[_Now.NEWER],
            unreadable=walk.unreadable + counts[_Now.UNREADABLE] + unreadable,
            busy=0 if is_last else busy,
        )
        # Of two processes that did the same part the first one's counts stand.
        return self.migrations.move(moved) or self._walk()

    def slice(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Go on with the walk of this release; True when the time was up before its end."""
        while not self.advance().is_done:
            if seconds_left() <= 0:
                return True
        return False

    def is_due(self) -> bool:
        """There is a walk to be made; costs nothing when no kind of item has an older form."""
        return bool(self.target) and not self._walk().is_done

    def _walk(self) -> Migration:
        if not self.target:
            return Migration("", self.clock.now(), is_done=True)
        return self.migrations.read(self.target) or Migration(self.target, self.clock.now())

    def _page(self, after: Cursor | None, limit: int) -> tuple[Page, int]:
        """The next items, and how many were passed over because the table can't give them."""
        while True:
            try:
                return self.table.scan(after=after, limit=limit), 0
            except CorruptItem as broken:
                if limit == 1:
                    return Page((), Cursor(*broken.key), Units()), 1
                limit //= 2  # go up to it, and past it alone

    def _renew(self, stored: Item) -> _Now:
        key = Key(str(stored["pk"]), str(stored["sk"]))
        for _ in range(_ATTEMPTS):
            form = self._older_form(key, stored)
            if isinstance(form, _Now):
                return form
            try:
                self.table.write(renewal(stored, self.kinds.of(key), form))
            except CorruptItem:
                return _Now.UNREADABLE
            except ConditionFailed:
                now = self.table.get([key]).items.get(key)
                if now is None:
                    return _Now.KEPT
                stored = now
            else:
                return _Now.RENEWED
        return _Now.BUSY

    def _older_form(self, key: Key, stored: Item) -> int | _Now:
        """The form of an item that is to get another one; else what is to be said of it."""
        if keys.kind(key) is None:
            return _Now.NEWER
        kind, form = self.kinds.of(key), stored.get("_v")
        if not isinstance(form, int) or isinstance(form, bool) or form < 1:
            return _Now.UNREADABLE
        if form > kind.reads:
            return _Now.NEWER
        return _Now.KEPT if kind.is_written_once or form >= kind.writes else form
