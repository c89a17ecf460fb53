"""A search index that a test can make deaf: it holds what it was given, and finds nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.search_index import NO_CANDIDATES, Candidates, Matches, Search, SearchIndex
from tests.support.passing_indexes import PassingIndex, PassingIndexes


@dataclass
class Ears:
    """What the test turns and looks at.

    Attributes:
        deaf: To what kind of question (``keyword``, ``vector``) nothing is found.
        lost: The keys of entries that are never found.
        generation: Only this one is deaf; empty: any.
        asked: Each question: its kind and its space.
        is_down: It answers nothing.
        lacking: Why it answers in part.
        when_asked: Called before each answer.
    """

    deaf: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    generation: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    is_down: bool = False
    lacking: str | None = None
    when_asked: Callable[[], object] = lambda: None


class DeafIndex(PassingIndex):
    """One generation."""

    def __init__(self, ears: Ears, inner: SearchIndex) -> None:
        super().__init__(inner)
        self._ears = ears

    def keyword(self, search: Search) -> Matches:
        found = super().keyword(search)
        return found._replace(candidates=self._heard("keyword", search, found.candidates))

    def vector(self, search: Search) -> Candidates:
        return self._heard("vector", search, super().vector(search))

    def _heard(self, kind: str, search: Search, found: Candidates) -> Candidates:
        self._ears.asked.append((kind, search.space))
        self._ears.when_asked()
        if self._ears.is_down:
            raise IndexUnavailable("index_timeout", "no answer in time")
        is_meant = self._ears.generation in ("", self.generation.id)
        if is_meant and kind in self._ears.deaf:
            return replace(NO_CANDIDATES, lacking=self._ears.lacking)
        kept = [row for row, key in enumerate(found.keys) if key not in self._ears.lost]
        return replace(found.take(np.array(kept, np.int64)), lacking=self._ears.lacking)


class DeafIndexes(PassingIndexes):
    """The engine's generations, kept in a folder."""

    def __init__(self, folder: Path, *, is_remote: bool = False) -> None:
        self.ears = Ears()
        super().__init__(folder, lambda inner: DeafIndex(self.ears, inner), is_remote=is_remote)
