"""The capacity that each operation consumes, by AWS's formula: that is how the cost of an access is known."""

from __future__ import annotations

from decimal import Decimal

from palimpsest.ports.table import (
    Add,
    Check,
    Delete,
    Index,
    Key,
    Missing,
    Put,
    Query,
    Remove,
    Set,
    Table,
    Units,
    Update,
    Value,
)

KEY = Key("M#1", "H")
HEAD = {"pk": "M#1", "sk": "H"}
INDEXED = HEAD | {"g1pk": "P", "g1sk": "1"}
BOTH = INDEXED | {"g2pk": "P", "g2sk": "1"}


def kilobytes(number: int) -> str:
    """Text that makes an item with the other attributes of the tests just under so many KB."""
    return "x" * (number * 1_024 - 100)


def reads(number: float) -> Units:
    return Units(read=Decimal(number))


def writes(number: int) -> Units:
    return Units(write=Decimal(number))


def written(table: Table, write: Put | Update | Delete) -> int | float:
    units = table.write(write).units
    assert units.read == 0
    return float(units.write)


def test_a_write_consumes_one_unit_a_kilobyte(table: Table) -> None:
    assert written(table, Put(HEAD)) == 1
    assert written(table, Put(HEAD | {"sk": "2", "text": kilobytes(2)})) == 2
    assert written(table, Put(HEAD | {"sk": "3", "text": kilobytes(2) + "x" * 200})) == 3


def test_a_write_consumes_what_the_larger_of_before_and_after_does(table: Table) -> None:
    assert written(table, Put(HEAD | {"text": kilobytes(5)})) == 5
    assert written(table, Put(HEAD)) == 5
    assert written(table, Put(HEAD | {"text": kilobytes(3)})) == 3
    assert written(table, Update(KEY, (Add("count", 1),))) == 3
    assert written(table, Update(KEY, (Set("text", kilobytes(4)),))) == 4
    assert written(table, Update(KEY, (Remove("text"),))) == 4
    assert written(table, Put(HEAD | {"text": kilobytes(3)})) == 3
    assert written(table, Delete(KEY)) == 3
    assert written(table, Delete(KEY)) == 1


def test_each_index_consumes_a_unit_when_an_item_enters_leaves_or_stays_and_two_when_it_moves(table: Table) -> None:
    assert written(table, Put(INDEXED)) == 2
    assert written(table, Put(INDEXED | {"text": "a"})) == 1
    assert written(table, Update(KEY, (Set("text", "b"),))) == 1
    assert written(table, Update(KEY, (Set("g1sk", "2"),))) == 3
    assert written(table, Update(KEY, (Set("g2pk", "P"), Set("g2sk", "1")))) == 2
    assert written(table, Update(KEY, (Set("g1pk", "Q"), Set("g2pk", "Q")))) == 5
    assert written(table, Update(KEY, (Remove("g1pk"),))) == 2
    assert written(table, Put(BOTH)) == 4
    assert written(table, Delete(KEY)) == 3


def test_an_index_entry_of_more_than_a_kilobyte_consumes_more(table: Table) -> None:
    long = {"g1pk": "p" * 2_000, "g1sk": "s" * 500}

    assert written(table, Put(HEAD | long)) == 3 + 3


def test_a_transaction_consumes_double_except_for_its_indexes(table: Table) -> None:
    table.write(Put({"pk": "M#2", "sk": "H", "text": kilobytes(3)}))
    table.write(Put({"pk": "M#3", "sk": "H", "text": kilobytes(3)}))

    units = table.transact(
        [
            Put(INDEXED | {"text": kilobytes(2)}, Missing("pk")),
            Update(Key("M#2", "H"), (Add("count", 1),)),
            Delete(Key("M#4", "H")),
            Check(Key("M#3", "H"), Missing("count")),
        ]
    )

    assert units == writes((4 + 1) + 6 + 2 + 6)


def test_a_batch_consumes_what_its_writes_do(table: Table) -> None:
    table.write(Put({"pk": "M#2", "sk": "H", "text": kilobytes(3)}))

    units = table.write_batch([Put(BOTH | {"text": kilobytes(2)}), Delete(Key("M#2", "H")), Delete(Key("M#3", "H"))])

    assert units == writes((2 + 2) + 3 + 1)


def test_reading_one_small_item_consumes_one_unit_or_half_of_it(table: Table) -> None:
    table.write(Put(HEAD))

    for key in (KEY, Key("M#1", "none")):
        assert table.get([key]).units == reads(1)
        assert table.get([key], consistent=False).units == reads(0.5)


def test_reading_one_large_item_consumes_one_unit_for_each_4_kilobytes(table: Table) -> None:
    table.write(Put(HEAD | {"text": kilobytes(9)}))

    assert table.get([KEY]).units == reads(3)
    assert table.get([KEY], consistent=False).units == reads(1.5)


def test_reading_several_items_rounds_each_of_them_up(table: Table) -> None:
    keys = [Key("M#1", str(number)) for number in range(4)]
    table.write_batch([Put({"pk": key.pk, "sk": key.sk, "text": kilobytes(5)}) for key in keys[:3]])

    assert table.get(keys).units == reads(2 + 2 + 2 + 1)
    assert table.get(keys, consistent=False).units == reads(3.5)


def test_a_small_or_empty_range_consumes_one_unit_or_half_of_it(table: Table) -> None:
    table.write(Put(BOTH))

    assert table.query(Query("M#1", consistent=True)).units == reads(1)
    assert table.query(Query("M#1")).units == reads(0.5)
    assert table.query(Query("none")).units == reads(0.5)
    assert table.query(Query("P", Index.ONE)).units == reads(0.5)


def test_a_range_rounds_its_sum_up(table: Table) -> None:
    for number in range(5):
        table.write(Put({"pk": "M#1", "sk": str(number), "text": kilobytes(2)}))

    assert table.query(Query("M#1", consistent=True)).units == reads(3)
    assert table.query(Query("M#1", limit=2, consistent=True)).units == reads(1)
    assert table.query(Query("M#1")).units == reads(1.5)


SIZES: list[tuple[Value, int]] = [
    ("x" * 900, 900),
    ("ż" * 450, 900),
    (b"x" * 900, 900),
    ([True] * 448, 3 + 448 * 2),
    ([12] * 299, 3 + 299 * 3),
    ([123] * 224, 3 + 224 * 4),
    ([-1] * 224, 3 + 224 * 4),
    ([0] * 448, 3 + 448 * 2),
    ([Decimal("0.5")] * 299, 3 + 299 * 3),
    ([Decimal("10.25")] * 224, 3 + 224 * 4),
    ([[]] * 224, 3 + 224 * 4),
    ({f"{number:03}": "ab" for number in range(149)}, 3 + 149 * 6),
]


def test_the_size_of_an_item_is_counted_to_the_byte(table: Table) -> None:
    for value, size in SIZES:
        table.write(Delete(KEY))
        room = 1_024 - len("pkM#1skHvaluefill") - size

        assert written(table, Put(HEAD | {"value": value, "fill": "x" * room})) == 1
        assert written(table, Put(HEAD | {"value": value, "fill": "x" * (room + 1)})) == 2
