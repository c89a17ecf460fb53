"""Bytes by key, outside of the table: the ledger of erased ids, and files as they came.

A key is one of ours, made of ids and hex: parts of letters, digits and ``_.-`` that begin with a letter or a digit,
joined by ``/``. Keys compare as ASCII text, so a part that begins with a time sorts by time. No key is another one with
a ``/`` and more behind it: where keys are paths, that would be a file and a folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

KEY_LIMIT: Final = 512
PART_LIMIT: Final = 200
PAGE_LIMIT: Final = 1_000
_PART: Final = rf"[A-Za-z0-9][A-Za-z0-9_.-]{{0,{PART_LIMIT - 1}}}"
_KEY: Final = re.compile(rf"{_PART}(?:/{_PART})*")
_PREFIX: Final = re.compile(rf"(?:{_PART}/)*(?:{_PART})?")


@dataclass(frozen=True, slots=True)
class BlobPage:
    """A part of a list, in order. `after`: behind which key the next page begins; None when there is none."""

    keys: tuple[str, ...]
    after: str | None


class Blobs(Protocol):
    """A store of bytes. A blob is there whole or not at all, and is seen by everybody once `put` has returned.

    Every method raises BlobsUnavailable when the store does not answer or is not to be used, and ValueError for a key
    that is none.
    """

    def put(self, key: str, content: bytes | Iterable[bytes]) -> None:
        """Keep these bytes under the key, in place of what is there. Nothing is kept of a stream that ends by raising.

        It outlives a loss of power once this has returned.
        """
        ...

    def read(self, key: str, *, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes from `start` up to but without `end`, in chunks; fewer where the blob ends before.

        Raises:
            BlobMissing: There is none, told before the first chunk is asked for.
        """
        ...

    def size(self, key: str) -> int | None:
        """How many bytes it has; None where there is none."""
        ...

    def delete(self, key: str) -> None:
        """Let nothing lie there, nor what a `put` that died has left of it. It need not be there."""
        ...

    def list(self, prefix: str, *, after: str = "", limit: int = PAGE_LIMIT) -> BlobPage:
        """The first keys that begin with `prefix` and lie behind `after`, which need be no blob's; at most 1,000."""
        ...


def checked_key(key: str) -> str:
    """The key; ValueError when it is none."""
    if len(key) > KEY_LIMIT or not _KEY.fullmatch(key):
        raise ValueError("this is no key of a blob")
    return key


def checked_prefix(prefix: str) -> str:
    """The beginning of keys; ValueError when no key begins so."""
    if len(prefix) > KEY_LIMIT or not _PREFIX.fullmatch(prefix):
        raise ValueError("no key of a blob begins like this")
    return prefix
