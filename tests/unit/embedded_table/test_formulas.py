"""Numbers, sizes and units, by hand-computed examples, and the blob of an item, by hypothesis."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.adapters.embedded.item_codec import decode, encode
from palimpsest.adapters.embedded.units import index_units, read_units, read_units_of_each, write_units
from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.adapters.table_rules.numbers import canonical_number, number_size, total
from palimpsest.adapters.table_rules.queries import successor
from palimpsest.adapters.table_rules.values import canonical, item_size, value_size
from palimpsest.ports.table import Item, Key, Value

NUMBERS = st.one_of(
    st.integers(-(10**38) + 1, 10**38 - 1),
    st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-(10**20), max_value=10**20),
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES: st.SearchStrategy[Value] = st.recursive(
    st.one_of(TEXT, st.binary(max_size=20), st.booleans(), NUMBERS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT.filter(bool), inner, max_size=4)),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("number", "size"),
    [
        (0, 1),
        (1, 2),
        (12, 2),
        (100, 2),
        (123, 3),
        (1_000, 2),
        (1_200, 2),
        (12_345, 4),
        (-1, 3),
        (Decimal("0.5"), 2),
        (Decimal("10.25"), 3),
        (Decimal("1.5"), 3),
        (10**38 - 1, 20),
        (1 - 10**38, 21),
    ],
)
def test_a_number_counts_one_byte_for_each_pair_of_digits_about_the_point(number: int | Decimal, size: int) -> None:
    assert number_size(number) == size


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("", 0),
        ("żółw", 7),
        (b"\x00\x01", 2),
        (True, 1),
        ([], 3),
        ([1, "ab"], 3 + (1 + 2) + (1 + 2)),
        ({}, 3),
        ({"ab": "c", "d": [True]}, 3 + (1 + 2 + 1) + (1 + 1 + 3 + 1 + 1)),
    ],
    ids=str,
)
def test_a_value_counts_its_bytes_and_those_of_what_is_in_it(value: Value, size: int) -> None:
    assert value_size(value) == size


def test_an_item_counts_its_names_and_its_values() -> None:
    assert item_size({"pk": "M#1", "sk": "H", "ż": 7}) == (2 + 3) + (2 + 1) + (2 + 2)


@pytest.mark.parametrize(("size", "strong"), [(0, 1), (1, 1), (4_096, 1), (4_097, 2), (40_960, 10)])
def test_reads_count_started_4_kilobytes(size: int, strong: int) -> None:
    assert read_units(size, consistent=True) == strong
    assert read_units(size, consistent=False) == Decimal(strong) / 2


def test_items_that_are_read_together_are_each_rounded_up() -> None:
    assert read_units_of_each([100, 4_097, 0], consistent=True) == 4
    assert read_units_of_each([100, 4_097, 0], consistent=False) == 2
    assert read_units_of_each([], consistent=True) == 0


@pytest.mark.parametrize(("before", "after", "units"), [(0, 0, 1), (0, 1_024, 1), (1_025, 1, 2), (1, 3_000, 3)])
def test_writes_count_started_kilobytes_of_the_larger_item(before: int, after: int, units: int) -> None:
    assert write_units(before, after, in_transaction=False) == units
    assert write_units(before, after, in_transaction=True) == 2 * units


def test_index_units_follow_the_entry_and_not_the_item() -> None:
    item: Item = {"pk": "M#1", "sk": "H", "g1pk": "P", "g1sk": "1"}

    assert index_units(None, {"pk": "M#1", "sk": "H", "g1pk": "P"}) == 0
    assert index_units(None, item) == 1
    assert index_units(item, {**item, "text": "x" * 9_000}) == 0
    assert index_units(item, {**item, "g1sk": "2"}) == 2
    assert index_units(item, None) == 1
    assert index_units(item, {**item, "g2pk": "P", "g2sk": "1"}) == 1


@given(NUMBERS, NUMBERS)
def test_sums_are_exact_or_refused(one: int | Decimal, other: int | Decimal) -> None:
    try:
        found = total(one, other)
    except RequestRefused:
        return

    assert Fraction(found) == Fraction(one) + Fraction(other)


@given(NUMBERS)
def test_a_number_has_one_form(number: int | Decimal) -> None:
    try:
        once = canonical_number(number)
    except RequestRefused:
        return

    assert once == number
    assert repr(canonical_number(Decimal(str(once)))) == repr(once)
    assert isinstance(once, int) is (once == int(once))


@given(st.dictionaries(TEXT.filter(bool), VALUES, max_size=5))
def test_an_item_is_read_from_its_blob_as_it_was(attributes: dict[str, Value]) -> None:
    try:
        item = {name: canonical(value) for name, value in attributes.items()} | {"pk": "M#1", "sk": "H"}
    except RequestRefused:
        return

    assert repr(decode(encode(item), Key("M#1", "H"))) == repr(item)


@given(TEXT.filter(bool), TEXT)
def test_what_begins_with_a_prefix_lies_between_it_and_its_successor(prefix: str, text: str) -> None:
    above = successor(prefix)

    inside = prefix.encode() <= text.encode() and (above is None or text.encode() < above.encode())

    assert inside is text.startswith(prefix)
    assert prefix + text >= prefix
    assert above is None or (prefix + text).encode() < above.encode()


def test_the_successor_of_the_last_characters() -> None:
    assert successor("a") == "b"
    assert successor("a\U0010ffff") == "b"
    assert successor("\ud7ff") == "\ue000"
    assert successor("\U0010ffff") is None
