"""A table that lets somebody else act just before a chosen call: the moment in which races happen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

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
from tests.support.crashing_table import Crashed

Call = Sequence[Key] | Query | Put | Update | Delete | Sequence[Write]


class InterposingTable:
    """Hands everything on; calls `act` once before the first call that `when` picks."""

    def __init__(self, table: WholeTable) -> None:
        self._table = table
        self._when: Callable[[str, Call], bool] | None = None
        self._act: Callable[[], object] = lambda: None

    def interpose(self, when: Callable[[str, Call], bool], act: Callable[[], object]) -> None:
        """Before the next call for which `when` (given the method's name and its argument) holds, do `act`."""
        self._when, self._act = when, act

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        self._pass("get", keys)
        return self._table.get(keys, consistent=consistent)

    def query(self, query: Query) -> Page:
        self._pass("query", query)
        return self._table.query(query)

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        self._pass("scan", ())
        return self._table.scan(after=after, limit=limit)

    def write(self, write: Put | Update | Delete) -> Written:
        self._pass("write", write)
        return self._table.write(write)

    def transact(self, writes: Sequence[Write]) -> Units:
        self._pass("transact", writes)
        return self._table.transact(writes)

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        self._pass("write_batch", writes)
        return self._table.write_batch(writes)

    def _pass(self, name: str, call: Call) -> None:
        when = self._when
        if when is not None and when(name, call):
            self._when = None
            self._act()


def dies(table: InterposingTable, at: int, do: Callable[[], object]) -> bool:
    """Do it, but fail before the write of that number; False when there were not so many."""
    writes = count()

    def is_the_one(name: str, _: Call) -> bool:
        return name in ("write", "transact", "write_batch") and next(writes) == at

    def die() -> None:
        raise Crashed

    table.interpose(is_the_one, die)
    try:
        do()
    except Crashed:
        return True
    table.interpose(lambda name, call: False, lambda: None)
    return False
