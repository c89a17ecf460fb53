"""Rules that read one clause, and what they are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from palimpsest.domain.version import MemoryType


class Kind(StrEnum):
    """What sort of thing a clause states."""

    PREFERENCE = "preference"
    DECISION = "decision"
    EVENT = "event"
    PLAN = "plan"
    RELATION = "relation"
    ATTRIBUTE = "attribute"


TYPES: Final = {
    Kind.PREFERENCE: MemoryType.PREFERENCE,
    Kind.DECISION: MemoryType.EPISODE,
    Kind.EVENT: MemoryType.EPISODE,
    Kind.PLAN: MemoryType.EPISODE,
    Kind.RELATION: MemoryType.FACT,
    Kind.ATTRIBUTE: MemoryType.FACT,
}
CONFIDENCE: Final = {
    Kind.PREFERENCE: 0.95,
    Kind.DECISION: 0.9,
    Kind.EVENT: 0.9,
    Kind.PLAN: 0.85,
    Kind.RELATION: 0.95,
    Kind.ATTRIBUTE: 0.85,
}
"""How often a clause that a rule of the kind reads is meant to be right."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """How one language says things of oneself, and of whoever is named before.

    Attributes:
        own: What states something of the speaker, by its kind; the first that fits counts.
        told: The same of another one, who stands before it.
        past: A clause tells of the past.
        own_dated: A clause of the speaker that is worth keeping where it names a day.
        told_dated: The same of another one.
        trifles: What nobody remembers in a month.
    """

    own: tuple[tuple[Kind, re.Pattern[str]], ...]
    told: tuple[tuple[Kind, re.Pattern[str]], ...]
    past: re.Pattern[str]
    own_dated: re.Pattern[str]
    told_dated: re.Pattern[str]
    trifles: re.Pattern[str]


def compiled(text: str, **parts: str) -> re.Pattern[str]:
    """A pattern from lines that are joined; ``{part}`` stands for one of `parts`, a space for white space."""
    for name, part in parts.items():
        text = text.replace("{" + name + "}", "(?:" + "".join(part.split("\n")) + ")")
    return re.compile("".join(line.strip() for line in text.split("\n")).replace(" ", r"\s+"))
