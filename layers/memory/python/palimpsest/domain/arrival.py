"""What arrives of a document: the bytes of an edition, and how far they are read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.ids import KeyId


@dataclass(frozen=True, slots=True)
class Original:
    """The bytes of an edition, as they were sent.

    Attributes:
        blob: Where they lie.
        digest: SHA-256 of them, in hex.
        size: In bytes.
    """

    blob: str
    digest: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """What was sent last, on its way to be the edition that is shown.

    Attributes:
        edition: Its number; each attempt has one of its own.
        sections: How many of its sections are kept already.
        failure: The word that says why it can't be read; empty while it is on its way.
    """

    edition: int
    original: Original
    asked_at: datetime
    asked_by: KeyId
    sections: int = 0
    failure: str = ""
