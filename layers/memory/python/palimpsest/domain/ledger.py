"""The ledger of erased ids: what outlives the table, so that a backup of it brings nothing back."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from palimpsest.domain.ids import DocumentId, RootId

PREFIX: Final = "erased/"
OVERLAP: Final = timedelta(minutes=10)
"""Clocks differ and a writer may be slow: an entry may appear so long after others that have a later time."""

_KEY: Final = re.compile(rf"{PREFIX}(\d{{8}}T\d{{9}}Z)-([0-9a-f]{{64}})")
_FORMAT: Final = "%Y%m%dT%H%M%S%f"
_NOBODY: Final = "0" * 32
"""Half a digest that is of no id."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """That a memory or a document was erased. Entries sort by their time, as their keys do.

    Attributes:
        at: When it was written, to the millisecond.
        digest: SHA-256 of its id, in hex.
    """

    at: datetime
    digest: str

    @property
    def key(self) -> str:
        """Under which it lies in the store of blobs; the key is the whole entry."""
        return f"{_place(self.at)}-{self.digest}"

    @property
    def is_first(self) -> bool:
        """It is about no memory: a ledger begins with it, so that a table can tell its own ledger from another."""
        return self.digest.startswith(_NOBODY)


def digest_of(subject: RootId | DocumentId) -> str:
    """What the ledger calls a memory or a document."""
    return hashlib.sha256(subject.encode()).hexdigest()


def first_entry(at: datetime, randomness: bytes) -> Entry:
    """How a ledger begins; `randomness`: 16 bytes."""
    return Entry(at, _NOBODY + randomness.hex())


def parse_entry(key: str) -> Entry | None:
    """The entry under a key; None for what is no entry."""
    match = _KEY.fullmatch(key)
    if match is None:
        return None
    try:
        return Entry(datetime.strptime(match[1][:-1], _FORMAT).replace(tzinfo=UTC), match[2])
    except ValueError:
        return None


def before(entry: Entry) -> str:
    """Where a list begins that misses nothing which may have appeared after this entry."""
    return _place(entry.at - OVERLAP)


def _place(at: datetime) -> str:
    return f"{PREFIX}{at:%Y%m%dT%H%M%S}{at.microsecond // 1000:03d}Z"
