"""Values as every table gives them back, and how many bytes they count."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from palimpsest.adapters.table_rules.limits import NESTING_LEVELS, RequestRefused
from palimpsest.adapters.table_rules.numbers import canonical_number, number_size
from palimpsest.ports.table import Item, Value

_CONTAINER_BYTES = 3
_ELEMENT_BYTES = 1


def canonical(value: object, level: int = 1) -> Value:
    """The value as it will be read again: tuples as lists, whole decimals as ints, maps as dicts of their own.

    Raises:
        RequestRefused: Something that the table can't hold, at any depth.
    """
    match value:
        case str():
            return canonical_text(value)
        case bool() | bytes():
            return value
        case int() | Decimal():
            return canonical_number(value)
        case list() | tuple() | Mapping():
            return _container(value, level + 1)
        case _:
            raise RequestRefused(f"the table holds no {type(value).__name__}")


def canonical_text(text: str) -> str:
    """The same text.

    Raises:
        RequestRefused: It has a lone surrogate, so it has no UTF-8 form.
    """
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise RequestRefused("text must be encodable as UTF-8") from error
    return text


def attribute_name(name: object) -> str:
    """The same name.

    Raises:
        RequestRefused: Not text, or empty.
    """
    if not isinstance(name, str) or not name:
        raise RequestRefused("a name in an item must be text and not empty")
    return canonical_text(name)


def item_size(item: Item) -> int:
    """Bytes that an item counts: its names and its values.

    Source: "DynamoDB item sizes and formats" of AWS's developer guide.
    """
    return sum(text_size(name) + value_size(value) for name, value in item.items())


def value_size(value: Value) -> int:
    """Bytes that a value counts."""
    match value:
        case str():
            return text_size(value)
        case bool():
            return 1
        case bytes():
            return len(value)
        case int() | Decimal():
            return number_size(value)
        case Mapping():
            return _CONTAINER_BYTES + item_size(value) + _ELEMENT_BYTES * len(value)
        case _:
            return _CONTAINER_BYTES + sum(map(value_size, value)) + _ELEMENT_BYTES * len(value)


def text_size(text: str) -> int:
    """Bytes of the text's UTF-8 form."""
    return len(text) if text.isascii() else len(text.encode())


def _container(value: list[object] | tuple[object, ...] | Mapping[object, object], level: int) -> Value:
    if value and level > NESTING_LEVELS:
        raise RequestRefused(f"a value is at most {NESTING_LEVELS} levels deep")
    if isinstance(value, Mapping):
        return {attribute_name(name): canonical(member, level) for name, member in value.items()}
    return [canonical(member, level) for member in value]
