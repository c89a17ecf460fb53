"""Writes, done on the rows of the file: conditions first, then changes, then sizes, then rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import assert_never

from palimpsest.adapters.embedded import rows
from palimpsest.adapters.embedded.change_stream import ChangeStream
from palimpsest.adapters.embedded.changes import changed
from palimpsest.adapters.embedded.commits import ItemChange, Transaction
from palimpsest.adapters.embedded.units import index_units, write_units
from palimpsest.adapters.table_rules.conditions import holds
from palimpsest.adapters.table_rules.requests import check_item_size, check_transaction_size, key_of
from palimpsest.adapters.table_rules.values import item_size
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Check, Delete, Item, Key, Put, Units, Update, Write, Written


@dataclass(frozen=True, slots=True)
class _Outcome:
    key: Key
    before: rows.Stored | None
    after: Item | None
    size: int


class Writer:
    """Does writes in canonical form within a transaction, and leaves their records in the stream."""

    def __init__(self, stream: ChangeStream) -> None:
        self._stream = stream

    def write(self, transaction: Transaction, write: Put | Update | Delete) -> Written:
        """One write by itself.

        Raises:
            ConditionFailed: Its condition does not hold.
            ItemTooLarge: The item would pass 400 KB.
        """
        (outcome,) = _outcomes(transaction, (write,))
        units = self._apply(transaction, write, outcome, in_transaction=False)
        return Written(outcome.after if isinstance(write, Update) else None, Units(write=units))

    def transact(self, transaction: Transaction, writes: Sequence[Write]) -> Units:
        """All writes or none.

        Raises:
            ConditionFailed: With the positions of all whose condition does not hold.
            ItemTooLarge: An item would pass 400 KB or the whole 4 MB.
        """
        outcomes = _outcomes(transaction, writes)
        check_transaction_size(sum(outcome.size for outcome in outcomes))
        pairs = zip(writes, outcomes, strict=True)
        return Units(write=sum((self._apply(transaction, *pair, in_transaction=True) for pair in pairs), Decimal(0)))

    def expire(self, transaction: Transaction, now: int, limit: int) -> int:
        """How many items were taken away whose time to live was over before now; at most so many."""
        expired = rows.find_expired(transaction.connection, now, limit)
        for key, stored in expired:
            rows.remove(transaction.connection, stored)
            self._note(transaction, ItemChange(key, stored.item, None))
        return len(expired)

    def _apply(self, transaction: Transaction, write: Write, outcome: _Outcome, *, in_transaction: bool) -> Decimal:
        before = outcome.before
        units = write_units(before.size if before else 0, outcome.size, in_transaction=in_transaction)
        if isinstance(write, Check):
            return units
        if outcome.after is not None:
            rows.store(transaction.connection, outcome.after, outcome.size, before)
        elif before is not None:
            rows.remove(transaction.connection, before)
        change = ItemChange(outcome.key, before.item if before else None, outcome.after)
        self._note(transaction, change)
        return units + index_units(change.before, change.after)

    def _note(self, transaction: Transaction, change: ItemChange) -> None:
        transaction.changes.append(change)
        self._stream.append(transaction, change)


def _outcomes(transaction: Transaction, writes: Sequence[Write]) -> list[_Outcome]:
    keys = list(map(key_of, writes))
    found = [rows.find(transaction.connection, key) for key in keys]
    items = [stored.item if stored else None for stored in found]
    failed = tuple(
        position
        for position, (write, item) in enumerate(zip(writes, items, strict=True))
        if not holds(write.condition, item)
    )
    if failed:
        raise ConditionFailed(failed)
    outcomes = []
    for write, key, stored in zip(writes, keys, found, strict=True):
        after = _after(write, key, stored.item if stored else None)
        size = item_size(after) if after is not None else 0
        check_item_size(size)
        outcomes.append(_Outcome(key, stored, after, size))
    return outcomes


def _after(write: Write, key: Key, before: Item | None) -> Item | None:
    match write:
        case Put():
            return write.item
        case Update():
            return changed(before or {"pk": key.pk, "sk": key.sk}, write.changes)
        case Delete():
            return None
        case Check():
            return before
        case _:
            assert_never(write)
