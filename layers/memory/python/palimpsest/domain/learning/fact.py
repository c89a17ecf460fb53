"""A fact that was found in what somebody said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from palimpsest.domain.version import MemoryType


class Span(NamedTuple):
    """Characters of a turn, from the first one on, up to the last one and without it."""

    begin: int
    end: int


class Day(NamedTuple):
    """When something happens, as it was said; `date` is None where the words name no day."""

    phrase: str
    date: date | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that holds, as its speaker says.

    Attributes:
        text: What is remembered: the words themselves, or a model's sentence.
        subject: ``user``, or the name of whom it is about.
        evidence: Where the turn says it.
        day: None where nothing says when.
        confidence: 0 to 1.
    """

    text: str
    memory_type: MemoryType
    subject: str
    evidence: Span
    day: Day | None
    confidence: float
