"""Each kind of access is one walk along an index: nothing is scanned, nothing is sorted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from palimpsest.adapters.embedded import rows
from palimpsest.adapters.embedded.database import Database
from palimpsest.adapters.table_rules.queries import checked_range
from palimpsest.ports.table import Cursor, Index, Key, Query


@pytest.fixture
def asked() -> list[str]:
    """The statements that the connection of `connection` was asked."""
    return []


@pytest.fixture
def connection(tmp_path: Path, asked: list[str]) -> Iterator[sqlite3.Connection]:
    database = Database(tmp_path / "table.db", busy_timeout_seconds=1)
    with database.writing() as opened:
        opened.set_trace_callback(asked.append)
        yield opened
        opened.set_trace_callback(None)
    database.close()


def plan_of_last(connection: sqlite3.Connection, asked: list[str]) -> list[str]:
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {asked[-1]}")]


@pytest.mark.parametrize(
    ("query", "plan"),
    [
        (Query("P"), "SEARCH items USING INDEX sqlite_autoindex_items_1 (pk=?)"),
        (Query("P", prefix="a"), "SEARCH items USING INDEX sqlite_autoindex_items_1 (pk=? AND sk>? AND sk<?)"),
        (
            Query("P", low="a", after=Cursor("P", "b"), descending=True),
            "SEARCH items USING INDEX sqlite_autoindex_items_1 (pk=? AND sk>? AND sk<?)",
        ),
        (Query("P", Index.ONE), "SEARCH items USING COVERING INDEX items_by_g1 (g1pk=?)"),
        (
            Query("P", Index.TWO, prefix="a"),
            "SEARCH items USING COVERING INDEX items_by_g2 (g2pk=? AND g2sk>? AND g2sk<?)",
        ),
        (
            Query("P", Index.ONE, after=Cursor("M", "H", "1")),
            "SEARCH items USING COVERING INDEX items_by_g1 (g1pk=? AND (g1sk,pk,sk)>(?,?,?))",
        ),
        (
            Query("P", Index.ONE, after=Cursor("M", "H", "1"), descending=True),
            "SEARCH items USING COVERING INDEX items_by_g1 (g1pk=? AND (g1sk,pk,sk)<(?,?,?))",
        ),
    ],
    ids=str,
)
def test_queries(connection: sqlite3.Connection, asked: list[str], query: Query, plan: str) -> None:
    with closing(rows.scan(connection, query, checked_range(query))) as entries:
        assert list(entries) == []

    assert plan_of_last(connection, asked) == [plan]


def test_keys_and_expiry(connection: sqlite3.Connection, asked: list[str]) -> None:
    assert rows.find(connection, Key("P", "s")) is None
    assert plan_of_last(connection, asked) == ["SEARCH items USING INDEX sqlite_autoindex_items_1 (pk=? AND sk=?)"]

    assert rows.find_expired(connection, 1, 10) == []
    assert plan_of_last(connection, asked) == ["SEARCH items USING INDEX items_by_ttl (ttl<?)"]
