"""Attributes of stored items, read with their types checked: the table returns what others may have written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from palimpsest.domain import instants
from palimpsest.domain.errors import CorruptItem, NewerItem
from palimpsest.ports.table import Item, Key, Value
from palimpsest.stores.kinds import NOW, Kinds

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Reader:
    """An item in its newest form, read attribute by attribute; each method raises CorruptItem where the type is wrong.

    Raises:
        NewerItem: Only a newer release can read it.
    """

    item: Item
    kinds: Kinds = field(default=NOW, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "item", self.kinds.upcast(self.item))

    def text(self, name: str) -> str:
        value = self.item.get(name)
        if not isinstance(value, str):
            raise self._corrupt(name)
        return value

    def bytes(self, name: str) -> bytes:
        value = self.item.get(name)
        if not isinstance(value, bytes):
            raise self._corrupt(name)
        return value

    def flag(self, name: str) -> bool:
        value = self.item.get(name)
        if not isinstance(value, bool):
            raise self._corrupt(name)
        return value

    def integer(self, name: str) -> int:
        value = self.item.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._corrupt(name)
        return value

    def number(self, name: str) -> float:
        value = self.item.get(name)
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self._corrupt(name)
        return float(value)

    def instant(self, name: str) -> datetime:
        return self.parsed(name, instants.read)

    def choice(self, name: str, kind: type[E]) -> E:
        return self.parsed(name, kind)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty when the attribute is missing."""
        values = self.item.get(name, ())
        if isinstance(values, str | bytes) or not isinstance(values, list | tuple):
            raise self._corrupt(name)
        if not all(isinstance(value, str) for value in values):
            raise self._corrupt(name)
        return tuple(values)

    def range(self, name: str) -> tuple[int, int]:
        """Where something begins and ends."""
        match self.item.get(name):
            case [int(begin), int(end)]:
                return begin, end
            case _:
                raise self._corrupt(name)

    def map(self, name: str) -> Reader:
        """A map in the item, to be read like an item."""
        members = self.item.get(name)
        if not isinstance(members, Mapping):
            raise self._corrupt(name)
        place = {"pk": self.item.get("pk", ""), "sk": self.item.get("sk", "")}
        return Reader({**members, **place}, self.kinds)

    def parsed(self, name: str, parse: Callable[[str], T]) -> T:
        try:
            return parse(self.text(name))
        except ValueError as error:
            raise self._corrupt(name) from error

    def optional(self, name: str, read: Callable[[str], T]) -> T | None:
        """What `read` (a method of this reader) gives, or None when the attribute is missing."""
        return read(name) if name in self.item else None

    def _corrupt(self, name: str) -> CorruptItem:
        return CorruptItem(str(self.item.get("pk")), str(self.item.get("sk")), f"attribute {name}")


def readable(read: Callable[[Item], T], stored: Iterable[Item]) -> Iterator[T]:
    """What `read` gives for each item; those that no codec can read are left out.

    Raises:
        NewerItem: A newer release can read it, so it is not passed over.
    """
    for each in stored:
        try:
            yield read(each)
        except NewerItem:
            raise
        except CorruptItem:
            continue


def item(key: Key, **attributes: Value | datetime | None) -> dict[str, Value]:
    """An item from its key and attributes; None is left out, instants become text, empty lists are left out.

    Raises:
        ValueError: `keys.KINDS` has no such kind of item.
    """
    stored: dict[str, Value] = {"pk": key.pk, "sk": key.sk, "_v": NOW.of(key).writes}
    for name, value in attributes.items():
        if value is None or value == () or value == []:
            continue
        stored[name] = instants.write(value) if isinstance(value, datetime) else value
    return stored


def decimal(value: float) -> Decimal:
    """A float as the table keeps numbers: its shortest decimal form."""
    return Decimal(repr(value))
