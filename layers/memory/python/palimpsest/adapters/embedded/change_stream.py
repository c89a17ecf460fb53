"""A record of which keys changed, in the order of the commits: what DynamoDB's stream is in the cloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Condition
from typing import Final

from palimpsest.adapters.embedded.commits import GroupCommit, ItemChange, Transaction
from palimpsest.adapters.embedded.database import Database
from palimpsest.ports.table import Key

_APPEND: Final = "INSERT INTO stream (pk, sk, event) VALUES (?, ?, ?)"
_LAST: Final = "SELECT seq FROM sqlite_sequence WHERE name = 'stream'"
_READ: Final = """
    SELECT seq, pk, sk, event FROM stream
    WHERE seq > (SELECT seq FROM stream_readers WHERE reader = ?) ORDER BY seq LIMIT ?
"""
_REGISTER: Final = "INSERT INTO stream_readers (reader, seq) VALUES (?, 0) ON CONFLICT DO NOTHING"
_POSITION: Final = "SELECT seq FROM stream_readers WHERE reader = ?"
_ACKNOWLEDGE: Final = "UPDATE stream_readers SET seq = max(seq, ?) WHERE reader = ?"
_TRIM: Final = "DELETE FROM stream WHERE seq <= (SELECT min(seq) FROM stream_readers)"


class StreamEvent(StrEnum):
    """What happened to the item."""

    INSERT = "INSERT"
    MODIFY = "MODIFY"
    REMOVE = "REMOVE"


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """That an item changed, not how: who wants to know reads it.

    Attributes:
        position: Rises with each record; never given twice.
    """

    position: int
    key: Key
    event: StreamEvent


class ChangeStream:
    """The records of all changes to items whose partition key begins with one of the prefixes."""

    def __init__(self, database: Database, commits: GroupCommit, prefixes: tuple[str, ...]) -> None:
        self._database = database
        self._commits = commits
        self._prefixes = prefixes
        self._grown = Condition()
        with database.reading() as connection:
            row = connection.execute(_LAST).fetchone()
        self.last: int = row[0] if row else 0

    def append(self, transaction: Transaction, change: ItemChange) -> None:
        """Record the change in the transaction that makes it; a write that changed nothing leaves no record."""
        if not change.key.pk.startswith(self._prefixes) or change.before == change.after:
            return
        row = transaction.connection.execute(_APPEND, (*change.key, _event(change)))
        transaction.last_record = row.lastrowid

    def publish(self, transactions: Sequence[Transaction]) -> None:
        """Wake who waits, when one of the transactions that were committed left a record."""
        last = max((transaction.last_record or 0 for transaction in transactions), default=0)
        with self._grown:
            if last > self.last:
                self.last = last
                self._grown.notify_all()

    def wait(self, after: int, timeout_seconds: float) -> bool:
        """Whether this process committed a record past the position; waits until it did."""
        with self._grown:
            return self._grown.wait_for(lambda: self.last > after, timeout_seconds)

    def reader(self, name: str) -> StreamReader:
        """The reader of that name, which goes on where it was; a new one begins with the oldest record there is."""
        self._commits.run(lambda transaction: transaction.connection.execute(_REGISTER, (name,)).rowcount)
        return StreamReader(self, name)

    def read(self, reader: str, limit: int) -> list[StreamRecord]:
        """The oldest records that the reader did not acknowledge."""
        with self._database.reading() as connection:
            rows = connection.execute(_READ, (reader, limit)).fetchall()
        return [StreamRecord(seq, Key(pk, sk), StreamEvent(event)) for seq, pk, sk, event in rows]

    def position(self, reader: str) -> int:
        """What the reader acknowledged last; 0 when nothing."""
        with self._database.reading() as connection:
            return int(connection.execute(_POSITION, (reader,)).fetchone()[0])

    def acknowledge(self, reader: str, position: int) -> None:
        """Keep how far the reader came, and drop the records that every reader is done with."""

        def work(transaction: Transaction) -> None:
            transaction.connection.execute(_ACKNOWLEDGE, (position, reader))
            transaction.connection.execute(_TRIM)

        self._commits.run(work)


class StreamReader:
    """One reader's place in the stream. It is kept in the file, so a restart goes on where the last one stopped."""

    def __init__(self, stream: ChangeStream, name: str) -> None:
        self._stream = stream
        self._name = name
        self._seen = 0

    @property
    def position(self) -> int:
        """What was acknowledged last; 0 when nothing."""
        return self._stream.position(self._name)

    def read_stream(self, limit: int) -> list[StreamRecord]:
        """The oldest records that were not acknowledged."""
        known = self._stream.last
        records = self._stream.read(self._name, limit)
        self._seen = records[-1].position if records else known
        return records

    def acknowledge(self, position: int) -> None:
        """Records up to and with this position are done with; it never goes back."""
        self._stream.acknowledge(self._name, position)

    def wait_for_stream(self, timeout_seconds: float) -> bool:
        """Whether there is more than the last read gave; waits for a commit of this process until there is.

        A commit of another process wakes nobody: whoever shares the file reads again when the time is up.
        """
        return self._stream.wait(self._seen, timeout_seconds)


def _event(change: ItemChange) -> StreamEvent:
    if change.before is None:
        return StreamEvent.INSERT
    return StreamEvent.REMOVE if change.after is None else StreamEvent.MODIFY
