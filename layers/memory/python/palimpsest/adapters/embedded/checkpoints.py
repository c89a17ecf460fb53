"""Copies SQLite's log into its file, beside the requests and not within them."""

from __future__ import annotations

import sqlite3
from threading import Event, Lock, Thread
from typing import Final, NamedTuple

from palimpsest.adapters.embedded.database import Database
from palimpsest.adapters.embedded.sqlite_errors import is_busy, translated
from palimpsest.domain.errors import TableUnavailable

_WRITES_BETWEEN: Final = 512
"""About 8 MB of log, at the four pages that a write of 2 KB dirties."""

_LONG_LOG_PAGES: Final = 8_192
"""32 MB. Under a steady load a log is never all copied, so never begun anew; from here on writers wait for that."""

_HOLD_UP_SECONDS: Final = 0.25


class Copied(NamedTuple):
    """What a checkpoint found: pages in the log, and how many of them stand in the file now."""

    log_pages: int
    copied_pages: int


class Checkpointer:
    """Makes a checkpoint after each so many writes, in a thread that begins with the first of them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._wake = Event()
        self._is_closed = False
        self._thread: Thread | None = None
        self._writes = 0

    def count(self, writes: int) -> None:
        """Note writes that were committed. Called by one thread at a time."""
        if self._database.is_in_memory:
            return
        self._writes += writes
        if self._writes < _WRITES_BETWEEN:
            return
        self._writes = 0
        if self._thread is None:
            self._thread = Thread(target=self._run, name="table-checkpoints", daemon=True)
            self._thread.start()
        self._wake.set()

    def checkpoint(self) -> Copied:
        """Copy as much of the log as readers allow; writers go on meanwhile, unless the log is very long.

        Raises:
            TableUnavailable: The disk refused.
        """
        if self._database.is_in_memory:
            return Copied(0, 0)
        with self._lock, translated(self._database.path):
            connection = self._database.open(busy_timeout_seconds=_HOLD_UP_SECONDS)
            try:
                copied = _checkpoint(connection, "PASSIVE")
                return _checkpoint(connection, "RESTART") if copied.log_pages > _LONG_LOG_PAGES else copied
            finally:
                connection.close()

    def wipe(self) -> bool:
        """Copy all of the log and cut it off, since old pages stand in it until then; False while somebody reads.

        Raises:
            TableUnavailable: The disk refused.
        """
        if self._database.is_in_memory:
            return True
        with self._lock, translated(self._database.path):
            connection = self._database.open(busy_timeout_seconds=_HOLD_UP_SECONDS)
            try:
                return _checkpoint(connection, "TRUNCATE") == Copied(0, 0)
            finally:
                connection.close()

    def close(self) -> None:
        """Stop the thread."""
        self._is_closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if self._is_closed:
                return
            try:
                self.checkpoint()
            except TableUnavailable:
                continue  # nothing is lost, the log stays; whoever writes next is told what is wrong


def _checkpoint(connection: sqlite3.Connection, mode: str) -> Copied:
    try:
        _, log_pages, copied_pages = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        return Copied(0, 0)
    return Copied(log_pages, copied_pages)
