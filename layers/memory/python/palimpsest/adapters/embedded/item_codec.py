"""An item as the blob that SQLite keeps, and back.

The blob is JSON. What JSON has no form for is a map whose only name is empty, which no item can hold: bytes are
``{"": "<base64>"}``, decimals ``{"": ["<digits>"]}``.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from decimal import Decimal, InvalidOperation
from typing import Any

from palimpsest.domain.errors import CorruptItem
from palimpsest.ports.table import Item, Key, Value

_TAG = ""


def _tagged(value: object) -> dict[str, str | list[str]]:
    if isinstance(value, bytes):
        return {_TAG: b64encode(value).decode()}
    if isinstance(value, Decimal):
        return {_TAG: [str(value)]}
    raise TypeError(f"no item in canonical form holds a {type(value).__name__}")


def _untagged(read: dict[str, Any]) -> Value:
    if _TAG not in read:
        return read
    tagged = read[_TAG]
    return b64decode(tagged, validate=True) if isinstance(tagged, str) else Decimal(tagged[0])


_encoder = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"), default=_tagged)
_decoder = json.JSONDecoder(object_hook=_untagged)


def encode(item: Item) -> bytes:
    """The blob of an item in canonical form."""
    return _encoder.encode(item).encode()


def decode(blob: bytes, key: Key) -> dict[str, Value]:
    """The item of a blob.

    Raises:
        CorruptItem: The blob is damaged, or holds another item than the one under the key.
    """
    try:
        item = _decoder.decode(blob.decode())
    except (ValueError, InvalidOperation, LookupError, TypeError) as error:
        raise CorruptItem(*key, f"its blob is damaged ({type(error).__name__})") from error
    if not isinstance(item, dict) or (item.get("pk"), item.get("sk")) != key:
        raise CorruptItem(*key, "its blob holds another item")
    return item
