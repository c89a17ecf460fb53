"""Items, conditions and changes in DynamoDB's own form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, assert_never

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.adapters.table_rules.numbers import canonical_number
from palimpsest.domain.errors import CorruptItem
from palimpsest.ports.table import (
    Add,
    All,
    AnyOf,
    BeginsWith,
    Between,
    Change,
    Condition,
    Equals,
    Exists,
    Item,
    Key,
    Less,
    Missing,
    Remove,
    Set,
    Value,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef


def to_wire(value: Value) -> AttributeValueTypeDef:
    """The attribute value of a value in canonical form."""
    match value:
        case str():
            return {"S": value}
        case bool():
            return {"BOOL": value}
        case bytes():
            return {"B": value}
        case int() | Decimal():
            return {"N": str(value)}
        case Mapping():
            return {"M": item_to_wire(value)}
        case _:
            return {"L": list(map(to_wire, value))}


def item_to_wire(item: Item) -> dict[str, AttributeValueTypeDef]:
    """The attribute values of an item, by name."""
    return {name: to_wire(value) for name, value in item.items()}


def key_to_wire(key: Key) -> dict[str, AttributeValueTypeDef]:
    """The key as DynamoDB wants it."""
    return {"pk": {"S": key.pk}, "sk": {"S": key.sk}}


def item_from_wire(wire: Mapping[str, AttributeValueTypeDef]) -> dict[str, Value]:
    """The item in canonical form.

    Raises:
        CorruptItem: Somebody else wrote it: it holds a null or a set.
    """
    try:
        return {name: _from_wire(value) for name, value in wire.items()}
    except (ValueError, InvalidOperation) as error:
        raise CorruptItem(str(wire.get("pk")), str(wire.get("sk")), "it holds what this table never writes") from error


def _from_wire(value: AttributeValueTypeDef) -> Value:
    match value:
        case {"S": text}:
            return text
        case {"N": digits}:
            return canonical_number(Decimal(digits))
        case {"BOOL": flag}:
            return flag
        case {"B": octets}:
            return bytes(octets)
        case {"M": members}:
            return {name: _from_wire(member) for name, member in members.items()}
        case {"L": members}:
            return [_from_wire(member) for member in members]
        case _:
            raise RequestRefused("a null or a set")


class Expressions:
    """The expressions of one request; they share their placeholders."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: dict[str, AttributeValueTypeDef] = {}

    def placeholders(self) -> dict[str, Mapping[str, object]]:
        """What the names and values stand for. Absent when there are none: DynamoDB refuses empty ones."""
        placeholders: dict[str, Mapping[str, object]] = {}
        if self._names:
            placeholders["ExpressionAttributeNames"] = {short: name for name, short in self._names.items()}
        if self._values:
            placeholders["ExpressionAttributeValues"] = self._values
        return placeholders

    def name(self, attribute: str) -> str:
        """A placeholder for the attribute, so that no name is ever a reserved word."""
        return self._names.setdefault(attribute, f"#{len(self._names)}")

    def value(self, value: Value) -> str:
        """A placeholder for the value."""
        placeholder = f":{len(self._values)}"
        self._values[placeholder] = to_wire(value)
        return placeholder

    def condition(self, condition: Condition) -> str:
        """The condition as an expression."""
        match condition:
            case All():
                return self._joined(" AND ", condition.conditions)
            case AnyOf():
                return self._joined(" OR ", condition.conditions)
            case Exists():
                return f"attribute_exists({self.name(condition.attribute)})"
            case Missing():
                return f"attribute_not_exists({self.name(condition.attribute)})"
            case _:
                return self._comparison(condition)

    def update(self, changes: Sequence[Change]) -> str:
        """The changes as an expression."""
        clauses: dict[str, list[str]] = {}
        for change in changes:
            name = self.name(change.attribute)
            match change:
                case Set():
                    clauses.setdefault("SET", []).append(f"{name} = {self.value(change.value)}")
                case Add():
                    clauses.setdefault("ADD", []).append(f"{name} {self.value(change.amount)}")
                case Remove():
                    clauses.setdefault("REMOVE", []).append(name)
                case _:
                    assert_never(change)
        return " ".join(f"{verb} {', '.join(parts)}" for verb, parts in clauses.items())

    def _joined(self, word: str, conditions: Sequence[Condition]) -> str:
        return word.join(
            # DynamoDB refuses parentheses that change nothing.
            f"({self.condition(part)})"
            if isinstance(part, All | AnyOf) and len(part.conditions) > 1
            else self.condition(part)
            for part in conditions
        )

    def _comparison(self, condition: Equals | Less | Between | BeginsWith) -> str:
        name = self.name(condition.attribute)
        match condition:
            case Equals():
                return f"{name} = {self.value(condition.value)}"
            case Less():
                return f"{name} < {self.value(condition.value)}"
            case Between():
                return f"{name} BETWEEN {self.value(condition.low)} AND {self.value(condition.high)}"
            case BeginsWith():
                return f"begins_with({name}, {self.value(condition.prefix)})"
            case _:
                assert_never(condition)
