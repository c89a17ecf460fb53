"""A table that counts the units its calls consume."""

from __future__ import annotations

from collections.abc import Sequence

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


class MeteredTable:
    """Hands everything on and adds up what it costs."""

    def __init__(self, table: WholeTable) -> None:
        self._table = table
        self.spent = Units()
        self.calls = 0

    def begin(self) -> None:
        """Count from zero."""
        self.spent = Units()
        self.calls = 0

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        read = self._table.get(keys, consistent=consistent)
        self._add(read.units)
        return read

    def query(self, query: Query) -> Page:
        page = self._table.query(query)
        self._add(page.units)
        return page

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        page = self._table.scan(after=after, limit=limit)
        self._add(page.units)
        return page

    def write(self, write: Put | Update | Delete) -> Written:
        written = self._table.write(write)
        self._add(written.units)
        return written

    def transact(self, writes: Sequence[Write]) -> Units:
        units = self._table.transact(writes)
        self._add(units)
        return units

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        units = self._table.write_batch(writes)
        self._add(units)
        return units

    def _add(self, units: Units) -> None:
        self.spent = Units(self.spent.read + units.read, self.spent.write + units.write)
        self.calls += 1
