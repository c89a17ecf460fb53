"""The place of the judge in a save: asked before a belief is written that nobody said word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from palimpsest.domain.judgement import UNJUDGED, Verdict
from palimpsest.domain.version import Statement
from palimpsest.stores.changes import Features
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drafts import JudgeMode


@dataclass(frozen=True, slots=True)
class Asked:
    """A statement to be judged, with what it is found by."""

    space: Space
    statement: Statement
    features: Features
    mode: JudgeMode


class Judge(Protocol):
    """Compares statements with what their space believes now."""

    def __call__(self, asked: Sequence[Asked]) -> Sequence[Verdict]:
        """A verdict on each, in order; they are given together so that what all need is read once.

        It never fails a save: what could not be compared is not judged.
        """
        ...


def unjudged(asked: Sequence[Asked]) -> Sequence[Verdict]:
    """The judge of an installation without one: whatever is not there word for word is new."""
    return [UNJUDGED] * len(asked)
