"""Restore: a forgotten belief is back as it was, live or retired."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Memory, State
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps


@dataclass(frozen=True, slots=True)
class Restore:
    """Brings forgotten beliefs back."""

    steps: Steps
    featurise: Featurise

    def __call__(self, caller: Caller, ref: VersionRef, idempotency: Idempotency | None = None) -> Memory:
        """The memory; WrongState when it is not forgotten, its window is over, or what it was made from is erased."""
        return self.steps.move(caller, ref, self.show, outcome="restored", idempotency=idempotency).memory

    def show(self, belief: Belief, stamp: Stamp) -> Planned:
        """The step that brings a belief back; WrongState as above."""
        checks = self.steps.sources.none_erased(belief.current)
        step = lineage.restore(belief.head, stamp, has_vectors=len(belief.vectors) > 0)
        if step.after.state is not State.LIVE:
            return Planned(step, None, checks)
        return Planned(step, self.featurise.again(belief.current.statement, belief.vectors), checks)
