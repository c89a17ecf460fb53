"""A run that forgets what a selection means; undone, what it forgot is there again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.belief import State
from palimpsest.domain.errors import HeadMoved, LostRace, NotFound, WrongState
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.domain.version import Reason
from palimpsest.jobs.events_since import events_since
from palimpsest.jobs.matching import Matching
from palimpsest.jobs.run_kinds import CHANGED_SINCE, GONE, Planned
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.events import Event
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.texts import Words
from palimpsest.usecases.forget import Forget
from palimpsest.usecases.restore import Restore
from palimpsest.usecases.steps import Planned as PlannedStep

FORGOTTEN: Final = "forgotten_already"
TOO_LATE: Final = "window_over"
_STATES: Final = (State.LIVE, State.RETIRED)
_ATTEMPTS: Final = 20


@dataclass(frozen=True, slots=True)
class ForgetMatching:
    """Forgets current and retired memories."""

    matching: Matching
    forget: Forget
    restore: Restore
    clock: Clock

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        return self.matching.plan(run, _STATES)

    def apply(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Forget it. One that was changed meanwhile is forgotten if the selection still means it."""
        for _ in range(_ATTEMPTS):
            belief = self._find(item)
            if belief is None:
                return item.settled(ItemState.SKIPPED, GONE)
            head = belief.head
            if any(each.reason is Reason.FORGOTTEN for each in self._own_events(run, item, belief)):
                return item.settled(ItemState.APPLIED)
            if head.state is State.FORGOTTEN:
                return item.settled(ItemState.SKIPPED, FORGOTTEN)
            if not self.matching.is_meant(run, item, belief):
                return item.settled(ItemState.SKIPPED, CHANGED_SINCE)
            try:
                self._commit(run, belief, self.forget.hide(self.matching.space(run), belief, self._stamp(run)), fence)
            except HeadMoved:
                continue
            return item.settled(ItemState.APPLIED)
        raise LostRace(_ATTEMPTS)

    def undo(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Restore it, while it is forgotten by this run and its window is open."""
        for _ in range(_ATTEMPTS):
            belief = self._find(item)
            if belief is None:
                return item.settled(ItemState.KEPT, GONE) if item.state is ItemState.APPLIED else item
            own = self._own_events(run, item, belief)
            if not own:
                return item
            if own[0].reason is Reason.RESTORED:
                return item.settled(ItemState.UNDONE)
            if own[0].revision != belief.head.revision:
                return item.settled(ItemState.KEPT, CHANGED_SINCE)
            try:
                self._commit(run, belief, self.restore.show(belief, self._stamp(run)), fence)
            except WrongState:
                return item.settled(ItemState.KEPT, TOO_LATE)
            except HeadMoved:
                continue
            return item.settled(ItemState.UNDONE)
        raise LostRace(_ATTEMPTS)

    def _find(self, item: PlanItem) -> Belief | None:
        """The belief; None when it is gone for good."""
        head = self.matching.head(item)
        if head is None or head.state.is_erased:
            return None
        try:
            return self.matching.beliefs.read(head.root)
        except NotFound:
            return None

    def _own_events(self, run: Run, item: PlanItem, belief: Belief) -> Sequence[Event]:
        """What this run did to it, newest first."""
        since = events_since(self.matching.beliefs, belief.head, item.revision)
        return [event for event in since if event.run == run.id]

    def _stamp(self, run: Run) -> Stamp:
        return Stamp(self.clock.now(), run.by, run.id)

    def _commit(self, run: Run, belief: Belief, planned: PlannedStep, fence: Guarded) -> None:
        space = self.matching.space(run)
        move = Move(planned.step, space, planned.features, Words.of(belief.current.statement))
        self.matching.beliefs.commit_all([move], also=[fence, *planned.also])
