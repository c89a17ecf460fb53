"""How a memory was learned from a conversation: a part of the version that it says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from palimpsest.domain.ids import ChunkId, DocumentId

USER: Final = "user"
"""The subject of what one says of oneself to an assistant."""


class Method(StrEnum):
    """What found it."""

    RULES = "rules"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Extraction:
    """Where a statement was found, and by what.

    Attributes:
        subject: ``user``, or the name of whom it is about.
        percent: How sure whoever found it is, 0 to 100.
        model: The model's name, as the settings have it; None for rules.
        date_phrase: The words that say when.
        characters: The range of the evidence in the whole text of the conversation; the end is not in it.
    """

    subject: str
    percent: int
    method: Method
    document: DocumentId
    chunk: ChunkId
    characters: tuple[int, int]
    model: str | None = None
    date_phrase: str | None = None

    @property
    def confidence(self) -> float:
        """The same from 0 to 1."""
        return self.percent / 100
