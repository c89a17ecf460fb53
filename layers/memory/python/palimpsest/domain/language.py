"""What is known about natural languages, from outside."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol


class Language(StrEnum):
    """The languages whose words are stemmed."""

    ENGLISH = "en"
    POLISH = "pl"


class Linguist(Protocol):
    """A stemmer and a guesser of languages."""

    def languages(self, text: str) -> tuple[Language, ...]:
        """The languages that `text` is likely in: one, or all when unsure, or none of them (empty)."""
        ...

    def stems(self, words: Sequence[str], language: Language) -> list[str]:
        """The stem of each word, in order, diacritics kept."""
        ...
