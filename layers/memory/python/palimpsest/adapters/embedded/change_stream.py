"""A record of which keys changed, in the order of the commits: what DynamoDB's stream is in the cloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Condition
from typing import Final

from palimpsest.adapters.embedded.commits import GroupCommit, ItemChange, Transaction
from palimpsest.adapters.embedded.database import Database

_APPEND: Final = "INSERT INTO stream (pk, sk, event) VALUES (?, ?, ?)"
_READ: Final = "SELECT seq, pk, sk, event FROM stream WHERE seq > ? ORDER BY seq LIMIT ?"
_TRIM: Final = "DELETE FROM stream WHERE seq <= ?"
_LAST: Final = "SELECT seq FROM sqlite_sequence WHERE name = 'stream'"
_POSITION: Final = "SELECT seq FROM stream_readers WHERE reader = ?"
_ACKNOWLEDGE: Final = """
    INSERT INTO stream_readers (reader, seq) VALUES (?, ?)
    ON CONFLICT (reader) DO UPDATE SET seq = max(seq, excluded.seq)
"""


class StreamEvent(StrEnum):
    """What happened to the item."""

    INSERT = "INSERT"
    MODIFY = "MODIFY"
    REMOVE = "REMOVE"


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """That an item changed, not how: who wants to know reads it.

    Attributes:
        seq: Its position; rises with each record, also after a trim.
    """

    seq: int
    pk: str
    sk: str
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
        self._last: int = row[0] if row else 0

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
            if last > self._last:
                self._last = last
                self._grown.notify_all()

    def wait(self, after: int, timeout_seconds: float) -> bool:
        """Whether there are records past the position, as far as this process knows; waits until there are."""
        with self._grown:
            return self._grown.wait_for(lambda: self._last > after, timeout_seconds)

    def read(self, after: int, limit: int) -> list[StreamRecord]:
        """At most so many records past the position, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(_READ, (after, limit)).fetchall()
        return [StreamRecord(seq, pk, sk, StreamEvent(event)) for seq, pk, sk, event in rows]

    def trim(self, up_to: int) -> None:
        """Drop the records up to and with the position."""
        self._commits.run(lambda transaction: transaction.connection.execute(_TRIM, (up_to,)).rowcount)

    def position(self, reader: str) -> int:
        """What the reader acknowledged last; 0 when nothing."""
        with self._database.reading() as connection:
            row = connection.execute(_POSITION, (reader,)).fetchone()
        return int(row[0]) if row else 0

    def acknowledge(self, seq: int, reader: str) -> None:
        """Keep how far the reader came; it never goes back."""
        self._commits.run(lambda transaction: transaction.connection.execute(_ACKNOWLEDGE, (reader, seq)).rowcount)


def _event(change: ItemChange) -> StreamEvent:
    if change.before is None:
        return StreamEvent.INSERT
    return StreamEvent.REMOVE if change.after is None else StreamEvent.MODIFY
