"""What runs over a selection have in common: the plan, and whether a memory is still meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.belief import Head, State
from palimpsest.domain.ids import RootId
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import PlanItem
from palimpsest.jobs.run_kinds import Planned
from palimpsest.stores.beliefs import Belief, Beliefs
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases import selecting
from palimpsest.usecases.selecting import Select

_LOOKED_AT: Final = 500
"""Beliefs that one part of the plan looks at."""


@dataclass(frozen=True, slots=True)
class Matching:
    """Finds what a run's selection means."""

    select: Select
    beliefs: Beliefs
    spaces: Spaces

    def plan(self, run: Run, states: Sequence[State]) -> Planned:
        """The next of the memories that the selection means, newest first."""
        found = self.select(self.space(run), selecting.read(run.asked), states, run.place, _LOOKED_AT)
        return Planned([PlanItem(head.root, head.revision) for head in found.heads], found.place)

    def head(self, item: PlanItem) -> Head | None:
        """The head as it stands; None when there is none."""
        root = RootId(item.subject)
        return self.beliefs.heads([root]).get(root)

    def is_meant(self, run: Run, item: PlanItem, belief: Belief) -> bool:
        """It is as the plan saw it, or the selection means it still."""
        if belief.head.revision == item.revision:
            return True
        return bool(self.select.passing(run.space, selecting.read(run.asked), [(belief.head, belief.current)]))

    def space(self, run: Run) -> Space:
        """The space of the run."""
        return self.spaces.by_id(run.space)
