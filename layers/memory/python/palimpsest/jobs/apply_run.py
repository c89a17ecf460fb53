"""The engine of runs: plan into items, weigh them, apply them, take them back; slice by slice.

It may be killed anywhere, called twice at once and cut short at any item, with the same end: progress moves with the
plan's pages in one transaction (`stores.runs`), and each kind of run finds out what of an item is done already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from palimpsest.domain.errors import Conflict, CorruptItem, Invalid, ItemTooLarge, NotFound, PalimpsestError, RunMoved
from palimpsest.domain.ids import RunId
from palimpsest.domain.run import Phase, Run, RunKind, RunStatus
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.jobs.run_kinds import Planned, RunWork
from palimpsest.jobs.weigh_run import WeighRun
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.stores.moves import Guarded
from palimpsest.stores.runs import PAGE_ITEMS, Moving, Page, Runs, Told, fence

_LASTING: Final = (Conflict, CorruptItem, Invalid, ItemTooLarge, NotFound)
"""What no later attempt would mend."""

ItemWork: TypeAlias = Callable[[Run, PlanItem, Guarded], PlanItem]
"""`RunWork.apply` or `RunWork.undo`."""


@dataclass(frozen=True, slots=True)
class ApplyRun:
    """Goes on with a run."""

    runs: Runs
    kinds: Mapping[RunKind, RunWork]
    weigh: WeighRun
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Go on with the run of that id until it is over or waits; True when the time was up before.

        Raises:
            PalimpsestError: Something is away for now; the run is `interrupted` until the message comes again.
        """
        run = self.runs.read(RunId(subject))
        while run is not None and run.phase.is_working:
            try:
                run = self._advance(run, seconds_left)
            except PalimpsestError as error:
                self._interrupt(RunId(subject), type(error).__name__)
                raise
            if seconds_left() <= 0:
                break
        return run is not None and run.phase.is_working

    def _advance(self, run: Run, seconds_left: SecondsLeft) -> Run | None:
        """One part of what is to be done; the run as it stands then, whoever moved it."""
        if run.phase is Phase.PLANNING:
            moved = self._plan(run, seconds_left)
        elif run.phase is Phase.WEIGHING:
            moved = self.weigh(run)
        elif not 0 <= run.page < run.pages:
            moved = self._move(run, run.finished(self.clock.now()), Moving(Told("finished")))
        else:
            moved = self._work_on_page(run, seconds_left)
        return moved or self.runs.read(run.id)

    def _plan(self, run: Run, seconds_left: SecondsLeft) -> Run | None:
        try:
            planned = self.kinds[run.kind].plan(run, seconds_left)
        except _LASTING as error:
            why = f"it could not be planned ({type(error).__name__})"
            return self._move(run, run.failed(why, self.clock.now()), Moving(Told("failed", note=why)))
        pages = _pages(planned)
        numbered = dict(enumerate(pages, start=run.pages))
        told = Told("planned") if planned.place is None else None
        return self._move(run, run.planned(pages, planned.place), Moving(told, numbered))

    def _work_on_page(self, run: Run, seconds_left: SecondsLeft) -> Run | None:
        """The items of one page, and then the run with what became of them."""
        before = self.runs.page(run.id, run.page)
        after = list(before)
        is_whole = True
        for at, item in enumerate(before):
            try:
                after[at] = self._work_on_item(run, item)
            except RunMoved:
                is_whole = False
                break
            if after[at] != item and seconds_left() <= 0:
                is_whole = False
                break
        return self._keep(run, before, tuple(after), is_whole=is_whole)

    def _work_on_item(self, run: Run, item: PlanItem) -> PlanItem:
        work = self.kinds[run.kind]
        if run.phase is Phase.APPLYING:
            return _attempt(work.apply, run, item, ItemState.FAILED) if item.state is ItemState.PLANNED else item
        # A worker that was killed may have left no word of what it did, so each item is looked at.
        return item if item.state is ItemState.UNDONE else _attempt(work.undo, run, item, ItemState.KEPT)

    def _keep(self, run: Run, before: Page, after: Page, *, is_whole: bool) -> Run | None:
        """Keep what became of a page, whatever became of the run meanwhile; unless another worker has done so."""
        step = 0 if not is_whole else -1 if run.phase is Phase.UNDOING else 1
        onward = replace(run.working().settled(before, after), page=run.page + step)
        moved = self._move(run, onward, Moving(pages={run.page: after}))
        if moved is not None or before == after:
            return moved
        seen: Run | None = self.runs.read(run.id)
        while seen is not None and self.runs.page(run.id, run.page) == before:
            if self._move(seen, seen.settled(before, after), Moving(pages={run.page: after})) is not None:
                break
            seen = self.runs.read(run.id)
        return None

    def _move(self, run: Run, after: Run, moving: Moving) -> Run | None:
        """None when another one has moved it."""
        return self.runs.move(run, after, self.clock.now(), moving)

    def _interrupt(self, run_id: RunId, why: str) -> None:
        """Say so, where it can be said."""
        with suppress(PalimpsestError):
            run = self.runs.read(run_id)
            if run is not None and run.phase.is_working and run.status is not RunStatus.INTERRUPTED:
                self._move(run, run.interrupted(), Moving(Told("interrupted", note=why)))


def _attempt(work: ItemWork, run: Run, item: PlanItem, otherwise: ItemState) -> PlanItem:
    try:
        return work(run, item, fence(run))
    except _LASTING as error:
        return item.settled(otherwise, type(error).__name__)


def _pages(planned: Planned) -> list[Page]:
    items = tuple(planned.items)
    return [items[at : at + PAGE_ITEMS] for at in range(0, len(items), PAGE_ITEMS)]
