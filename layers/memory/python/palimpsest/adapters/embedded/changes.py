"""What an update makes of an item."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import assert_never

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.adapters.table_rules.numbers import total
from palimpsest.ports.table import Add, Change, Item, Remove, Set, Value


def changed(item: Item, changes: Sequence[Change]) -> dict[str, Value]:
    """A copy of the item with the changes made.

    Raises:
        RequestRefused: Something is added to what is not a number, or the sum has more digits than a number may have.
    """
    after = dict(item)
    for change in changes:
        match change:
            case Set():
                after[change.attribute] = change.value
            case Remove():
                after.pop(change.attribute, None)
            case Add():
                after[change.attribute] = _sum(after.get(change.attribute, 0), change)
            case _:
                assert_never(change)
    return after


def _sum(value: Value, change: Add) -> int | Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise RequestRefused(f"{change.attribute} is not a number, so nothing can be added to it")
    return total(value, change.amount)
