"""The two sparse indexes: who is in them, and what they show."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.ports.table import Delete, Index, Item, Key, Put, Query, Remove, Set, Table, Update

Eventually = Callable[[Callable[[], bool]], None]

KEY = Key("M#1", "H")


def entries(table: Table, index: Index, partition: str = "P") -> tuple[Item, ...]:
    return table.query(Query(partition, index)).items


def test_an_index_shows_keys_only(table: Table, eventually: Eventually) -> None:
    table.write(
        Put({"pk": "M#1", "sk": "H", "g1pk": "P", "g1sk": "1", "g2pk": "P2", "g2sk": "2", "text": "x", "ttl": 9})
    )

    eventually(lambda: entries(table, Index.ONE) == ({"pk": "M#1", "sk": "H", "g1pk": "P", "g1sk": "1"},))
    eventually(lambda: entries(table, Index.TWO, "P2") == ({"pk": "M#1", "sk": "H", "g2pk": "P2", "g2sk": "2"},))


def test_an_item_without_the_attributes_is_in_no_index(table: Table) -> None:
    table.write(Put({"pk": "P", "sk": "P"}))

    assert entries(table, Index.ONE) == entries(table, Index.TWO) == ()


@pytest.mark.parametrize("index", Index)
def test_an_item_enters_moves_within_and_leaves_an_index(table: Table, index: Index, eventually: Eventually) -> None:
    table.write(Put({"pk": "M#1", "sk": "H"}))

    def entry(partition: str, order: str) -> tuple[Item, ...]:
        return ({"pk": "M#1", "sk": "H", f"{index}pk": partition, f"{index}sk": order},)

    table.write(Update(KEY, (Set(f"{index}pk", "P"), Set(f"{index}sk", "1"))))
    eventually(lambda: entries(table, index) == entry("P", "1"))

    table.write(Update(KEY, (Set(f"{index}sk", "2"),)))
    eventually(lambda: entries(table, index) == entry("P", "2"))

    table.write(Update(KEY, (Set(f"{index}pk", "Q"),)))
    eventually(lambda: entries(table, index) == ())
    eventually(lambda: entries(table, index, "Q") == entry("Q", "2"))

    table.write(Update(KEY, (Remove(f"{index}pk"),)))
    eventually(lambda: entries(table, index, "Q") == ())

    table.write(Put({"pk": "M#1", "sk": "H", f"{index}pk": "P", f"{index}sk": "1"}))
    eventually(lambda: entries(table, index) == entry("P", "1"))

    table.write(Delete(KEY))
    eventually(lambda: entries(table, index) == ())


def test_a_put_without_the_attributes_takes_the_item_out_of_the_index(table: Table, eventually: Eventually) -> None:
    table.write(Put({"pk": "M#1", "sk": "H", "g1pk": "P", "g1sk": "1"}))
    eventually(lambda: len(entries(table, Index.ONE)) == 1)

    table.transact([Put({"pk": "M#1", "sk": "H"})])

    eventually(lambda: entries(table, Index.ONE) == ())


def test_a_strong_read_of_an_index_is_refused(table: Table) -> None:
    for index in Index:
        with pytest.raises(RequestRefused):
            table.query(Query("P", index, consistent=True))


@pytest.mark.parametrize(
    "attributes",
    [
        {"g1pk": 1, "g1sk": "1"},
        {"g1pk": "P", "g1sk": b"1"},
        {"g2pk": "", "g2sk": "1"},
        {"g2pk": "P", "g2sk": ""},
        {"g1pk": "P"},
        {"g2sk": "1"},
        {"g1pk": "P" * 2_049, "g1sk": "1"},
        {"g1pk": "P", "g1sk": "1" * 1_025},
    ],
    ids=str,
)
def test_index_attributes_that_are_no_keys_are_refused(table: Table, attributes: dict[str, str]) -> None:
    with pytest.raises(RequestRefused):
        table.write(Put({"pk": "M#1", "sk": "H", **attributes}))
    if len(attributes) == 2:
        with pytest.raises(RequestRefused):
            table.write(Update(KEY, tuple(Set(name, value) for name, value in attributes.items())))

    assert table.get([KEY]).items == {}


def test_the_longest_index_keys_are_taken(table: Table, eventually: Eventually) -> None:
    table.write(Put({"pk": "M#1", "sk": "H", "g1pk": "ż" * 1_024, "g1sk": "ż" * 512}))

    eventually(lambda: len(entries(table, Index.ONE, "ż" * 1_024)) == 1)
