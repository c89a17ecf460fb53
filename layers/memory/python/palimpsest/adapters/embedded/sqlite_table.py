"""The table on one machine: one SQLite file that speaks DynamoDB's language, with all of its limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Self

from palimpsest.adapters.embedded import pages, rows
from palimpsest.adapters.embedded.change_stream import ChangeStream, StreamReader
from palimpsest.adapters.embedded.checkpoints import Checkpointer, Copied
from palimpsest.adapters.embedded.commits import GroupCommit, ItemChange, Transaction
from palimpsest.adapters.embedded.database import MEMORY, Database
from palimpsest.adapters.embedded.precedence import Precedence
from palimpsest.adapters.embedded.units import read_units_of_each
from palimpsest.adapters.embedded.writes import Writer
from palimpsest.adapters.table_rules.queries import check_scan, checked_range
from palimpsest.adapters.table_rules.requests import (
    canonical_batch,
    canonical_transaction,
    canonical_write,
    check_key,
)
from palimpsest.ports.table import Cursor, Delete, Key, Page, Put, Query, Read, Units, Update, Write, Written

_BATCH: Final = 25
_EXPIRE_AT_ONCE: Final = 100

Observer = Callable[[Sequence[ItemChange]], None]
"""Told of the changes of each commit, in their order, before the writers are."""


class SqliteTable:
    """The `Table` port over one file that several threads and processes may use at once.

    What a call of a write returned for is on the disk: it outlives a kill and a loss of power. Writers that come at the
    same time share one wait for the disk. Items whose time to live is over stay until `expire`.

    Args:
        path: The file, made when there is none, in a folder that there is; or ``:memory:``.
        busy_timeout_seconds: How long to wait for another process before the table counts as unavailable.
        streamed_prefixes: Changes of items whose partition key begins so leave records in the stream.
        observer: For tests and measurements.

    Attributes:
        precedence: Who goes first among the threads that use the table.

    Raises:
        TableUnavailable: The file can't be made, opened or read; the message says what to do.
    """

    def __init__(
        self,
        path: str | Path = MEMORY,
        *,
        busy_timeout_seconds: float = 3.0,
        streamed_prefixes: tuple[str, ...] = ("T#", "TC#"),
        observer: Observer | None = None,
    ) -> None:
        self.precedence = Precedence()
        self._database = Database(path, busy_timeout_seconds)
        self._commits = GroupCommit(self._database, self._committed)
        self._stream = ChangeStream(self._database, self._commits, streamed_prefixes)
        self._checkpoints = Checkpointer(self._database)
        self._writer = Writer(self._stream)
        self._observer = observer

    # --- the port ---

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        """Items by key, any number of keys."""
        self.precedence.give_way()
        wanted = dict.fromkeys(keys)
        for key in wanted:
            check_key(key)
        with self._database.reading() as connection:
            found = rows.find_all(connection, wanted)
        sizes = [found[key].size if key in found else 0 for key in wanted]
        items = {key: found[key].item for key in wanted if key in found}
        return Read(items, Units(read=read_units_of_each(sizes, consistent=consistent)))

    def query(self, query: Query) -> Page:
        """One page of a range; it ends at the limit or at 1 MB."""
        self.precedence.give_way()
        span = checked_range(query)
        if span.is_empty:
            return Page((), None, Units())
        with self._database.reading() as connection, closing(rows.scan(connection, query, span)) as entries:
            return pages.read_page(entries, query)

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        """One page of all items, by their keys."""
        check_scan(after, limit)
        with self._database.reading() as connection, closing(rows.scan_all(connection, after)) as entries:
            return pages.cut(entries, None, limit, consistent=False)

    def write(self, write: Put | Update | Delete) -> Written:
        """One write, on the disk when this returns."""
        self.precedence.give_way()
        canonical = canonical_write(write)
        return self._commits.run(lambda transaction: self._writer.write(transaction, canonical))

    def transact(self, writes: Sequence[Write]) -> Units:
        """All writes or none, on the disk when this returns."""
        self.precedence.give_way()
        canonical = canonical_transaction(writes)
        return self._commits.run(lambda transaction: self._writer.transact(transaction, canonical))

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        """All writes, some at a time."""
        self.precedence.give_way()
        canonical = canonical_batch(writes)
        units = Units()
        for start in range(0, len(canonical), _BATCH):
            units = _sum(units, self._commits.run(self._batch(canonical[start : start + _BATCH])))
        return units

    # --- what a table on one machine has beyond the port ---

    def expire(self, now: int) -> int:
        """Take away the items whose ``ttl`` is before now, in epoch seconds; returns how many."""
        expired = 0
        while True:
            count = self._commits.run(lambda transaction: self._writer.expire(transaction, now, _EXPIRE_AT_ONCE))
            expired += count
            if count < _EXPIRE_AT_ONCE:
                return expired

    def checkpoint(self) -> Copied:
        """Copy the log into the file now; it also happens by itself after each 512 writes."""
        return self._checkpoints.checkpoint()

    def wipe(self) -> bool:
        """Let neither the file nor its log hold what was deleted; False when that has to be tried again."""
        return self._checkpoints.wipe()

    def stream_reader(self, name: str = "pump") -> StreamReader:
        """A place in the stream of changes; readers of different names go on independently.

        A record is kept until each reader that was ever named has acknowledged it.
        """
        return self._stream.reader(name)

    def close(self) -> None:
        """Give the file back. Not while other threads use the table."""
        self._checkpoints.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _batch(self, writes: Sequence[Put | Delete]) -> Callable[[Transaction], Units]:
        def work(transaction: Transaction) -> Units:
            units = Units()
            for write in writes:
                units = _sum(units, self._writer.write(transaction, write).units)
            return units

        return work

    def _committed(self, transactions: Sequence[Transaction]) -> None:
        changes = [change for transaction in transactions for change in transaction.changes]
        self._checkpoints.count(len(changes))
        if self._observer is not None:
            self._observer(changes)
        self._stream.publish(transactions)


def _sum(one: Units, other: Units) -> Units:
    return Units(one.read + other.read, one.write + other.write)
