"""What may be put into a context, and where it stands there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final


class Section(StrEnum):
    """The parts of a context that can be asked for, in the order in which they stand there."""

    PROFILE = "profile"
    RELEVANT = "relevant"
    RECENT = "recent"
    DECISIONS = "decisions"


PINNED: Final = "pinned"
"""The part before all others: what is pinned, whichever section proposed it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory, or one part of a document, that is proposed for a section.

    Attributes:
        key: What it is told by, with its version.
        root: What it is a version of; the same as `key` for a part of a document.
        said_at: When it was said; None where that means nothing.
        about: What it is about, or where it stands, told before the text; may be empty.
        made_from: The roots of what it was consolidated from.
    """

    key: str
    root: str
    text: str
    said_at: datetime | None = None
    about: str = ""
    is_pinned: bool = False
    made_from: frozenset[str] = frozenset()
