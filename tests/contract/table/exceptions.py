"""Where an emulator is not what DynamoDB is: which tests of the suite don't hold there, and why.

A test that is named here is expected to fail. When it passes, the emulator was repaired, and the line must go.
"""

from __future__ import annotations

from typing import NamedTuple


class Deviation(NamedTuple):
    """One test, or all of a module, on one backend."""

    backend: str
    test: str
    reason: str
    is_run: bool = True
    """False for what would fail only now and then."""


DEVIATIONS = (
    Deviation("moto", "test_concurrency", "its transactions are not atomic under threads", is_run=False),
    Deviation("moto", "test_units", "it says that each call consumed one unit", is_run=False),
    Deviation(
        "moto",
        "test_values_of_different_types_are_neither_equal_nor_ordered",
        "it compares values as Python does: True is 1, and 1 < '2' is a TypeError",
    ),
    Deviation(
        "moto",
        "test_a_page_that_ends_at_its_limit_has_a_cursor_also_at_the_end",
        "it looks ahead, and gives no key when nothing follows",
    ),
    Deviation(
        "moto",
        "test_an_item_of_exactly_400_kilobytes_is_taken_and_one_byte_more_is_not",
        "its limit is 405,000 bytes",
    ),
    Deviation("moto", "test_a_sum_with_too_many_digits_is_refused", "it adds with 28 digits and rounds"),
    Deviation("ministack", "test_a_sum_with_too_many_digits_is_refused", "it adds with 28 digits and rounds"),
    Deviation("ministack", "test_numbers_of_38_digits_add_exactly", "it adds with 28 digits and rounds"),
    Deviation(
        "ministack",
        "test_only_text_begins_with_text",
        "it refuses begins_with on an attribute that is no text; DynamoDB refuses only such operands",
    ),
    Deviation(
        "ministack",
        "test_reading_one_large_item_consumes_one_unit_for_each_4_kilobytes",
        "it says that each read consumed one unit, or half of one",
    ),
    Deviation(
        "ministack",
        "test_reading_several_items_rounds_each_of_them_up",
        "its BatchGetItem does not say what it consumed",
    ),
    Deviation(
        "ministack", "test_a_range_rounds_its_sum_up", "it says that each query consumed one unit, or half of one"
    ),
)
