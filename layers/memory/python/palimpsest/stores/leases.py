"""Leases of background work: who was asked for what, and who does it now. One item for each piece of work that is due.

All lie in one partition, since there are few of them at any time.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Delete, Equals, Exists, Key, Missing, Put, Query, Remove, Set, Table, Update
from palimpsest.ports.work_queue import Work
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

_PATIENCE = timedelta(minutes=15)
_LONGEST = timedelta(days=1)
_KEPT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Lease:
    """One piece of work. Each change of it adds one to `fence`.

    Attributes:
        held_until: While a worker does it; whoever holds it ends before.
        due: When a plan may ask for it again, if nobody does it.
        asks: How often it was asked for since a slice of it came to its end.
    """

    work: Work
    fence: int = 0
    held_until: datetime | None = None
    due: datetime | None = None
    asks: int = 0

    def is_held(self, now: datetime) -> bool:
        """Somebody does it."""
        return self.held_until is not None and now < self.held_until

    def is_asked(self, now: datetime) -> bool:
        """Somebody does it, or was asked for it lately."""
        return self.is_held(now) or (self.due is not None and now < self.due)


@dataclass(frozen=True, slots=True)
class Leases:
    """Reads and moves leases; a move is conditional on what its maker read, so of two that move one one fails."""

    table: Table

    def read(self, work: Work) -> Lease:
        """The lease of that work; a new one when nobody was asked for it."""
        key = keys.lease(work.job, work.subject)
        stored = self.table.get([key]).items.get(key)
        return Lease(work) if stored is None else _read(work, Reader(stored))

    def ask(self, work: Work, now: datetime, after: timedelta = timedelta(0)) -> Lease | None:
        """Note that it is asked for; None when somebody does it or was asked, less than a patience ago.

        Patience is a quarter of an hour, and doubles with each time that it is asked for in vain, to a day at most.
        """
        seen = self.read(work)
        if seen.is_asked(now):
            return None
        return self._move(replace(seen, due=now + after + patience(seen.asks), asks=seen.asks + 1), now)

    def withdraw(self, lease: Lease, now: datetime) -> None:
        """It could not be asked for after all."""
        self._move(replace(lease, due=now, asks=lease.asks - 1), now)

    def take(self, work: Work, now: datetime, until: datetime) -> Lease | None:
        """Hold it until then; None while somebody else does."""
        seen = self.read(work)
        return None if seen.is_held(now) else self._move(replace(seen, held_until=until), now)

    def pass_on(self, lease: Lease, now: datetime) -> bool:
        """A slice is done and the next one is asked for; False when somebody else holds it by now."""
        return self._move(replace(lease, held_until=None, due=now + patience(0), asks=1), now) is not None

    def give_back(self, lease: Lease, now: datetime) -> None:
        """The slice failed: its message comes again."""
        self._move(replace(lease, held_until=None, due=now + patience(lease.asks)), now)

    def end(self, lease: Lease, now: datetime, rest: timedelta) -> None:
        """All of it is done; `rest`: how long nobody asks for it again."""
        if rest:
            self._move(Lease(lease.work, lease.fence, due=now + rest), now, is_over=True)
            return
        with suppress(ConditionFailed):
            self.table.write(Delete(keys.lease(lease.work.job, lease.work.subject), _is(lease)))

    def forget(self, work: Work) -> None:
        """As if nobody had ever been asked for it."""
        self.table.write(Delete(keys.lease(work.job, work.subject)))

    def forget_all(self) -> None:
        """For the start of a machine whose queue is empty and whose workers are gone."""
        page = self.table.query(Query(keys.LEASES, consistent=True))
        self.table.write_batch([Delete(Key(keys.LEASES, str(stored["sk"]))) for stored in page.items])

    def cursor(self, work: Work) -> str:
        """Where the next slice of it goes on; empty at its beginning. For work that keeps no progress of its own."""
        key = keys.lease(work.job, work.subject)
        stored = self.table.get([key]).items.get(key)
        return "" if stored is None else Reader(stored).optional("cursor", Reader(stored).text) or ""

    def keep_cursor(self, work: Work, cursor: str) -> None:
        """Go on there. Of two that do the same work either may say so."""
        with suppress(ConditionFailed):
            self.table.write(Update(keys.lease(work.job, work.subject), (Set("cursor", cursor),), Exists("pk")))

    def _move(self, lease: Lease, now: datetime, *, is_over: bool = False) -> Lease | None:
        """Keep it; None when somebody else has moved it since it was read."""
        moved = replace(lease, fence=lease.fence + 1)
        stored = item(
            keys.lease(lease.work.job, lease.work.subject),
            fence=moved.fence,
            held_until=moved.held_until,
            due=moved.due,
            asks=moved.asks,
            ttl=instants.epoch_seconds(now + _KEPT),
        )
        write: Put | Update = Put(stored, Missing("pk"))
        if lease.fence:
            gone = [name for name in ("held_until", "due") if name not in stored] + ["cursor"] * is_over
            kept = [Set(name, value) for name, value in stored.items() if name not in {"pk", "sk"}]
            write = Update(Key(str(stored["pk"]), str(stored["sk"])), (*kept, *map(Remove, gone)), _is(lease))
        try:
            self.table.write(write)
        except ConditionFailed:
            return None
        return moved


def _is(lease: Lease) -> Equals:
    return Equals("fence", lease.fence)


def patience(asks: int) -> timedelta:
    """How long whoever was asked may be silent: a quarter of an hour, twice as long each time, a day at the most."""
    return min(_PATIENCE * (1 << min(asks, 10)), _LONGEST)


def _read(work: Work, r: Reader) -> Lease:
    held, due = r.optional("held_until", r.instant), r.optional("due", r.instant)
    return Lease(work, r.integer("fence"), held, due, r.integer("asks"))
