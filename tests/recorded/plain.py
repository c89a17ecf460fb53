"""Items and what they mean, as JSON and back."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np

from palimpsest.ports.table import Item, Value


def written(value: Value) -> Any:
    """A stored value as JSON; bytes and decimals are marked."""
    match value:
        case bytes():
            return {"bytes": base64.b64encode(value).decode()}
        case Decimal():
            return {"decimal": str(value)}
        case str() | bool() | int():
            return value
        case Mapping():
            return {"map": {name: written(member) for name, member in value.items()}}
        case _:
            return [written(member) for member in value]


def stored(value: Any) -> Any:
    """The value that `written` wrote."""
    match value:
        case {"bytes": text}:
            return base64.b64decode(text)
        case {"decimal": text}:
            return Decimal(text)
        case {"map": members}:
            return {name: stored(member) for name, member in members.items()}
        case list():
            return [stored(member) for member in value]
        case _:
            return value


def item_of(recorded: Mapping[str, Any]) -> Item:
    return {name: stored(value) for name, value in recorded.items()}


def plain(value: Any) -> Any:
    """What a store gives, as JSON: the fields of dataclasses by name."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(_fields(value))
    match value:
        case np.ndarray():
            return [[round(float(number), 4) for number in row] for row in value]
        case date():
            return value.isoformat()
        case bytes():
            return base64.b64encode(value).decode()
        case Mapping():
            return {str(name): plain(member) for name, member in value.items()}
        case tuple() | list():
            return [plain(member) for member in value]
        case frozenset():
            return sorted(map(plain, value))
        case _:
            return str(value) if isinstance(value, str) else value


def _fields(value: Any) -> dict[str, Any]:
    return {each.name: getattr(value, each.name) for each in fields(value)}


def says_all_of(now: Any, then: Any) -> bool:
    """Whether `now` has everything that `then` had; fields that came since are fine."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(name in now and says_all_of(now[name], member) for name, member in then.items())
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(says_all_of, now, then))
    return bool(now == then)
