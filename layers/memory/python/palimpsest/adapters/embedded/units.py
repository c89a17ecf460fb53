"""The capacity that an operation would consume on DynamoDB, on demand.

Sources: "DynamoDB read and write operations" and "Using Global Secondary Indexes" of AWS's developer guide. That checks
consume as much as writes, and that a transaction does not double what its indexes consume, the pages don't say; both
were measured on the service by the makers of the emulator that the contract suite runs on.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from palimpsest.adapters.table_rules.values import item_size
from palimpsest.ports.table import Index, Item

_READ_BYTES: Final = 4 * 1024
_WRITE_BYTES: Final = 1024
_EVENTUAL: Final = Decimal("0.5")
_STRONG: Final = Decimal(1)


def read_units(size: int, *, consistent: bool) -> Decimal:
    """Units of reading so many bytes; nothing costs as much as a little."""
    return _steps(size, _READ_BYTES) * (_STRONG if consistent else _EVENTUAL)


def read_units_of_each(sizes: Iterable[int], *, consistent: bool) -> Decimal:
    """Units of reading items by key, each rounded up by itself. What was not found has size 0."""
    return sum((read_units(size, consistent=consistent) for size in sizes), start=Decimal(0))


def write_units(before: int, after: int, *, in_transaction: bool) -> Decimal:
    """Units of the table for one write (or check) of an item that had so many bytes and has so many now."""
    return Decimal(_steps(max(before, after), _WRITE_BYTES) * (2 if in_transaction else 1))


def index_units(before: Item | None, after: Item | None) -> Decimal:
    """Units of both indexes for one write: 1 to enter or leave, 2 to move, nothing when the entry stays as it is."""
    units = 0
    for index in Index:
        left, entered = index_entry(before, index), index_entry(after, index)
        if left != entered:
            units += sum(_steps(item_size(entry), _WRITE_BYTES) for entry in (left, entered) if entry is not None)
    return Decimal(units)


def index_entry(item: Item | None, index: Index) -> Item | None:
    """What an index holds of the item: keys only. None when it is not in the index."""
    names = (f"{index}pk", f"{index}sk")
    if item is None or not all(name in item for name in names):
        return None
    return {name: item[name] for name in ("pk", "sk", *names)}


def _steps(size: int, step: int) -> int:
    return max(1, -(-size // step))
