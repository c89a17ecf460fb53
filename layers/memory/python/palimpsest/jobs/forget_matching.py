"""A run that forgets what a selection means; undone, what it forgot is there again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.belief import State
from palimpsest.domain.errors import HeadMoved, LostRace, NotFound, WrongState
from palimpsest.domain.ids import RootId
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.domain.version import Reason
from palimpsest.jobs.run_kinds import CHANGED_SINCE, GONE, Planned
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.stores.beliefs import Belief, Beliefs
from palimpsest.stores.events import Event
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.texts import Words
from palimpsest.usecases import selecting
from palimpsest.usecases.forget import Forget
from palimpsest.usecases.restore import Restore
from palimpsest.usecases.selecting import Select
from palimpsest.usecases.steps import Planned as PlannedStep

FORGOTTEN: Final = "forgotten_already"
TOO_LATE: Final = "window_over"
_STATES: Final = (State.LIVE, State.RETIRED)
_LOOKED_AT: Final = 500
"""Beliefs that one part of the plan looks at."""
_ATTEMPTS: Final = 20
_EVENTS: Final = 100


@dataclass(frozen=True, slots=True)
class ForgetMatching:
    """Forgets current and retired memories."""

    select: Select
    beliefs: Beliefs
    spaces: Spaces
    forget: Forget
    restore: Restore
    clock: Clock

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        """The memories that the selection means, newest first."""
        space = self.spaces.by_id(run.space)
        found = self.select(space, selecting.read(run.asked), _STATES, run.place, _LOOKED_AT)
        return Planned([PlanItem(head.root, head.revision) for head in found.heads], found.place)

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
            if head.revision != item.revision and not self._is_meant(run, belief):
                return item.settled(ItemState.SKIPPED, CHANGED_SINCE)
            try:
                self._commit(
                    run, belief, self.forget.hide(self.spaces.by_id(run.space), belief, self._stamp(run)), fence
                )
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
        root = RootId(item.subject)
        head = self.beliefs.heads([root]).get(root)
        if head is None or head.state.is_erased:
            return None
        try:
            return self.beliefs.read(root)
        except NotFound:
            return None

    def _own_events(self, run: Run, item: PlanItem, belief: Belief) -> Sequence[Event]:
        """What this run did to it, newest first."""
        low, high = item.revision + 1, belief.head.revision
        if low > high:
            return ()
        events = self.beliefs.events_between(belief.head.root, low, high, limit=_EVENTS)
        return [event for event in events if event.run == run.id]

    def _is_meant(self, run: Run, belief: Belief) -> bool:
        return self.select.matcher(selecting.read(run.asked))(belief.head, belief.current)

    def _stamp(self, run: Run) -> Stamp:
        return Stamp(self.clock.now(), run.by, run.id)

    def _commit(self, run: Run, belief: Belief, planned: PlannedStep, fence: Guarded) -> None:
        space = self.spaces.by_id(run.space)
        move = Move(planned.step, space, planned.features, Words.of(belief.current.statement))
        self.beliefs.commit_all([move], also=[fence])
