"""Transactions: all of it or nothing, and who failed."""

from __future__ import annotations

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.domain.errors import ConditionFailed, ItemTooLarge
from palimpsest.ports.table import (
    Add,
    Check,
    Delete,
    Equals,
    Exists,
    Item,
    Key,
    Missing,
    Put,
    Set,
    Table,
    Update,
    Value,
)

HEAD, VERSION, LOG, HASH = Key("M#1", "H"), Key("M#1", "V#1"), Key("T#1", "1"), Key("K#1", "K")
ALL = [HEAD, VERSION, LOG, HASH]


def item(key: Key, **attributes: Value) -> Item:
    return {"pk": key.pk, "sk": key.sk, **attributes}


def test_a_transaction_does_all_of_its_writes(table: Table) -> None:
    table.write(Put(item(HEAD, revision=1)))
    table.write(Put(item(HASH)))

    table.transact(
        [
            Update(HEAD, (Add("revision", 1),), Equals("revision", 1)),
            Put(item(VERSION, content="a"), Missing("pk")),
            Put(item(LOG)),
            Delete(HASH, Exists("pk")),
            Check(Key("M#2", "H"), Missing("pk")),
        ]
    )

    assert table.get(ALL).items == {
        HEAD: item(HEAD, revision=2),
        VERSION: item(VERSION, content="a"),
        LOG: item(LOG),
    }


def test_a_transaction_with_one_failed_condition_does_nothing(table: Table) -> None:
    before = {HEAD: item(HEAD, revision=1), HASH: item(HASH)}
    for stored in before.values():
        table.write(Put(stored))

    with pytest.raises(ConditionFailed):
        table.transact(
            [
                Put(item(VERSION, content="a")),
                Delete(HASH),
                Update(LOG, (Set("a", 1),)),
                Update(HEAD, (Add("revision", 1),), Equals("revision", 7)),
            ]
        )

    assert table.get(ALL).items == before


def test_the_positions_of_all_failed_conditions_are_told(table: Table) -> None:
    table.write(Put(item(HEAD, revision=1)))

    with pytest.raises(ConditionFailed) as failure:
        table.transact(
            [
                Put(item(VERSION), Missing("pk")),
                Update(HEAD, (Add("revision", 1),), Equals("revision", 7)),
                Put(item(LOG)),
                Check(HASH, Exists("pk")),
            ]
        )

    assert failure.value.failed == (1, 3)


def test_a_failed_condition_counts_before_a_change_that_is_impossible(table: Table) -> None:
    table.write(Put(item(HEAD, state="live")))

    with pytest.raises(ConditionFailed) as failure:
        table.transact([Put(item(LOG)), Update(HEAD, (Add("state", 1),), Equals("state", "gone"))])

    assert failure.value.failed == (1,)


def test_an_impossible_change_undoes_the_transaction(table: Table) -> None:
    table.write(Put(item(HEAD, state="live")))

    with pytest.raises(RequestRefused):
        table.transact([Put(item(LOG)), Update(HEAD, (Add("state", 1),))])

    assert table.get(ALL).items == {HEAD: item(HEAD, state="live")}


def test_two_writes_on_one_item_are_refused(table: Table) -> None:
    with pytest.raises(RequestRefused):
        table.transact([Check(HEAD, Missing("pk")), Put(item(HEAD))])

    assert table.get(ALL).items == {}


def test_a_hundred_writes_are_taken_and_one_more_is_refused(table: Table) -> None:
    writes = [Put({"pk": "M#1", "sk": f"{number:03}"}) for number in range(101)]

    with pytest.raises(RequestRefused):
        table.transact(writes)
    assert table.get([Key("M#1", "000")]).items == {}

    table.transact(writes[:100])
    assert len(table.get([Key("M#1", f"{number:03}") for number in range(101)]).items) == 100


def test_a_transaction_without_writes_is_refused(table: Table) -> None:
    with pytest.raises(RequestRefused):
        table.transact([])


def test_just_under_four_megabytes_are_taken_and_more_is_refused(table: Table) -> None:
    writes = [Put({"pk": "M#1", "sk": f"{number:02}", "text": "x" * 400_000}) for number in range(11)]

    with pytest.raises(ItemTooLarge):
        table.transact(writes)
    assert table.get([Key("M#1", "00")]).items == {}

    table.transact(writes[:10])
    assert len(table.get([Key("M#1", f"{number:02}") for number in range(11)]).items) == 10


def test_an_item_that_an_update_makes_too_large_undoes_the_transaction(table: Table) -> None:
    table.write(Put(item(HEAD, text="x" * 300_000)))

    with pytest.raises(ItemTooLarge):
        table.transact([Put(item(LOG)), Update(HEAD, (Set("more", "x" * 200_000),))])

    assert LOG not in table.get([LOG]).items
