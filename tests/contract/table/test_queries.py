"""Ranges of the table and of both indexes: order, bounds, pages and cursors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.ports.table import Cursor, Index, Put, Query, Table

Eventually = Callable[[Callable[[], bool]], None]

# In the order of their UTF-8 bytes, which is neither that of a dictionary nor that of UTF-16.
KEYS = ["A", "Z", "a", "a!", "a#1", "a#10", "a#2", "ab", "z", "ä", "ł", "ż", "一", "\uffee", "\U0001f600", "\U0010ffff"]

PLACES = [(None, "sk"), (Index.ONE, "g1sk"), (Index.TWO, "g2sk")]
on_each_place = pytest.mark.parametrize(("index", "order"), PLACES, ids=["table", "one", "two"])


def fill(table: Table, keys: list[str], index: Index | None) -> None:
    for number, key in enumerate(keys):
        place = {"pk": "P", "sk": key} if index is None else {"pk": f"M#{number}", "sk": "H"}
        entry = {} if index is None else {f"{index}pk": "P", f"{index}sk": key}
        table.write(Put(place | entry | {"number": number}))


def all_of(table: Table, query: Query, order: str, limit: int = 100) -> list[str]:
    """The sort keys of all pages, in the order in which they came."""
    found: list[str] = []
    after: Cursor | None = None
    for _ in range(100):
        page = table.query(replace(query, after=after))
        assert len(page.items) <= limit
        found += [str(item[order]) for item in page.items]
        after = page.next_cursor
        if after is None:
            return found
    raise AssertionError("the pages have no end")


@on_each_place
def test_keys_are_ordered_by_their_bytes(table: Table, index: Index | None, order: str, eventually: Eventually) -> None:
    fill(table, KEYS[::-1], index)

    eventually(lambda: all_of(table, Query("P", index), order) == KEYS)
    eventually(lambda: all_of(table, Query("P", index, descending=True), order) == KEYS[::-1])


@on_each_place
def test_a_range_is_what_its_prefix_or_bounds_say(
    table: Table, index: Index | None, order: str, eventually: Eventually
) -> None:
    fill(table, KEYS, index)
    eventually(lambda: all_of(table, Query("P", index), order) == KEYS)

    def found(**span: str | bool) -> list[str]:
        return all_of(table, Query("P", index, **span), order)  # type: ignore[arg-type]

    assert found(prefix="a") == ["a", "a!", "a#1", "a#10", "a#2", "ab"]
    assert found(prefix="a#", descending=True) == ["a#2", "a#10", "a#1"]
    assert found(prefix="nothing") == []
    assert found(prefix="\U0010ffff") == ["\U0010ffff"]
    assert found(low="ab", high="ż") == ["ab", "z", "ä", "ł", "ż"]
    assert found(low="ab", high="ż", descending=True) == ["ż", "ł", "ä", "z", "ab"]
    assert found(low="ż") == KEYS[KEYS.index("ż") :]
    assert found(high="a") == ["A", "Z", "a"]
    assert found(low="b", high="c") == []
    assert found(low="c", high="b") == []


@on_each_place
def test_pages_of_any_size_give_all_of_a_range_once(
    table: Table, index: Index | None, order: str, eventually: Eventually
) -> None:
    fill(table, KEYS, index)
    eventually(lambda: all_of(table, Query("P", index), order) == KEYS)

    for limit in (1, 5, len(KEYS)):
        whole = Query("P", index, limit=limit)
        assert all_of(table, whole, order, limit) == KEYS
        assert all_of(table, replace(whole, descending=True), order, limit) == KEYS[::-1]
        assert all_of(table, replace(whole, prefix="a#"), order, limit) == ["a#1", "a#10", "a#2"]
        assert all_of(table, replace(whole, low="z", high="ł", descending=True), order, limit) == ["ł", "ä", "z"]


def test_a_page_that_ends_at_its_limit_has_a_cursor_also_at_the_end(table: Table) -> None:
    fill(table, ["1", "2"], None)

    page = table.query(Query("P", limit=2, consistent=True))

    assert page.next_cursor == Cursor("P", "2")
    last = table.query(Query("P", limit=2, consistent=True, after=page.next_cursor))
    assert (last.items, last.next_cursor) == ((), None)


def test_a_cursor_goes_on_where_the_page_ended_though_its_item_is_gone(table: Table) -> None:
    fill(table, ["1", "3", "5"], None)

    behind = Query("P", after=Cursor("P", "4"), consistent=True)

    assert [item["sk"] for item in table.query(behind).items] == ["5"]
    assert [item["sk"] for item in table.query(replace(behind, descending=True)).items] == ["3", "1"]


@pytest.mark.parametrize("index", Index)
def test_entries_with_the_same_sort_key_are_each_given_once(table: Table, index: Index, eventually: Eventually) -> None:
    for number in range(7):
        table.write(Put({"pk": f"M#{number}", "sk": "H", f"{index}pk": "P", f"{index}sk": "same"}))
    roots = [f"M#{number}" for number in range(7)]

    eventually(lambda: sorted(all_of(table, Query("P", index), "pk")) == roots)
    for limit in (1, 2, 7):
        assert sorted(all_of(table, Query("P", index, limit=limit), "pk", limit)) == roots
        assert sorted(all_of(table, Query("P", index, limit=limit, descending=True), "pk", limit)) == roots


def test_a_partition_is_apart_from_its_neighbours(table: Table) -> None:
    for partition in ("P", "P#", "O", "Q", "p"):
        table.write(Put({"pk": partition, "sk": partition}))

    assert table.query(Query("P", consistent=True)).items == ({"pk": "P", "sk": "P"},)
    assert table.query(Query("nothing", consistent=True)).items == ()


def test_a_page_ends_at_one_megabyte(table: Table) -> None:
    keys = [str(number) for number in range(8)]
    for key in keys:
        table.write(Put({"pk": "P", "sk": key, "text": "x" * 300_000}))

    first = table.query(Query("P", consistent=True))

    assert [item["sk"] for item in first.items] == ["0", "1", "2"]
    assert first.next_cursor == Cursor("P", "2")
    assert all_of(table, Query("P", consistent=True), "sk") == keys
    assert all_of(table, Query("P", consistent=True, descending=True, limit=5), "sk", 5) == keys[::-1]


@pytest.mark.parametrize(
    "query",
    [
        Query("P", Index.ONE, consistent=True),
        Query("P", prefix="a", low="a"),
        Query("P", prefix=""),
        Query("P", low=""),
        Query("P", limit=0),
        Query(""),
        Query("P" * 2_049),
        Query("P", low="a" * 1_025),
        Query("P", after=Cursor("Q", "a")),
        Query("P", after=Cursor("P", "a", "b")),
        Query("P", Index.ONE, after=Cursor("P", "a")),
        Query("P", low="b", after=Cursor("P", "a")),
        Query("P", Index.ONE, prefix="b", after=Cursor("M", "H", "a")),
    ],
    ids=lambda query: str(query)[:60],
)
def test_a_query_that_can_mean_nothing_is_refused(table: Table, query: Query) -> None:
    with pytest.raises(RequestRefused):
        table.query(query)
