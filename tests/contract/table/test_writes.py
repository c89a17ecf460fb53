"""One write at a time: put, update, delete, and what comes back."""

from __future__ import annotations

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Add, Delete, Equals, Exists, Key, Missing, Put, Remove, Set, Table, Update, Value

KEY = Key("M#1", "H")
HEAD: dict[str, Value] = {"pk": "M#1", "sk": "H", "revision": 1, "state": "live"}


def stored(table: Table) -> object:
    return table.get([KEY]).items.get(KEY)


def test_a_put_item_is_read_back_whole(table: Table) -> None:
    table.write(Put(HEAD))

    assert stored(table) == HEAD


def test_a_put_replaces_the_whole_item(table: Table) -> None:
    table.write(Put(HEAD | {"extra": "x"}))

    table.write(Put(HEAD))

    assert stored(table) == HEAD


def test_a_put_for_a_new_item_fails_when_there_is_one(table: Table) -> None:
    table.write(Put(HEAD, Missing("pk")))

    with pytest.raises(ConditionFailed) as failure:
        table.write(Put(HEAD | {"revision": 2}, Missing("pk")))

    assert failure.value.failed == (0,)
    assert stored(table) == HEAD


def test_an_update_makes_the_item_when_there_is_none(table: Table) -> None:
    written = table.write(Update(KEY, (Set("state", "live"),)))

    assert written.item == {"pk": "M#1", "sk": "H", "state": "live"}
    assert stored(table) == written.item


def test_an_update_sets_adds_and_removes_and_gives_back_the_whole_item(table: Table) -> None:
    table.write(Put(HEAD | {"note": "old"}))

    written = table.write(
        Update(KEY, (Set("state", "retired"), Add("revision", 2), Add("seen", 1), Remove("note"), Remove("never")))
    )

    assert written.item == {"pk": "M#1", "sk": "H", "revision": 3, "state": "retired", "seen": 1}
    assert stored(table) == written.item


def test_an_update_whose_condition_does_not_hold_changes_nothing(table: Table) -> None:
    table.write(Put(HEAD))

    with pytest.raises(ConditionFailed):
        table.write(Update(KEY, (Add("revision", 1),), Equals("revision", 7)))

    assert stored(table) == HEAD


def test_an_update_of_what_must_exist_makes_no_item(table: Table) -> None:
    with pytest.raises(ConditionFailed):
        table.write(Update(KEY, (Add("revision", 1),), Exists("pk")))

    assert stored(table) is None


def test_nothing_can_be_added_to_text(table: Table) -> None:
    table.write(Put(HEAD))

    with pytest.raises(RequestRefused):
        table.write(Update(KEY, (Add("state", 1),)))

    assert stored(table) == HEAD


def test_a_delete_takes_the_item_away(table: Table) -> None:
    table.write(Put(HEAD))

    table.write(Delete(KEY))

    assert stored(table) is None


def test_a_delete_of_nothing_is_no_error(table: Table) -> None:
    table.write(Delete(KEY))

    assert stored(table) is None


def test_a_delete_whose_condition_does_not_hold_leaves_the_item(table: Table) -> None:
    table.write(Put(HEAD))

    with pytest.raises(ConditionFailed):
        table.write(Delete(KEY, Equals("state", "retired")))

    assert stored(table) == HEAD


def test_only_an_update_gives_an_item_back(table: Table) -> None:
    assert table.write(Put(HEAD)).item is None
    assert table.write(Delete(KEY)).item is None


def test_an_expired_item_stays_visible_until_it_is_swept(table: Table) -> None:
    expired = HEAD | {"ttl": 1}
    table.write(Put(expired))

    assert stored(table) == expired


def test_items_under_one_partition_are_apart(table: Table) -> None:
    table.write(Put({"pk": "M#1", "sk": "V#1"}))
    table.write(Put({"pk": "M#1", "sk": "V#2"}))
    table.write(Delete(Key("M#1", "V#1")))

    assert table.get([Key("M#1", "V#1"), Key("M#1", "V#2")]).items == {Key("M#1", "V#2"): {"pk": "M#1", "sk": "V#2"}}


@pytest.mark.parametrize("consistent", [True, False])
def test_a_key_that_is_asked_for_twice_is_found_once(table: Table, consistent: bool) -> None:
    table.write(Put(HEAD))

    read = table.get([KEY, KEY, Key("M#2", "H")], consistent=consistent)

    assert read.items == {KEY: HEAD}


def test_asking_for_no_keys_finds_nothing(table: Table) -> None:
    assert table.get([]).items == {}
