"""The connections to one index file, and its errors in the domain's words."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from palimpsest.adapters.embedded import index_schema
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.search_index import Generation

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_PRIMARY = 0xFF
"""Extended codes carry the primary one in their lowest byte."""


class IndexFile:
    """One generation's file: any number of threads read, one at a time writes; other processes may do both.

    Raises:
        IndexUnavailable: ``index_missing`` or ``index_corrupt``, from here and from every method.
    """

    def __init__(self, path: Path, generation: Generation) -> None:
        self.path = path
        self._generation = generation
        self._writes = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._identity = self._look()
        weakref.finalize(self, _close, self._idle)
        with self._borrowed() as connection:
            index_schema.check(connection, generation)

    @property
    def is_there(self) -> bool:
        """Whether the file that was opened still has its name."""
        try:
            return self._look() == self._identity
        except IndexUnavailable:
            return False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the file."""
        with self._borrowed() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction, which is committed unless an error leaves the block."""
        with self._writes, self._borrowed() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.commit()
            finally:
                connection.rollback()

    def wipe(self) -> bool:
        """Take out of the file and of its log what no row holds any more; False while somebody reads."""
        with self.writing() as connection:
            index_schema.merge(connection)
        with self._writes, self._borrowed() as connection:
            return index_schema.empty_log(connection)

    def close(self) -> None:
        """Close the connections that nobody uses."""
        _close(self._idle)

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        if not self.is_there:
            raise _missing()
        with translated():
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = index_schema.connect(self.path)
            is_sound = True
            try:
                yield connection
            except sqlite3.Error:
                is_sound = False
                raise
            finally:
                if is_sound:
                    self._idle.append(connection)
                else:
                    connection.close()

    def _look(self) -> tuple[int, int]:
        try:
            found = self.path.stat()
        except OSError as error:
            raise _missing() from error
        return found.st_dev, found.st_ino


@contextmanager
def translated() -> Iterator[None]:
    """Raises `IndexUnavailable` in place of SQLite's errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise _unavailable(error) from error


def _unavailable(error: sqlite3.Error) -> IndexUnavailable:
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    if code in _BUSY:
        return IndexUnavailable("index_busy", "the search index stayed locked by another process; try again")
    if code in _CORRUPT:
        return IndexUnavailable("index_corrupt", "the file of the search index is damaged; rebuild the index")
    return IndexUnavailable("index_unreachable", f"the file of the search index can't be used ({error})")


def _missing() -> IndexUnavailable:
    return IndexUnavailable("index_missing", "the file of the search index is gone; rebuild the index")


def _close(connections: list[sqlite3.Connection]) -> None:
    while connections:
        connections.pop().close()
