"""Walks through a whole table."""

from __future__ import annotations

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.ports.table import Cursor, Delete, Item, Key, Put, WholeTable

ITEMS: list[Item] = [
    {"pk": pk, "sk": sk, "number": n} for n, (pk, sk) in enumerate((f"P{i % 5}", f"ż{i}") for i in range(23))
]


@pytest.fixture
def whole(table: WholeTable) -> WholeTable:
    for item in ITEMS:
        table.write(Put(item))
    return table


def walk(table: WholeTable, limit: int | None, after: Cursor | None = None) -> list[Item]:
    found: list[Item] = []
    for _ in range(100):
        page = table.scan(after=after, limit=limit)
        assert limit is None or len(page.items) <= limit
        found += page.items
        after = page.next_cursor
        if after is None:
            return found
    raise AssertionError("the walk has no end")


def numbers(items: list[Item]) -> list[int]:
    return sorted(number for item in items if isinstance(number := item["number"], int))


@pytest.mark.parametrize("limit", [1, 4, 23, None])
def test_a_walk_gives_every_item_once_and_whole(whole: WholeTable, limit: int | None) -> None:
    found = walk(whole, limit)

    assert sorted(found, key=lambda item: str(item["number"])) == sorted(ITEMS, key=lambda item: str(item["number"]))


def test_a_walk_goes_on_from_a_cursor_that_was_kept(whole: WholeTable) -> None:
    first = whole.scan(limit=9)
    assert first.next_cursor is not None
    kept = [first.next_cursor.pk, first.next_cursor.sk]

    rest = walk(whole, 4, Cursor(*kept))

    assert numbers([*first.items, *rest]) == list(range(23))


def test_a_walk_goes_on_where_an_item_was_that_is_gone(whole: WholeTable) -> None:
    first = whole.scan(limit=9)
    assert first.next_cursor is not None
    whole.write(Delete(Key(first.next_cursor.pk, first.next_cursor.sk)))

    rest = walk(whole, None, first.next_cursor)

    assert numbers([*first.items, *rest]) == list(range(23))


def test_an_empty_table_is_walked_in_one_page(table: WholeTable) -> None:
    assert walk(table, None) == []


def test_what_is_no_walk_is_refused(table: WholeTable) -> None:
    with pytest.raises(RequestRefused):
        table.scan(limit=0)
    with pytest.raises(RequestRefused):
        table.scan(after=Cursor("M#a", "H", "of an index"))
