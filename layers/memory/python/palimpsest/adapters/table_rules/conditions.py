"""Conditions: which ones there can be, and whether one holds for an item."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TypeAlias, assert_never

from palimpsest.adapters.table_rules.limits import EXPRESSION_PARTS, RequestRefused
from palimpsest.adapters.table_rules.values import attribute_name, canonical
from palimpsest.ports.table import (
    All,
    AnyOf,
    BeginsWith,
    Between,
    Condition,
    Equals,
    Exists,
    Item,
    Less,
    Missing,
    Value,
)

_Comparison: TypeAlias = Exists | Missing | Equals | Less | Between | BeginsWith


def check_condition(condition: Condition) -> None:
    """Refuses a condition that DynamoDB has no expression for.

    Raises:
        RequestRefused: An empty conjunction, too many comparisons, bounds that are upside down, or of other types.
    """
    comparisons = _comparisons(condition)
    if len(comparisons) > EXPRESSION_PARTS:
        raise RequestRefused(f"a condition has at most {EXPRESSION_PARTS} comparisons, not {len(comparisons)}")
    for comparison in comparisons:
        attribute_name(comparison.attribute)
        _check_operands(comparison)


def holds(condition: Condition | None, item: Item | None) -> bool:
    """Whether the condition holds for the item, or for there being none."""
    match condition:
        case None:
            return True
        case All():
            return all(holds(part, item) for part in condition.conditions)
        case AnyOf():
            return any(holds(part, item) for part in condition.conditions)
        case _:
            return _compare(condition, None if item is None else item.get(condition.attribute))


def same(one: Value, other: Value) -> bool:
    """Whether two values are equal and of one type, at every depth: true is not 1, and 1 is 1.0."""
    if kind(one) != kind(other):
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def kind(value: Value) -> str:
    """DynamoDB's letter for the value's type."""
    match value:
        case str():
            return "S"
        case bytes():
            return "B"
        case bool():
            return "BOOL"
        case int() | Decimal():
            return "N"
        case Mapping():
            return "M"
        case _:
            return "L"


def _comparisons(condition: Condition) -> list[_Comparison]:
    if not isinstance(condition, All | AnyOf):
        return [condition]
    if not condition.conditions:
        raise RequestRefused("All and AnyOf need at least one condition")
    return [comparison for part in condition.conditions for comparison in _comparisons(part)]


def _check_operands(comparison: _Comparison) -> None:
    match comparison:
        case Equals():
            canonical(comparison.value)
        case Less():
            _check_ordered(comparison.value)
        case Between():
            _check_ordered(comparison.low)
            _check_ordered(comparison.high)
            if kind(comparison.low) != kind(comparison.high) or _less(comparison.high, comparison.low):
                raise RequestRefused("the bounds of Between have one type, and the low one is not above the high one")
        case BeginsWith():
            canonical(comparison.prefix)
        case Exists() | Missing():
            pass
        case _:
            assert_never(comparison)


def _check_ordered(value: Value) -> None:
    if kind(canonical(value)) not in {"S", "B", "N"}:
        raise RequestRefused(f"a {type(value).__name__} has no order")


def _compare(comparison: _Comparison, value: Value | None) -> bool:
    if value is None:
        return isinstance(comparison, Missing)
    match comparison:
        case Exists() | Missing():
            return isinstance(comparison, Exists)
        case Equals():
            return same(value, comparison.value)
        case Less():
            return _less(value, comparison.value)
        case Between():
            return _at_most(comparison.low, value) and _at_most(value, comparison.high)
        case BeginsWith():
            return isinstance(value, str) and value.startswith(comparison.prefix)
        case _:
            assert_never(comparison)


def _at_most(one: Value, other: Value) -> bool:
    return kind(one) == kind(other) and not _less(other, one)


def _less(one: Value, other: Value) -> bool:
    match one, other:
        case (str(), str()):
            return one < other  # code points, which order as UTF-8 bytes do
        case (bytes(), bytes()):
            return one < other
        case (int() | Decimal(), int() | Decimal()) if kind(one) == kind(other) == "N":
            return one < other
        case _:
            return False
