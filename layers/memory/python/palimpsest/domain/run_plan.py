"""The plan of a run: what it means to do, item by item, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final


class ItemState(StrEnum):
    """What became of one item of a plan."""

    PLANNED = "planned"
    APPLIED = "applied"
    SKIPPED = "skipped"
    """There was nothing to do any more, or something else was there than had been planned for."""
    FAILED = "failed"
    UNDONE = "undone"
    KEPT = "kept"
    """It could not be undone, since it was changed after the run."""


@dataclass(frozen=True, slots=True)
class PlanItem:
    """One thing that a run means to do. It holds ids and words of ours, never text of a memory.

    Attributes:
        subject: What it is about: the id of a memory, a conflict …
        revision: The revision of the subject that was seen.
        changes: How many current memories it changes.
        detail: What the kind of run has to remember: ids and words.
        reason: A word that says why it was skipped or kept, or how it failed.
    """

    subject: str
    revision: int
    changes: int = 1
    detail: str = ""
    state: ItemState = ItemState.PLANNED
    reason: str = ""

    def settled(self, state: ItemState, reason: str = "") -> PlanItem:
        """The same after something became of it."""
        return replace(self, state=state, reason=reason)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items there are of each state; `changes`: how many current memories the plan would change."""

    planned: int = 0
    changes: int = 0
    applied: int = 0
    skipped: int = 0
    failed: int = 0
    undone: int = 0
    kept: int = 0

    def adding(self, items: Iterable[PlanItem]) -> Counts:
        """With items that were planned."""
        added = list(items)
        return replace(
            self, planned=self.planned + len(added), changes=self.changes + sum(each.changes for each in added)
        )

    def settling(self, before: Iterable[PlanItem], after: Iterable[PlanItem]) -> Counts:
        """After items went from one state to another. `planned` is how many there were at first, for good."""
        counts = {name: getattr(self, name) for name in _COUNTED.values()}
        for old, new in zip(before, after, strict=True):
            if old.state is not new.state:
                if old.state is not ItemState.PLANNED:
                    counts[_COUNTED[old.state]] -= 1
                counts[_COUNTED[new.state]] += 1
        return replace(self, **counts)


_COUNTED: Final[Mapping[ItemState, str]] = {state: state.value for state in ItemState if state is not ItemState.PLANNED}
