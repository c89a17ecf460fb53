"""Parts that make many saves at once cheap, and let them have happened over a long time."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from palimpsest.domain.ids import ulid
from palimpsest.ports.table import (
    Cursor,
    Delete,
    Key,
    Page,
    Put,
    Query,
    Read,
    Units,
    Update,
    WholeTable,
    Write,
    Written,
)

_ACTIONS = 100
"""What one transaction may hold."""


class MergingTable:
    """A table that puts transactions together until one is full; for one thread whose writes never meet.

    A read by key does not see what waits; everything else writes it first, and so does `flush`.
    """

    def __init__(self, table: WholeTable) -> None:
        self._table = table
        self._waiting: list[Write] = []

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        return self._table.get(keys, consistent=consistent)

    def query(self, query: Query) -> Page:
        self.flush()
        return self._table.query(query)

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        self.flush()
        return self._table.scan(after=after, limit=limit)

    def write(self, write: Put | Update | Delete) -> Written:
        self.flush()
        return self._table.write(write)

    def transact(self, writes: Sequence[Write]) -> Units:
        if len(self._waiting) + len(writes) > _ACTIONS:
            self.flush()
        self._waiting += writes
        return Units(write=Decimal(0))

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        self.flush()
        return self._table.write_batch(writes)

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._table.transact(self._waiting)
            self._waiting = []


class SteppingClock:
    """A clock that stands still until it is moved."""

    def __init__(self, begin: datetime, step: timedelta) -> None:
        self._now = begin
        self._step = step

    def now(self) -> datetime:
        return self._now

    def step(self) -> None:
        """Go on by one step."""
        self._now += self._step


class SteppingIds:
    """Ids of that clock's time, in order."""

    def __init__(self, clock: SteppingClock) -> None:
        self._clock = clock
        self._count = 0

    def ulid(self) -> str:
        self._count += 1
        return ulid(int(self._clock.now().timestamp() * 1000), self._count.to_bytes(10, "big"))

    def secret(self, size: int = 32) -> bytes:
        return secrets.token_bytes(size)
