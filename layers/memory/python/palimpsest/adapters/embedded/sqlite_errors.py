"""What SQLite's errors mean to whoever runs the memory, and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from palimpsest.domain.errors import TableUnavailable

_ADVICE = {
    sqlite3.SQLITE_BUSY: "it stayed locked by another process; end that process, or try again",
    sqlite3.SQLITE_LOCKED: "it stayed locked by another process; end that process, or try again",
    sqlite3.SQLITE_FULL: "the disk or its quota is full and nothing was written; free some space and try again",
    sqlite3.SQLITE_IOERR: "the disk refused to read or write; look for a full disk, a size limit or a failing device",
    sqlite3.SQLITE_CORRUPT: "it is damaged; stop the memory, keep a copy of the file and restore a backup",
    sqlite3.SQLITE_NOTADB: "it is no SQLite file or its header is damaged; move it away or restore a backup",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened; make its folder, or make the folder and the file writable",
    sqlite3.SQLITE_READONLY: "it can't be written; make the file and its folder writable",
    sqlite3.SQLITE_PERM: "it can't be written; make the file and its folder writable",
}
_PRIMARY = 0xFF
"""The extended codes carry the primary one in their lowest byte."""


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Raises `TableUnavailable` in place of SQLite's errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise unavailable(error, path) from error


def unavailable(error: sqlite3.Error, path: str) -> TableUnavailable:
    """The domain's error: which file, what is wrong with it, what to do."""
    code = getattr(error, "sqlite_errorcode", None)
    advice = _ADVICE.get(code & _PRIMARY) if isinstance(code, int) else None
    return TableUnavailable(f"the table {path} can't be used: {advice or 'see the cause'} ({error})")


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection was in the way."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & _PRIMARY in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
