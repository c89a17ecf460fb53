"""Many items at once: no limit on how many, no order and no atomicity."""

from __future__ import annotations

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.domain.errors import ItemTooLarge
from palimpsest.ports.table import Add, Delete, Item, Key, Missing, Put, Table, Update

KEYS = [Key(f"M#{number % 7}", f"{number:04}") for number in range(230)]


def test_any_number_of_items_is_written_read_and_deleted(table: Table) -> None:
    items: dict[Key, Item] = {key: {"pk": key.pk, "sk": key.sk, "number": number} for number, key in enumerate(KEYS)}

    table.write_batch([Put(item) for item in items.values()])
    assert table.get(KEYS).items == items
    assert table.get([*KEYS, Key("M#0", "none")], consistent=False).items.keys() <= items.keys()

    table.write_batch([Delete(key) for key in KEYS[:130]])
    assert table.get(KEYS).items == {key: items[key] for key in KEYS[130:]}


def test_puts_and_deletes_go_together(table: Table) -> None:
    table.write(Put({"pk": "M#1", "sk": "old"}))

    table.write_batch([Delete(Key("M#1", "old")), Put({"pk": "M#1", "sk": "new"}), Delete(Key("M#1", "never"))])

    keys = [Key("M#1", "old"), Key("M#1", "new"), Key("M#1", "never")]
    assert table.get(keys).items == {Key("M#1", "new"): {"pk": "M#1", "sk": "new"}}


def test_large_items_come_back_though_an_answer_can_not_hold_them_all(table: Table) -> None:
    keys = [Key("M#1", f"{number:02}") for number in range(45)]
    table.write_batch([Put({"pk": key.pk, "sk": key.sk, "text": "x" * 380_000}) for key in keys])

    found = table.get(keys).items

    assert list(found) == keys
    assert {len(str(item["text"])) for item in found.values()} == {380_000}


def test_an_empty_batch_does_nothing(table: Table) -> None:
    assert table.write_batch([]).write == 0


def test_a_batch_is_refused_whole_before_anything_is_written(table: Table) -> None:
    good = [Put({"pk": "M#1", "sk": f"{number:02}"}) for number in range(30)]

    with pytest.raises(RequestRefused):
        table.write_batch([*good, Delete(Key("M#1", "00"))])
    with pytest.raises(RequestRefused):
        table.write_batch([*good, Put({"pk": "M#1", "sk": "99"}, Missing("pk"))])
    with pytest.raises(RequestRefused):
        table.write_batch([*good, Update(Key("M#1", "99"), (Add("a", 1),))])  # type: ignore[list-item]
    with pytest.raises(ItemTooLarge):
        table.write_batch([*good, Put({"pk": "M#1", "sk": "99", "text": "x" * 409_600})])

    assert table.get([Key("M#1", "00")]).items == {}
