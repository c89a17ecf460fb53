"""A table under a process that dies: at a chosen operation it is gone, before the operation or just after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

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

T = TypeVar("T")


class Crashed(BaseException):
    """The process died here. No handler of errors may catch it, as none could catch a kill."""


class CrashingTable:
    """Hands everything on, until the operation that `crash_at` names."""

    def __init__(self, table: WholeTable) -> None:
        self._table = table
        self._left: int | None = None
        self._is_after = False

    def crash_at(self, operation: int, *, is_after: bool) -> None:
        """Die at that operation from now, counted from 0; with `is_after` it is done, but nobody learns it."""
        self._left = operation
        self._is_after = is_after

    def live_on(self) -> None:
        """No crash any more: the next process has started."""
        self._left = None

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        return self._pass(lambda: self._table.get(keys, consistent=consistent))

    def query(self, query: Query) -> Page:
        return self._pass(lambda: self._table.query(query))

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        return self._pass(lambda: self._table.scan(after=after, limit=limit))

    def write(self, write: Put | Update | Delete) -> Written:
        return self._pass(lambda: self._table.write(write))

    def transact(self, writes: Sequence[Write]) -> Units:
        return self._pass(lambda: self._table.transact(writes))

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        return self._pass(lambda: self._table.write_batch(writes))

    def _pass(self, operation: Callable[[], T]) -> T:
        if self._left is None:
            return operation()
        if self._left == 0 and not self._is_after:
            raise Crashed
        result = operation()
        if self._left == 0:
            raise Crashed
        self._left -= 1
        return result
