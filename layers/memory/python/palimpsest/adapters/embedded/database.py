"""The connections of one SQLite file."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import RLock
from typing import Final

from palimpsest.adapters.embedded.schema import ensure_schema
from palimpsest.adapters.embedded.sqlite_errors import is_busy, translated
from palimpsest.domain.errors import TableUnavailable

MEMORY: Final = ":memory:"

_WAL_KEPT_BYTES: Final = 16 * 1024 * 1024
_RETRY_SECONDS: Final = 0.005

_PRAGMAS: Final = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",  # macOS: an fsync alone leaves the data in the drive's cache
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA wal_autocheckpoint = 0",  # a request never pays for copying the log into the file
    f"PRAGMA journal_size_limit = {_WAL_KEPT_BYTES}",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA secure_delete = ON",  # what is erased leaves zeros behind
)


class Database:
    """One file, or one database in memory: a connection that writes, and as many that read as read at once.

    In memory there is one connection for both, because two can't share a memory without locking each other out.

    Args:
        path: A file whose folder exists, or `MEMORY`.
        busy_timeout_seconds: How long to wait for another process.
    """

    def __init__(self, path: str | Path, busy_timeout_seconds: float) -> None:
        self.path = str(path)
        self.is_in_memory = self.path == MEMORY
        self._busy_timeout_seconds = busy_timeout_seconds
        self._memory_lock = RLock()
        self._idle_readers: list[sqlite3.Connection] = []
        self._is_closed = False
        with translated(self.path):
            if not self.is_in_memory:
                _make_private(Path(self.path))
            self._writer = self._open_new()

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """The connection that writes. Only one thread at a time may hold it."""
        return self._in_memory() if self.is_in_memory else nullcontext(self._writer)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else uses meanwhile.

        Raises:
            TableUnavailable: In place of SQLite's errors.
        """
        with translated(self.path):
            if self.is_in_memory:
                with self._in_memory() as connection:
                    yield connection
                return
            reader = self._take_reader()
            try:
                yield reader
            finally:
                self._give_back(reader)

    def open(self, busy_timeout_seconds: float | None = None) -> sqlite3.Connection:
        """A connection of one's own; whoever opens it closes it."""
        timeout = self._busy_timeout_seconds if busy_timeout_seconds is None else busy_timeout_seconds
        connection = sqlite3.connect(self.path, timeout=timeout, isolation_level=None, check_same_thread=False)
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        """Close all connections. The last one of all processes copies the log into the file."""
        self._is_closed = True
        with self._memory_lock:
            while self._idle_readers:
                self._idle_readers.pop().close()
            self._writer.close()

    @contextmanager
    def _in_memory(self) -> Iterator[sqlite3.Connection]:
        with self._memory_lock:
            yield self._writer

    def _take_reader(self) -> sqlite3.Connection:
        if self._is_closed:
            raise TableUnavailable(f"the table {self.path} was closed")
        try:
            return self._idle_readers.pop()
        except IndexError:
            return self.open()

    def _give_back(self, reader: sqlite3.Connection) -> None:
        if self._is_closed:
            reader.close()
        else:
            self._idle_readers.append(reader)

    def _open_new(self) -> sqlite3.Connection:
        connection = self.open()
        try:
            self._use_log(connection)
            ensure_schema(connection, self.path)
        except (sqlite3.Error, TableUnavailable):
            connection.close()
            raise
        return connection

    def _use_log(self, connection: sqlite3.Connection) -> None:
        # SQLite's busy timeout does not cover this one statement while several processes make the file at once.
        deadline = time.monotonic() + self._busy_timeout_seconds
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > deadline:
                    raise
            time.sleep(_RETRY_SECONDS)


def _make_private(path: Path) -> None:
    """Make the file readable for its owner alone; SQLite gives its log the same rights."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except FileExistsError:
        return
    except OSError as error:
        raise TableUnavailable(
            f"the table {path} can't be made ({error.strerror}); make its folder, or make the folder writable"
        ) from error
