"""What reads a source for the names in it, and the rules that do so without a model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from palimpsest.domain.graph.links import ReadBy
from palimpsest.domain.language import Linguist
from palimpsest.domain.naming.extracting import extract
from palimpsest.domain.naming.known import UNKNOWN, Known, KnownName, NameIndex
from palimpsest.domain.naming.proposals import Proposals
from palimpsest.stores.spaces import Space
from palimpsest.stores.vocabularies import ActiveVocabulary


@dataclass(frozen=True, slots=True)
class Asked:
    """A text to be read.

    Attributes:
        title: Of its document, with the headings above it; empty of a memory.
        known: What the space knows.
        seen: Capitalised phrases of the text that another source has, too.
    """

    text: str
    space: Space
    known: Known
    vocabulary: ActiveVocabulary
    title: str = ""
    seen: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class NamesRead:
    """What is proposed of a text, and by whom."""

    proposals: Proposals
    by: ReadBy
    model: str | None = None


class NameReader(Protocol):
    """Reads texts."""

    def __call__(self, asked: Asked) -> NamesRead:
        """What the text names and states; nothing of it is valid yet."""
        ...


@dataclass(frozen=True, slots=True)
class ReadByRules:
    """Reads by rules: the same text gives the same names."""

    linguist: Linguist

    def __call__(self, asked: Asked) -> NamesRead:
        seen = NameIndex.of(KnownName(phrase, UNKNOWN) for phrase in asked.seen)
        known = replace(asked.known, seen=seen)
        return NamesRead(extract(asked.text, self.linguist.languages(asked.text), known), ReadBy.RULES)
