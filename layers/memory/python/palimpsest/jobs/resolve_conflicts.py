"""A run that has the model decide the pending conflicts of a space; undone, its decisions are taken back.

The model is asked when an item is applied, with the evidence as it stands then. A dry run asks nobody: it counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.conflict import ConflictState, Decision
from palimpsest.domain.errors import (
    BudgetExhausted,
    BuiltUpon,
    ModelAnswerUnusable,
    ModelFailure,
    ModelUnavailable,
    NotFound,
    Outranked,
    WrongState,
)
from palimpsest.domain.ids import ConflictId
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.domain.source import Trust
from palimpsest.jobs.run_kinds import CHANGED_SINCE, GONE, Planned
from palimpsest.jobs.work import SecondsLeft
from palimpsest.stores.moves import Guarded
from palimpsest.usecases.advise import UNSURE, Advise
from palimpsest.usecases.conflict_sides import Sides
from palimpsest.usecases.drafts import Choice
from palimpsest.usecases.resolve import Resolve
from palimpsest.usecases.take_back import TakeBack

NO_BUDGET: Final = "no_budget"
NO_ANSWER: Final = "no_answer"
OUTRANKED: Final = "outranked"
_LOOKED_AT: Final = 200
"""Conflicts that one part of the plan looks at."""


@dataclass(frozen=True, slots=True)
class ResolveConflicts:
    """Decides conflicts by the model's advice. `advise`: None when there is no model any more."""

    advise: Advise | None
    resolve: Resolve
    take_back: TakeBack

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        """The pending conflicts that can be decided, newest first."""
        sides = self.resolve.sides
        walk = sides.conflicts.walk(run.space, ConflictState.PENDING, run.place or None)
        chunk = list(islice(walk, _LOOKED_AT))
        shown = sides.visible([conflict for _, conflict in chunk])
        place = chunk[-1][0] if len(chunk) == _LOOKED_AT else None
        return Planned([PlanItem(conflict.id, conflict.revision) for conflict in shown], place)

    def apply(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Ask, and decide what the model is sure of. One that somebody has decided or moved meanwhile is left alone."""
        caller = _for(run, Trust(run.asked))
        try:
            sides = self.resolve.sides.find(caller, ConflictId(item.subject))
        except NotFound:
            return item.settled(ItemState.SKIPPED, GONE)
        if _own_decision(run, sides) is not None:
            return item.settled(ItemState.APPLIED)
        if sides.conflict.revision != item.revision:
            return item.settled(ItemState.SKIPPED, CHANGED_SINCE)
        choice = self._advised(item, sides)
        if isinstance(choice, PlanItem):
            return choice
        try:
            self.resolve(caller, sides.conflict.id, choice, run=run.id, also=[fence])
        except Outranked:
            return item.settled(ItemState.SKIPPED, OUTRANKED)
        except WrongState:
            return item.settled(ItemState.SKIPPED, CHANGED_SINCE)
        return item.settled(ItemState.APPLIED)

    def _advised(self, item: PlanItem, sides: Sides) -> Choice | PlanItem:
        """What the model would decide, or the item that it decides nothing of."""
        if self.advise is None:
            return item.settled(ItemState.SKIPPED, NO_ANSWER)
        existing, incoming = sides.existing.current, sides.incoming.current
        try:
            advice = self.advise(sides.space, existing, incoming)
        except BudgetExhausted:
            return item.settled(ItemState.SKIPPED, NO_BUDGET)
        except ModelAnswerUnusable:
            return item.settled(ItemState.FAILED, NO_ANSWER)
        except ModelUnavailable as error:
            if error.reason is not ModelFailure.REFUSED:
                raise
            return item.settled(ItemState.FAILED, NO_ANSWER)
        if advice.action is None:
            return item.settled(ItemState.SKIPPED, UNSURE)
        seen = existing.ref, incoming.ref
        return Choice(advice.action, model=advice.model, score=advice.score, reason=advice.reason, seen=seen)

    def undo(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Take the decision back, unless later ones were built on it."""
        caller = _for(run, Trust.A1)
        try:
            sides = self.resolve.sides.find(caller, ConflictId(item.subject))
        except NotFound:
            return item.settled(ItemState.KEPT, GONE) if item.state is ItemState.APPLIED else item
        decision = _own_decision(run, sides)
        if decision is None:
            return item.settled(ItemState.KEPT, CHANGED_SINCE) if item.state is ItemState.APPLIED else item
        if decision.reverted_at is not None:
            return item.settled(ItemState.UNDONE)
        try:
            self.take_back(caller, sides.conflict.id, run=run.id, also=[fence])
        except BuiltUpon:
            return item.settled(ItemState.KEPT, CHANGED_SINCE)
        return item.settled(ItemState.UNDONE)


def _for(run: Run, trust: Trust) -> Caller:
    """In the name of whoever began the run."""
    return Caller(run.by, Role.WRITER, max_trust=trust)


def _own_decision(run: Run, sides: Sides) -> Decision | None:
    """The last decision, when this run made it."""
    decision = sides.conflict.decision
    return decision if decision is not None and decision.run == run.id else None
