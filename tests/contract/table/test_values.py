"""What an item may hold, in which form it comes back, and what is refused."""

from __future__ import annotations

from decimal import Decimal

import pytest

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.domain.errors import ItemTooLarge
from palimpsest.ports.table import Add, Change, Delete, Item, Key, Put, Remove, Set, Table, Update, Value

KEY = Key("M#1", "H")

GOES: dict[str, Value] = {
    "text": "Zażółć gęślą jaźń \U0001f600 \x00 \u2028",
    "empty text": "",
    "bytes": bytes(range(256)),
    "empty bytes": b"",
    "true": True,
    "false": False,
    "zero": 0,
    "one": 1,
    "negative": -17,
    "largest": 10**38 - 1,
    "large": 10**125,
    "decimal": Decimal("1.5"),
    "smallest": Decimal("1E-130"),
    "digits": Decimal("-0.12345678901234567890123456789012345678"),
    "list": [1, "a", b"b", [True, []], {"x": Decimal("0.1")}],
    "map": {"a": {"b": [1, 2, {"c": ""}]}, "size": 0},
    "empty list": [],
    "empty map": {},
    "#name": "names may be anything",
    ":value": "żółw",
    "size": "reserved",
}

BECOMES: list[tuple[Value, Value]] = [
    (Decimal(7), 7),
    (Decimal("7.00"), 7),
    (Decimal("1.50"), Decimal("1.5")),
    (Decimal("1E+3"), 1000),
    (Decimal("-0.0"), 0),
    (Decimal("0E-300"), 0),
    ((1, (2, 3)), [1, [2, 3]]),
    ([Decimal("2.0")], [2]),
]

REFUSED: list[object] = [
    1.5,
    None,
    {1, 2},
    frozenset({"a"}),
    bytearray(b"a"),
    Decimal("NaN"),
    Decimal("Infinity"),
    10**38 + 1,
    Decimal("1.123456789012345678901234567890123456789"),
    Decimal("1E+126"),
    Decimal("1E-131"),
    "\ud800",
    [1, [None]],
    {"a": {"b": 0.5}},
    {1: "a"},
    {"": "a"},
]


def nested(depth: int) -> Value:
    value: Value = "leaf"
    for _ in range(depth - 1):
        value = [value]
    return value


def same_types(one: object, other: object) -> bool:
    """Equal, and of the same types all the way down: for Python True is 1 and 7 is Decimal(7)."""
    return repr(one) == repr(other)


def test_every_kind_of_value_comes_back_as_it_went(table: Table) -> None:
    item = {"pk": "M#1", "sk": "H", **GOES}

    table.write(Put(item))

    found = table.get([KEY]).items[KEY]
    assert found == item
    assert all(same_types(found[name], value) for name, value in GOES.items() if not isinstance(value, dict))


def test_a_value_has_one_form_when_it_comes_back(table: Table) -> None:
    for given, expected in BECOMES:
        table.write(Put({"pk": "M#1", "sk": "H", "put": given}))
        written = table.write(Update(KEY, (Set("set", given),)))

        found = table.get([KEY]).items[KEY]
        assert same_types(found["put"], expected)
        assert same_types(found["set"], expected)
        assert written.item == found


def test_what_an_item_can_not_hold_is_refused(table: Table) -> None:
    for value in REFUSED:
        with pytest.raises(RequestRefused):
            table.write(Put({"pk": "M#1", "sk": "H", "a": value}))  # type: ignore[dict-item]
        with pytest.raises(RequestRefused):
            table.write(Update(KEY, (Set("a", value),)))  # type: ignore[arg-type]
        with pytest.raises(RequestRefused):
            table.transact([Put({"pk": "M#1", "sk": "H", "a": value})])  # type: ignore[dict-item]
        with pytest.raises(RequestRefused):
            table.write_batch([Put({"pk": "M#1", "sk": "H", "a": value})])  # type: ignore[dict-item]

    assert table.get([KEY]).items == {}


def test_values_are_at_most_thirty_two_levels_deep(table: Table) -> None:
    table.write(Put({"pk": "M#1", "sk": "H", "a": nested(32)}))

    with pytest.raises(RequestRefused):
        table.write(Put({"pk": "M#1", "sk": "H", "a": nested(33)}))

    assert table.get([KEY]).items[KEY]["a"] == nested(32)


def test_numbers_add_exactly(table: Table) -> None:
    table.write(Put({"pk": "M#1", "sk": "H", "cost": Decimal("0.1"), "count": 10**15}))

    written = table.write(Update(KEY, (Add("cost", Decimal("0.2")), Add("count", 1), Add("less", -3))))

    assert written.item == {"pk": "M#1", "sk": "H", "cost": Decimal("0.3"), "count": 10**15 + 1, "less": -3}


def test_numbers_of_38_digits_add_exactly(table: Table) -> None:
    table.write(Put({"pk": "M#1", "sk": "H", "count": 10**37}))

    written = table.write(Update(KEY, (Add("count", 1),)))

    assert written.item == {"pk": "M#1", "sk": "H", "count": 10**37 + 1}


def test_a_sum_with_too_many_digits_is_refused(table: Table) -> None:
    item: Item = {"pk": "M#1", "sk": "H", "a": 10**38 - 1}
    table.write(Put(item))

    with pytest.raises(RequestRefused):
        table.write(Update(KEY, (Add("a", Decimal("0.5")),)))

    assert table.get([KEY]).items == {KEY: item}


def test_keys_of_the_greatest_length_are_taken_and_longer_ones_refused(table: Table) -> None:
    longest = Key("ż" * 1_024, "ż" * 512)
    table.write(Put({"pk": longest.pk, "sk": longest.sk}))

    assert list(table.get([longest]).items) == [longest]
    for key in (Key("p" * 2_049, "s"), Key("p", "s" * 1_025), Key("ż" * 1_025, "s"), Key("p", "ż" * 513)):
        for attempt in (
            lambda key=key: table.write(Put({"pk": key.pk, "sk": key.sk})),
            lambda key=key: table.write(Delete(key)),
            lambda key=key: table.get([key]),
        ):
            with pytest.raises(RequestRefused):
                attempt()


def test_keys_that_are_empty_missing_or_no_text_are_refused(table: Table) -> None:
    items: list[dict[str, object]] = [
        {"pk": "", "sk": "a"},
        {"pk": "a", "sk": ""},
        {"pk": "a"},
        {"sk": "a"},
        {"pk": 1, "sk": "a"},
        {"pk": "a", "sk": b"a"},
    ]
    for item in items:
        with pytest.raises(RequestRefused):
            table.write(Put(item))  # type: ignore[arg-type]


def test_an_item_of_exactly_400_kilobytes_is_taken_and_one_byte_more_is_not(table: Table) -> None:
    room = 400 * 1024 - len("pkM#1skHtext")
    table.write(Put({"pk": "M#1", "sk": "H", "text": "x" * room}))

    for text in ("x" * (room + 1), "ż" * (room // 2 + 1)):
        with pytest.raises(ItemTooLarge):
            table.write(Put({"pk": "M#1", "sk": "H", "text": text}))
    with pytest.raises(ItemTooLarge):
        table.write(Update(KEY, (Set("more", 1),)))

    assert len(str(table.get([KEY]).items[KEY]["text"])) == room


IMPOSSIBLE_CHANGES: list[tuple[Change, ...]] = [
    (),
    (Set("a", 1), Remove("a")),
    (Set("pk", "M#2"),),
    (Remove("sk"),),
    (Add("g1pk", 1),),
    (Add("a", True),),
    (Add("a", 0.5),),  # type: ignore[arg-type]
    (Set("", 1),),
    (Set("ttl", "tomorrow"),),
    (Set("ttl", 1_700_000_000_000),),
    tuple(Set(f"a{number}", 1) for number in range(101)),
]


def test_an_update_that_can_mean_nothing_is_refused(table: Table) -> None:
    for changes in IMPOSSIBLE_CHANGES:
        with pytest.raises(RequestRefused):
            table.write(Update(KEY, changes))

    assert table.get([KEY]).items == {}


def test_a_time_to_live_in_another_unit_than_seconds_is_refused(table: Table) -> None:
    for ttl in ("2026-01-01", True, Decimal("1.5"), -1, 1_700_000_000_000):
        item: Item = {"pk": "M#1", "sk": "H", "ttl": ttl}
        with pytest.raises(RequestRefused):
            table.write(Put(item))
