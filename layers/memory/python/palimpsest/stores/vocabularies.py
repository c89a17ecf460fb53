"""The vocabulary of a space: the words that are active, and the revision that says when they changed."""

from __future__ import annotations

from dataclasses import dataclass, field

from palimpsest.domain.naming.validating import Vocabulary
from palimpsest.ports.table import Table
from palimpsest.stores.spaces import Space


@dataclass(frozen=True, slots=True)
class ActiveVocabulary:
    """The words that sources of a space are read with. `revision`: how often they were changed."""

    names: Vocabulary = field(default_factory=Vocabulary)
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Vocabularies:
    """Reads vocabularies."""

    table: Table

    def active(self, space: Space) -> ActiveVocabulary:
        """What is active in the space."""
        return ActiveVocabulary()
