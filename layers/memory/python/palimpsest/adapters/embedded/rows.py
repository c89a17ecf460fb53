"""Items as rows of the SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, NamedTuple

from palimpsest.adapters.embedded import item_codec
from palimpsest.adapters.embedded.units import index_entry
from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.adapters.table_rules.queries import Range
from palimpsest.adapters.table_rules.values import item_size
from palimpsest.ports.table import Cursor, Index, Item, Key, Query, Value

_FIND: Final = "SELECT rowid, size, body FROM items WHERE pk = ? AND sk = ?"
_FIND_ALL: Final = """
    WITH wanted (pk, sk) AS (VALUES {})
    SELECT items.pk, items.sk, rowid, size, body FROM wanted CROSS JOIN items USING (pk, sk)
"""
_FOUND_AT_ONCE: Final = 100
_EXPIRED: Final = "SELECT pk, sk, rowid, size, body FROM items WHERE ttl < ? ORDER BY ttl LIMIT ?"
_INSERT: Final = """
    INSERT INTO items (g1pk, g1sk, g2pk, g2sk, ttl, size, memory_type, body, pk, sk)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE: Final = """
    UPDATE items SET g1pk = ?, g1sk = ?, g2pk = ?, g2sk = ?, ttl = ?, size = ?, memory_type = ?, body = ?
    WHERE rowid = ?
"""
_SCAN: Final = "SELECT pk, sk, size, body FROM items WHERE (pk, sk) > (?, ?) ORDER BY pk, sk"
_DELETE: Final = "DELETE FROM items WHERE rowid = ?"
_LARGEST_INTEGER: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Stored:
    """An item, and where and how large it lies in the file."""

    row: int
    size: int
    item: dict[str, Value]


class Entry(NamedTuple):
    """One item or one entry of an index on its way into a page, with the bytes that it counts."""

    size: int
    item: Item


def find(connection: sqlite3.Connection, key: Key) -> Stored | None:
    """The item under the key."""
    row = connection.execute(_FIND, key).fetchone()
    return None if row is None else Stored(row[0], row[1], item_codec.decode(row[2], key))


def find_all(connection: sqlite3.Connection, keys: Iterable[Key]) -> dict[Key, Stored]:
    """The items that there are under the keys, in any order."""
    found = {}
    rest = iter(keys)
    while some := list(islice(rest, _FOUND_AT_ONCE)):
        sql = _FIND_ALL.format(", ".join(["(?, ?)"] * len(some)))
        for pk, sk, row, size, body in connection.execute(sql, list(chain.from_iterable(some))):
            key = Key(pk, sk)
            found[key] = Stored(row, size, item_codec.decode(body, key))
    return found


def find_expired(connection: sqlite3.Connection, now: int, limit: int) -> list[tuple[Key, Stored]]:
    """Items whose time to live is over, the oldest first."""
    rows = connection.execute(_EXPIRED, (now, limit)).fetchall()
    found = ((Key(pk, sk), row, size, body) for pk, sk, row, size, body in rows)
    return [(key, Stored(row, size, item_codec.decode(body, key))) for key, row, size, body in found]


def store(connection: sqlite3.Connection, item: Item, size: int, before: Stored | None) -> None:
    """Put the item in place of what was there.

    Raises:
        RequestRefused: A CHECK of the file does not hold for the item.
    """
    columns = (*_index_columns(item), _ttl_column(item), size, _memory_type_column(item), item_codec.encode(item))
    try:
        if before is None:
            connection.execute(_INSERT, (*columns, item["pk"], item["sk"]))
        else:
            connection.execute(_UPDATE, (*columns, before.row))
    except sqlite3.IntegrityError as error:
        raise RequestRefused(f"the table takes no such item: {error}") from error


def remove(connection: sqlite3.Connection, stored: Stored) -> None:
    """Take the item out of the file."""
    connection.execute(_DELETE, (stored.row,))


def scan(connection: sqlite3.Connection, query: Query, span: Range) -> Generator[Entry]:
    """What the query is about, in its order, from behind its cursor on; read as it is asked for.

    Close it: until then its connection sees the file as it was, and keeps the log from being begun anew.
    """
    if query.index is None:
        return _scan_items(connection, query, span)
    return _scan_index(connection, query, span, query.index)


def scan_all(connection: sqlite3.Connection, after: Cursor | None) -> Generator[Entry]:
    """Every item by its key, from behind the cursor on; as `scan` otherwise."""
    with closing(connection.execute(_SCAN, ("", "") if after is None else (after.pk, after.sk))) as found:
        for pk, sk, size, body in found:
            yield Entry(size, item_codec.decode(body, Key(pk, sk)))


def cursor_of(item: Item, index: Index | None) -> Cursor:
    """The cursor of a page that ends with the item."""
    index_sk = None if index is None else str(item[f"{index}sk"])
    return Cursor(str(item["pk"]), str(item["sk"]), index_sk)


def _scan_items(connection: sqlite3.Connection, query: Query, span: Range) -> Generator[Entry]:
    where, values = _range(span, "sk")
    if query.after is not None:
        where.append("sk < ?" if query.descending else "sk > ?")
        values.append(query.after.sk)
    sql = _select("sk, size, body", ["pk = ?", *where], ["sk"], query)
    with closing(connection.execute(sql, (query.pk, *values))) as found:
        for sk, size, body in found:
            yield Entry(size, item_codec.Unread(body, Key(query.pk, sk)))


def _scan_index(connection: sqlite3.Connection, query: Query, span: Range, index: Index) -> Generator[Entry]:
    where, values = _range(span, f"{index}sk")
    if query.after is not None:
        where.append(f"({index}sk, pk, sk) {'<' if query.descending else '>'} (?, ?, ?)")
        values += [str(query.after.index_sk), query.after.pk, query.after.sk]
    sql = _select(f"pk, sk, {index}sk", [f"{index}pk = ?", *where], [f"{index}sk", "pk", "sk"], query)
    with closing(connection.execute(sql, (query.pk, *values))) as found:
        for pk, sk, index_sk in found:
            item = {"pk": pk, "sk": sk, f"{index}pk": query.pk, f"{index}sk": index_sk}
            yield Entry(item_size(item), item)


def _range(span: Range, column: str) -> tuple[list[str], list[str]]:
    bounds = [(span.low, ">="), (span.high, "<="), (span.below, "<")]
    given = [(bound, sign) for bound, sign in bounds if bound is not None]
    return [f"{column} {sign} ?" for _, sign in given], [bound for bound, _ in given]


def _select(columns: str, where: list[str], order: list[str], query: Query) -> str:
    direction = " DESC" if query.descending else ""
    parts = ["SELECT", columns, "FROM items WHERE", " AND ".join(where)]
    parts += ["ORDER BY", ", ".join(f"{column}{direction}" for column in order)]
    return " ".join(parts)


def _index_columns(item: Item) -> tuple[str | None, ...]:
    columns: list[str | None] = []
    for index in Index:
        entry = index_entry(item, index)
        columns += [None, None] if entry is None else [str(entry[f"{index}pk"]), str(entry[f"{index}sk"])]
    return tuple(columns)


def _memory_type_column(item: Item) -> str | None:
    word = item.get("memory_type")
    if word is not None and not isinstance(word, str):
        # SQLite could not take it either, and that error would count as one of the file, and fail the whole group.
        raise RequestRefused("the table takes no such item: memory_type is text")
    return word


def _ttl_column(item: Item) -> int | None:
    ttl = item.get("ttl")
    return ttl if isinstance(ttl, int) and abs(ttl) <= _LARGEST_INTEGER else None
