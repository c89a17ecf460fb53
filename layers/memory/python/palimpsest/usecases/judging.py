"""The place of the judge in a save: asked before a belief is written that nobody said word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from palimpsest.domain.judgement import Verdict
from palimpsest.domain.version import Statement
from palimpsest.ports.embedder import Vector
from palimpsest.stores.changes import Features
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drafts import JudgeMode
from palimpsest.usecases.neighbours import Around

ALIKE: Final = 0.9
"""Cosine below which nothing is compared. Of the 82 restatements of `tests/corpora/judge` that the rules know, the
least alike have .915 with multilingual E5 small; of its likely contradictions .916 (2026-11-30)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A statement to be judged, with what it is found by. `around`: what is around it, if that was read already."""

    space: Space
    statement: Statement
    features: Features
    mode: JudgeMode
    around: Around | None = None


class Judge(Protocol):
    """Compares statements with what their space believes now."""

    def __call__(self, asked: Sequence[Asked]) -> Sequence[Verdict]:
        """A verdict on each, in order; they are given together so that what all need is read once.

        It never fails a save: what could not be compared is not judged.
        """
        ...


def depends_on_earlier(spaces: Sequence[Space], vectors: Sequence[Vector]) -> list[bool]:
    """Of statements that come together, which are so like an earlier one that they are judged when that is written."""
    first = [each[0] if len(each) else None for each in vectors]
    earlier: dict[Space, list[Vector]] = {}
    found = []
    for space, vector in zip(spaces, first, strict=True):
        before = earlier.setdefault(space, [])
        found.append(bool(before) and vector is not None and bool((np.stack(before) @ vector).max() >= ALIKE))
        before += [] if vector is None else [vector]
    return found
