"""Requests in canonical form, refused when DynamoDB would refuse them: before anything is sent or written.

What depends on the stored item (a sum that grows too long, an item that grows too large) is checked where it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar, assert_never

from palimpsest.adapters.table_rules import limits
from palimpsest.adapters.table_rules.conditions import check_condition, kind
from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.adapters.table_rules.numbers import canonical_number
from palimpsest.adapters.table_rules.values import (
    attribute_name,
    canonical,
    canonical_text,
    item_size,
    text_size,
    value_size,
)
from palimpsest.domain.errors import ItemTooLarge
from palimpsest.ports.table import Add, Change, Check, Delete, Item, Key, Put, Remove, Set, Update, Value, Write

KEY_BYTES = {"pk": limits.PARTITION_KEY_BYTES, "sk": limits.SORT_KEY_BYTES}
INDEX_BYTES = {f"{index}{part}": size for index in ("g1", "g2") for part, size in KEY_BYTES.items()}
_KEYS_BYTES = KEY_BYTES | INDEX_BYTES

_AnyWrite = TypeVar("_AnyWrite", bound=Write)


def key_of(write: Write) -> Key:
    """Where the write's item lies."""
    if not isinstance(write, Put):
        return write.key
    return Key(str(write.item["pk"]), str(write.item["sk"]))


def canonical_write(write: _AnyWrite) -> _AnyWrite:
    """The same write with its values in canonical form.

    Raises:
        RequestRefused: The table's language has no such write.
        ItemTooLarge: A put of more than 400 KB.
    """
    if write.condition is not None:
        check_condition(write.condition)
    match write:
        case Put():
            return replace(write, item=canonical_item(write.item))
        case Update():
            check_key(write.key)
            return replace(write, changes=_canonical_changes(write.changes))
        case Delete() | Check():
            check_key(write.key)
            return write
        case _:
            assert_never(write)


def canonical_transaction(writes: Sequence[Write]) -> tuple[Write, ...]:
    """The same writes in canonical form.

    Raises:
        RequestRefused: None or too many, two on one item, or one of them can't be.
        ItemTooLarge: An item of more than 400 KB, or more than 4 MB altogether.
    """
    if not 1 <= len(writes) <= limits.TRANSACTION_WRITES:
        raise RequestRefused(f"a transaction has 1 to {limits.TRANSACTION_WRITES} writes, not {len(writes)}")
    canonical_writes = tuple(map(canonical_write, writes))
    check_distinct(map(key_of, canonical_writes))
    check_transaction_size(sum(map(_sent_bytes, canonical_writes)))
    return canonical_writes


def canonical_batch(writes: Sequence[Put | Delete]) -> tuple[Put | Delete, ...]:
    """The same writes in canonical form.

    Raises:
        RequestRefused: One has a condition, two are on one item (they have no order), or one can't be.
        ItemTooLarge: An item of more than 400 KB.
    """
    if any(write.condition is not None for write in writes):
        raise RequestRefused("a write of a batch has no condition; use a transaction")
    if any(not isinstance(write, Put | Delete) for write in writes):
        raise RequestRefused("a batch has puts and deletes only")
    canonical_writes = tuple(map(canonical_write, writes))
    check_distinct(map(key_of, canonical_writes))
    return canonical_writes


def canonical_item(item: Item) -> dict[str, Value]:
    """A copy of the item in canonical form.

    Raises:
        RequestRefused: Without a key, half of an index's pair, or with what the table can't hold.
        ItemTooLarge: More than 400 KB.
    """
    copy = {attribute_name(name): canonical(value) for name, value in item.items()}
    check_key(Key(copy.get("pk"), copy.get("sk")))  # type: ignore[arg-type]  # the check is what is wanted
    for name in (*INDEX_BYTES, "ttl"):
        if name in copy:
            _check_reserved(name, copy[name])
    for index in ("g1", "g2"):
        if (f"{index}pk" in copy) is not (f"{index}sk" in copy):
            raise RequestRefused(f"{index}pk and {index}sk go together")
    check_item_size(item_size(copy))
    return copy


def check_key(key: Key) -> None:
    """Refuses keys that are not text, empty or too long."""
    for name, text in zip(("pk", "sk"), key, strict=True):
        check_key_text(name, text)


def check_key_text(name: str, text: object) -> None:
    """Refuses what can't stand in a key or in an index's key."""
    if not isinstance(text, str) or not text:
        raise RequestRefused(f"{name} must be text and not empty")
    canonical_text(text)
    if text_size(text) > _KEYS_BYTES[name]:
        raise RequestRefused(f"{name} has at most {_KEYS_BYTES[name]:,} bytes, not {text_size(text):,}")


def check_distinct(keys: Iterable[Key]) -> None:
    """Refuses two writes on one item."""
    seen: set[Key] = set()
    for key in keys:
        if key in seen:
            raise RequestRefused("two writes of one request are on the same item")
        seen.add(key)


def check_item_size(size: int) -> None:
    """Refuses more than 400 KB."""
    if size > limits.ITEM_BYTES:
        raise ItemTooLarge(f"an item has at most {limits.ITEM_BYTES:,} bytes, this one has {size:,}; split it")


def check_transaction_size(size: int) -> None:
    """Refuses more than 4 MB."""
    if size > limits.TRANSACTION_BYTES:
        raise ItemTooLarge(
            f"a transaction has at most {limits.TRANSACTION_BYTES:,} bytes, this one has {size:,}; write fewer items"
        )


def _canonical_changes(changes: Sequence[Change]) -> tuple[Change, ...]:
    if not 1 <= len(changes) <= limits.EXPRESSION_PARTS:
        raise RequestRefused(f"an update has 1 to {limits.EXPRESSION_PARTS} changes, not {len(changes)}")
    names = {attribute_name(change.attribute) for change in changes}
    if len(names) < len(changes):
        raise RequestRefused("an update changes an attribute once")
    if names & {"pk", "sk"}:
        raise RequestRefused("an item's key never changes; put another item and delete this one")
    return tuple(map(_canonical_change, changes))


def _canonical_change(change: Change) -> Change:
    match change:
        case Set():
            value = canonical(change.value)
            _check_reserved(change.attribute, value)
            return replace(change, value=value)
        case Add():
            if change.attribute in INDEX_BYTES or kind(canonical(change.amount)) != "N":
                raise RequestRefused("only a number is added, and only to a number")
            return replace(change, amount=canonical_number(change.amount))
        case Remove():
            return change
        case _:
            assert_never(change)


def _check_reserved(name: str, value: Value) -> None:
    if name in INDEX_BYTES:
        check_key_text(name, value)
    if name == "ttl" and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= limits.LATEST_TTL):
        raise RequestRefused("ttl is a whole number of seconds since 1970")


def _sent_bytes(write: Write) -> int:
    if isinstance(write, Put):
        return item_size(write.item)
    if isinstance(write, Update):
        return sum(value_size(change.value) for change in write.changes if isinstance(change, Set))
    return 0
