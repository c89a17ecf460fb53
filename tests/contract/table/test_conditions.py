"""Every kind of condition, on items that fit it and items that don't."""

from __future__ import annotations

from decimal import Decimal

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import (
    All,
    AnyOf,
    BeginsWith,
    Between,
    Check,
    Condition,
    Delete,
    Equals,
    Exists,
    Key,
    Less,
    Missing,
    Put,
    Set,
    Table,
    Update,
    Value,
)

ITEM: dict[str, Value] = {
    "pk": "M#1",
    "sk": "H",
    "text": "kot",
    "upper": "Łódź",
    "empty": "",
    "bytes": b"\x01\x80",
    "yes": True,
    "number": 7,
    "decimal": Decimal("1.5"),
    "list": [1, "a", [True]],
    "map": {"a": {"b": 1}, "c": []},
}

HOLDS: list[Condition] = [
    Exists("pk"),
    Exists("empty"),
    Missing("nothing"),
    Equals("text", "kot"),
    Equals("upper", "Łódź"),
    Equals("empty", ""),
    Equals("bytes", b"\x01\x80"),
    Equals("yes", True),
    Equals("number", 7),
    Equals("number", Decimal("7.0")),
    Equals("decimal", Decimal("1.50")),
    Equals("list", [1, "a", [True]]),
    Equals("list", (Decimal(1), "a", (True,))),
    Equals("map", {"c": [], "a": {"b": Decimal("1.0")}}),
    Less("number", 8),
    Less("decimal", 2),
    Less("text", "kota"),
    Less("upper", "\U0001f600"),
    Less("bytes", b"\x02"),
    Less("sk", "I"),
    Between("number", 7, 7),
    Between("decimal", 1, 2),
    Between("text", "k", "l"),
    Between("bytes", b"", b"\xff"),
    BeginsWith("text", "ko"),
    BeginsWith("pk", "M#"),
    BeginsWith("upper", "Ł"),
    All((Exists("pk"), Equals("number", 7))),
    All((Exists("pk"), AnyOf((Equals("number", 8), Equals("yes", True))))),
    AnyOf((Exists("nothing"), Less("number", 8))),
    AnyOf((All((Exists("nothing"), Exists("pk"))), All((Exists("text"), Exists("yes"))))),
    All((Exists("pk"),)),
    AnyOf((All((AnyOf((Exists("pk"),)),)),)),
]

FAILS: list[Condition] = [
    Exists("nothing"),
    Missing("pk"),
    Missing("empty"),
    Equals("text", "Kot"),
    Equals("nothing", "kot"),
    Equals("list", [1, "a"]),
    Equals("map", {"a": {"b": 1}}),
    Less("number", 7),
    Less("nothing", 8),
    Less("upper", "Z"),
    Between("number", 8, 9),
    Between("nothing", 1, 2),
    BeginsWith("text", "kt"),
    All((Exists("pk"), Equals("number", 8))),
    AnyOf((Exists("nothing"), Less("number", 7))),
]

FAILS_BY_TYPE: list[Condition] = [
    Equals("number", "7"),
    Equals("yes", 1),
    Equals("number", True),
    Equals("text", b"kot"),
    Equals("list", [1, "a", [1]]),
    Less("number", "8"),
    Less("text", 8),
    Less("yes", 8),
    Between("number", "0", "9"),
    Between("yes", 0, 1),
]

KEY = Key("M#1", "H")


def holding(table: Table, conditions: list[Condition]) -> list[Condition]:
    """Those of the conditions that let a write of the item through."""
    table.write(Put(ITEM))
    through = []
    for condition in conditions:
        try:
            table.write(Put(ITEM | {"new": 1}, condition))
        except ConditionFailed:
            assert table.get([KEY]).items == {KEY: ITEM}
        else:
            through.append(condition)
            assert table.get([KEY]).items == {KEY: ITEM | {"new": 1}}
            table.write(Put(ITEM))
    return through


def test_conditions_that_hold_let_the_write_through(table: Table) -> None:
    assert holding(table, HOLDS) == HOLDS


def test_conditions_that_fail_stop_the_write(table: Table) -> None:
    assert holding(table, FAILS) == []


def test_values_of_different_types_are_neither_equal_nor_ordered(table: Table) -> None:
    assert holding(table, FAILS_BY_TYPE) == []


def test_only_text_begins_with_text(table: Table) -> None:
    assert holding(table, [BeginsWith("number", "7"), BeginsWith("bytes", "\x01")]) == []


def test_every_kind_of_write_takes_a_condition(table: Table) -> None:
    failing = Equals("number", 8)
    table.write(Put(ITEM))

    for write in (
        Put(ITEM, failing),
        Update(KEY, (Set("a", 1),), failing),
        Delete(KEY, failing),
        Check(KEY, failing),
    ):
        with pytest.raises(ConditionFailed):
            table.transact([write])

    table.transact([Check(KEY, Equals("number", 7))])
    assert table.get([KEY]).items == {KEY: ITEM}


def test_on_no_item_only_missing_holds(table: Table) -> None:
    for condition in (Exists("pk"), Equals("a", 1), Less("a", 1), Between("a", 0, 1), BeginsWith("a", "")):
        with pytest.raises(ConditionFailed):
            table.write(Put({"pk": "M#2", "sk": "H"}, condition))

    table.write(Put({"pk": "M#2", "sk": "H"}, All((Missing("pk"), Missing("a")))))


IMPOSSIBLE: list[Condition] = [
    All(()),
    AnyOf(()),
    Equals("a", 1.5),  # type: ignore[arg-type]
    Less("a", True),
    Less("a", [1]),  # type: ignore[arg-type]
    Between("a", 2, 1),
    Between("a", 1, "2"),
    Between("a", False, True),
    Exists(""),
    All(tuple(Exists(f"a{number}") for number in range(101))),
]


def test_a_condition_that_dynamodb_has_no_expression_for_is_refused(table: Table) -> None:
    for condition in IMPOSSIBLE:
        with pytest.raises(RequestRefused):
            table.write(Put({"pk": "M#2", "sk": "H"}, condition))


def test_the_largest_condition_and_the_largest_update_are_taken(table: Table) -> None:
    names = [f"{'long' * 20}{number}" for number in range(100)]
    condition = AnyOf(
        tuple(All((Missing(one), Missing(two))) for one, two in zip(names[::2], names[1::2], strict=True))
    )

    table.write(Update(Key("M#2", "H"), tuple(Set(name, 1) for name in names), condition))

    with pytest.raises(ConditionFailed):
        table.write(Update(Key("M#2", "H"), tuple(Set(name, 2) for name in names), condition))
