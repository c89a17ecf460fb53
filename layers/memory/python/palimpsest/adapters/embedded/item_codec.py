"""An item as the blob that SQLite keeps, and back.

The blob is JSON. What JSON has no form for is a map whose only name is empty, which no item can hold: bytes are
``{"": "<base64>"}``, decimals ``{"": ["<digits>"]}``.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from palimpsest.domain.errors import CorruptItem
from palimpsest.ports.table import Item, Key, Value

_TAG = ""


class Unread(Mapping[str, Value]):
    """The item of a blob, decoded when more than its key is asked for. CorruptItem then, where `decode` raises it.

    Who reads a range again and again, and keeps what it has read, looks at nothing but the keys.
    """

    __slots__ = ("_blob", "_item", "_key")

    def __init__(self, blob: bytes, key: Key) -> None:
        self._blob, self._key = blob, key
        self._item: dict[str, Value] | None = None

    def __getitem__(self, name: str) -> Value:
        if self._item is None:
            if name == "sk":
                return self._key.sk
            if name == "pk":
                return self._key.pk
        return self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __repr__(self) -> str:
        return repr(self._whole())

    def _whole(self) -> dict[str, Value]:
        if self._item is None:
            self._item = decode(self._blob, self._key)
        return self._item


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
