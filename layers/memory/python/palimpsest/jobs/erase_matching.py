"""A run that erases what a selection means. It can't be undone, and each one over the limit has to be approved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from palimpsest.domain.belief import State
from palimpsest.domain.errors import HeadMoved, LostRace
from palimpsest.domain.ids import RootId, erasure_of
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.jobs.matching import Matching
from palimpsest.jobs.run_kinds import CHANGED_SINCE, GONE, Planned
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.stores.moves import Guarded
from palimpsest.usecases.erase import Erase

ERASED: Final = "erased_already"
_STATES: Final = (State.LIVE, State.RETIRED, State.FORGOTTEN)
_ATTEMPTS: Final = 20


@dataclass(frozen=True, slots=True)
class EraseMatching:
    """Begins to erase memories, forgotten ones too; each has its own receipt, which the item names."""

    matching: Matching
    erase: Erase
    clock: Clock

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        return self.matching.plan(run, _STATES)

    def apply(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Begin to erase it. One that was changed meanwhile is erased if the selection still means it."""
        root = RootId(item.subject)
        receipt = erasure_of(root)
        for _ in range(_ATTEMPTS):
            head = self.matching.head(item)
            if head is None:
                return item.settled(ItemState.SKIPPED, GONE)
            if head.state.is_erased:
                return self._settled(run, replace(item, detail=receipt))
            belief = self.matching.beliefs.read(root)
            if not self.matching.is_meant(run, item, belief):
                return item.settled(ItemState.SKIPPED, CHANGED_SINCE)
            try:
                self.erase.in_run(self.matching.space(run), belief, Stamp(self.clock.now(), run.by, run.id), fence)
            except HeadMoved:
                continue
            return replace(item, detail=receipt).settled(ItemState.APPLIED)
        raise LostRace(_ATTEMPTS)

    def undo(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Nothing brings it back; the item as it is."""
        return item

    def _settled(self, run: Run, item: PlanItem) -> PlanItem:
        """An item that is being erased: by this run, or by somebody else before."""
        begun = self.erase.erasures.read(erasure_of(RootId(item.subject)))
        is_own = begun is not None and begun.asked_by == run.by and begun.asked_at >= run.begun_at
        return item.settled(ItemState.APPLIED) if is_own else item.settled(ItemState.SKIPPED, ERASED)
