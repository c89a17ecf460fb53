"""The table: the small language that DynamoDB and the embedded store both speak.

Items lie under a partition key and a sort key. Two sparse indexes hold the items that carry an index's attributes; they
project keys only and may lag, so what is found through one is read again. Keys compare as UTF-8 bytes.

Reserved attributes: ``pk`` and ``sk`` (the key), ``g1pk``, ``g1sk``, ``g2pk``, ``g2sk`` (the indexes: text, both of a
pair or neither), ``ttl`` (epoch seconds after which the item may vanish; until it does it is still returned).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeAlias

Value: TypeAlias = str | bytes | bool | int | Decimal | Sequence["Value"] | Mapping[str, "Value"]
"""What an attribute may hold. No float, no null, no set; numbers of at most 38 digits."""

Item: TypeAlias = Mapping[str, Value]


class Key(NamedTuple):
    """Where an item lies: partition and sort key, both text and neither empty."""

    pk: str
    sk: str


class Index(StrEnum):
    """The two sparse indexes."""

    ONE = "g1"
    TWO = "g2"


# --- conditions: over top-level attributes of the item that is about to change ---


@dataclass(frozen=True, slots=True)
class Exists:
    """The item has the attribute. ``Exists("pk")``: there is an item."""

    attribute: str


@dataclass(frozen=True, slots=True)
class Missing:
    """The item lacks the attribute. ``Missing("pk")``: there is no item."""

    attribute: str


@dataclass(frozen=True, slots=True)
class Equals:
    """The attribute is there and equal; numbers compare as numbers."""

    attribute: str
    value: Value


@dataclass(frozen=True, slots=True)
class Less:
    """The attribute is there, of the same type, and less; text and bytes compare as bytes."""

    attribute: str
    value: str | bytes | int | Decimal


@dataclass(frozen=True, slots=True)
class Between:
    """The attribute is there, of the same type, and within the bounds, both included."""

    attribute: str
    low: str | bytes | int | Decimal
    high: str | bytes | int | Decimal


@dataclass(frozen=True, slots=True)
class BeginsWith:
    """The attribute is text and begins so."""

    attribute: str
    prefix: str


@dataclass(frozen=True, slots=True)
class All:
    """Each of the conditions holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the conditions holds."""

    conditions: tuple[Condition, ...]


Condition: TypeAlias = Exists | Missing | Equals | Less | Between | BeginsWith | All | AnyOf


# --- changes: what an update does to top-level attributes ---


@dataclass(frozen=True, slots=True)
class Set:
    """Give the attribute this value."""

    attribute: str
    value: Value


@dataclass(frozen=True, slots=True)
class Add:
    """Add to a number; a missing attribute counts as 0."""

    attribute: str
    amount: int | Decimal


@dataclass(frozen=True, slots=True)
class Remove:
    """Take the attribute away; no matter if it is not there."""

    attribute: str


Change: TypeAlias = Set | Add | Remove


# --- writes ---


@dataclass(frozen=True, slots=True)
class Put:
    """Store the item whole, in place of the one under its key."""

    item: Item
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """Change attributes of the item under the key; makes the item when there is none."""

    key: Key
    changes: tuple[Change, ...]
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Take the item away; no matter if there is none."""

    key: Key
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Change nothing, but let the transaction fail unless the condition holds."""

    key: Key
    condition: Condition


Write: TypeAlias = Put | Update | Delete | Check


# --- reads ---


@dataclass(frozen=True, slots=True)
class Query:
    """An ordered range of one partition, of the table or of an index.

    Attributes:
        pk: The partition (of the index when one is given).
        index: None for the table itself.
        prefix: Only sort keys that begin so; not together with bounds.
        low, high: Only sort keys within the bounds, both included; either may be open.
        descending: Highest sort key first.
        limit: At most so many items; a page also ends at 1 MB.
        after: The ``next_cursor`` of the page before.
        consistent: Strong read; refused on an index.
    """

    pk: str
    index: Index | None = None
    prefix: str | None = None
    low: str | None = None
    high: str | None = None
    descending: bool = False
    limit: int | None = None
    after: Cursor | None = None
    consistent: bool = False


class Cursor(NamedTuple):
    """Where a page ended. On an index also the index's sort key."""

    pk: str
    sk: str
    index_sk: str | None = None


class Units(NamedTuple):
    """Capacity that an operation consumes by AWS's formula, indexes included."""

    read: Decimal = Decimal(0)
    write: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Page:
    """Items in key order. From an index an item holds its key and the index's attributes only."""

    items: tuple[Item, ...]
    next_cursor: Cursor | None
    units: Units


@dataclass(frozen=True, slots=True)
class Read:
    """The items that were found, by key; what was not found is not in it."""

    items: Mapping[Key, Item]
    units: Units


@dataclass(frozen=True, slots=True)
class Written:
    """What a write left behind. ``item`` is the whole item after an `Update`, else None."""

    item: Item | None
    units: Units


class Table(Protocol):
    """Every method may raise `domain.errors.TableThrottled` or `TableUnavailable` when its own retries are used up."""

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        """Items by key, any number of keys, in as few calls as it takes."""
        ...

    def query(self, query: Query) -> Page:
        """One page of a range. A page may be short, even empty, and yet have a ``next_cursor``."""
        ...

    def write(self, write: Put | Update | Delete) -> Written:
        """One write.

        Raises:
            ConditionFailed: The condition does not hold; nothing was written.
            ItemTooLarge: The item would pass 400 KB.
        """
        ...

    def transact(self, writes: Sequence[Write]) -> Units:
        """Up to 100 writes of at most 4 MB, all or none, each on an item of its own.

        A conflict with another transaction is retried as it is; only a failed condition reaches the caller.

        Raises:
            ConditionFailed: ``failed`` names the positions whose condition does not hold; nothing was written.
            ItemTooLarge: An item would pass 400 KB or the whole 4 MB.
        """
        ...

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        """Any number of unconditional writes, not atomic together; returns when all are done."""
        ...


class WholeTable(Table, Protocol):
    """A table that can also be walked from end to end: for background work, since no request reads everything."""

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        """One page of all items, in an order of the table's own, from behind the ``next_cursor`` of the page before.

        Reads are eventual. An item that lies there during the whole walk is in it; what comes or goes meanwhile may be
        or not. The cursor outlives the process. A page ends at `limit` items and at 1 MB; it may be empty and yet have
        a ``next_cursor``.
        """
        ...
