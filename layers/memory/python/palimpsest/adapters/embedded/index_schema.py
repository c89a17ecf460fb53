"""The file of one index generation: what lies in it and how it is known again.

Terms are numbers that belong to one space, so a posting, a document frequency and a match never touch another space,
and the words of an entry that is removed leave the file with their last number. The full-text table holds no content
(``detail=none``: which entries, nothing else), which SQLite 3.37 can; the terms of an entry stand in its row, since
deleting from such a table takes the same text again. A label is a term that is written as bytes, which no word is: its
entries are a posting, and it leaves the file with the last of them. Columns of one space are read at once by
``group_concat``: a row at a time gives up and takes back Python's lock each time.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.search_index import Generation

LAYOUT: Final = 4
"""Of this file; another layout is rebuilt, not migrated."""

_APPLICATION: Final = 0x50414C49
_LOG_KEPT_BYTES: Final = 16 * 1024 * 1024
_PAGES_KEPT_KIB: Final = 8 * 1024
_BUSY_SECONDS: Final = 10.0

_PRAGMAS: Final = (
    "PRAGMA synchronous = NORMAL",  # disposable: what a power cut takes is indexed again
    f"PRAGMA journal_size_limit = {_LOG_KEPT_BYTES}",
    "PRAGMA secure_delete = ON",
    # Entries lie apart in the file; SQLite's own 2 MB made a search among 10,000 take a fifth longer.
    f"PRAGMA cache_size = -{_PAGES_KEPT_KIB}",
)

_TABLES: Final = (
    "CREATE TABLE about (generation TEXT, model TEXT, revision TEXT, dimensions INTEGER, schema INTEGER)",
    "CREATE TABLE spaces (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, changes INTEGER NOT NULL)",
    """CREATE TABLE facets (
        id INTEGER PRIMARY KEY, space INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
        memory_type TEXT NOT NULL, level TEXT NOT NULL, entries INTEGER NOT NULL, length INTEGER NOT NULL,
        UNIQUE (space, kind, status, memory_type, level))""",
    """CREATE TABLE terms (
        id INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, term NOT NULL, entries INTEGER NOT NULL,
        repeated INTEGER NOT NULL, UNIQUE (space, term))""",
    """CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, key TEXT NOT NULL, facet INTEGER NOT NULL,
        dated INTEGER NOT NULL, length INTEGER NOT NULL, passages INTEGER NOT NULL, terms BLOB NOT NULL,
        revision INTEGER NOT NULL, talk INTEGER, turn INTEGER, speaker TEXT, cues INTEGER NOT NULL,
        UNIQUE (space, key))""",
    "CREATE INDEX entries_of_space ON entries (space, id)",
    "CREATE INDEX entries_of_talk ON entries (space, talk, turn) WHERE talk IS NOT NULL",
    "CREATE TABLE vectors (entry INTEGER PRIMARY KEY, passages BLOB NOT NULL)",
    """CREATE TABLE removals (
        change INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, entry INTEGER NOT NULL)""",
    "CREATE INDEX removals_of_space ON removals (space, change)",
    """CREATE TABLE gone (
        id INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL,
        UNIQUE (space, key))""",
    """CREATE VIRTUAL TABLE postings USING fts5 (
        terms, content = '', columnsize = 0, detail = none, tokenize = 'ascii')""",
)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there; any thread may use it, one at a time."""
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def merge(connection: sqlite3.Connection) -> None:
    """Drop the postings of entries that are gone: they are numbers, and stay beside a mark until they are merged."""
    connection.execute("INSERT INTO postings (postings) VALUES ('optimize')")


def empty_log(connection: sqlite3.Connection) -> bool:
    """Copy the log into the file and cut it off, since old pages stand in it until then; False while somebody reads."""
    (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


def create(connection: sqlite3.Connection, generation: Generation) -> None:
    """Make an empty file the index of `generation`."""
    model = generation.model
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for table in _TABLES:
        connection.execute(table)
    row = (generation.id, model.name, model.revision, model.dimensions, generation.schema)
    connection.execute("INSERT INTO about VALUES (?, ?, ?, ?, ?)", row)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {LAYOUT}")
    connection.execute("COMMIT")


def check(connection: sqlite3.Connection, generation: Generation) -> None:
    """See that the file is the index of `generation`.

    Raises:
        IndexUnavailable: ``index_corrupt`` when it is something else, ``index_missing`` when it has another layout.
    """
    if connection.execute("PRAGMA application_id").fetchone() != (_APPLICATION,):
        raise IndexUnavailable("index_corrupt", "the file of the search index is something else; rebuild the index")
    if connection.execute("PRAGMA user_version").fetchone() != (LAYOUT,):
        raise IndexUnavailable("index_missing", "the search index was made by another release; rebuild it")
    model = generation.model
    row = (generation.id, model.name, model.revision, model.dimensions, generation.schema)
    if connection.execute("SELECT * FROM about").fetchall() != [row]:
        raise IndexUnavailable("index_corrupt", "the file belongs to another search index; rebuild the index")
