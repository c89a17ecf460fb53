"""The tables of the SQLite file."""

from __future__ import annotations

import sqlite3
from typing import Final

from palimpsest.domain.errors import TableUnavailable
from palimpsest.domain.version import MemoryType

APPLICATION_ID: Final = 0x50414C49
"""In the file's header, so that nobody's other database is ever taken for ours."""

VERSION: Final = 1

_MEMORY_TYPES: Final = ", ".join(f"'{name}'" for name in MemoryType)

_STATEMENTS: Final = (
    # The blob comes last: what stands before it is read without its overflow pages.
    f"""CREATE TABLE items (
        pk TEXT NOT NULL, sk TEXT NOT NULL,
        g1pk TEXT, g1sk TEXT, g2pk TEXT, g2sk TEXT,
        ttl INTEGER, size INTEGER NOT NULL,
        memory_type TEXT CHECK (memory_type IN ({_MEMORY_TYPES})),
        body BLOB NOT NULL,
        UNIQUE (pk, sk)
    )""",
    # The indexes cover what a query of an index gives, so that it never touches the items.
    "CREATE INDEX items_by_g1 ON items (g1pk, g1sk, pk, sk) WHERE g1pk IS NOT NULL",
    "CREATE INDEX items_by_g2 ON items (g2pk, g2sk, pk, sk) WHERE g2pk IS NOT NULL",
    "CREATE INDEX items_by_ttl ON items (ttl) WHERE ttl IS NOT NULL",
    # AUTOINCREMENT: a position is never given twice, also after all records were trimmed.
    """CREATE TABLE stream (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT NOT NULL, sk TEXT NOT NULL, event TEXT NOT NULL
    )""",
    "CREATE TABLE stream_readers (reader TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID",
)


def ensure_schema(connection: sqlite3.Connection, path: str) -> None:
    """Make the tables in a new file.

    Raises:
        TableUnavailable: The file is another program's, or was written by a newer release.
    """
    if _pragma(connection, "application_id") == APPLICATION_ID and _pragma(connection, "user_version") == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        _make(connection, path)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _make(connection: sqlite3.Connection, path: str) -> None:
    owner, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    is_new = not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if (owner, version) == (APPLICATION_ID, VERSION):
        return  # another process made it meanwhile
    if not is_new and owner != APPLICATION_ID:
        raise TableUnavailable(f"the file {path} is the database of another program; name another file")
    if not is_new:
        raise TableUnavailable(f"the file {path} was written by another release (format {version}); use that release")
    for statement in _STATEMENTS:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
