"""A run: one execution of background work that changes memories, with its plan, its limit and its undo (law 6).

A run **plans** into items, is **weighed** against what may change without anybody's consent, **applies** its items one
by one, and is over. Once over, it can be **undone** as a unit, from its plan. Nothing is added to a plan that has been
weighed, so what an owner approves is what is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import KeyId, RunId, SpaceId
from palimpsest.domain.moving import Stamp
from palimpsest.domain.run_plan import Counts, PlanItem

FREE: Final = 20
"""So many memories may be changed without consent, however small the space is."""

SHARE: Final = 20
"""One in so many of a space's current memories may be changed without consent: 5 %."""

WINDOW: Final = timedelta(hours=1)
"""Runs of one space within it share what may be changed without consent, so that many small ones are as one."""


class RunKind(StrEnum):
    """What a run does. `jobs.run_kinds` has the protocol that each is made by."""

    FORGET = "forget"
    ERASE = "erase"
    RESOLVE_AUTO = "resolve_auto"
    RESTATE = "restate"
    """A save that was found later to say what another memory says: the one went into the other."""

    INDEX = "index"
    """Sources were read for entities that nobody had read, or not as they would be read now."""
    RESOLVE_ENTITIES = "resolve_entities"
    """Entities that are one by their names were merged, and those that may be one noted."""
    REINDEX = "reindex"
    """All sources were read for entities anew."""

    @property
    def is_undoable(self) -> bool:
        """What it does can be taken back."""
        return self not in (RunKind.ERASE, RunKind.REINDEX)

    @property
    def may_be_always(self) -> bool:
        """It may be approved once and for all; what is gone for good is asked for each time."""
        return self.is_undoable


class RunStatus(StrEnum):
    """How a run stands, as people are told."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCESS = "success"
    WARNING = "warning"
    FAILED = "failed"
    STOPPED = "stopped"
    AWAITING_APPROVAL = "awaiting_approval"
    INTERRUPTED = "interrupted"
    """It was cut short, and goes on by itself."""
    UNDONE = "undone"


class Phase(StrEnum):
    """Where a run is on its way. A step that a run makes is conditional on it, so none comes late."""

    PLANNING = "planning"
    WEIGHING = "weighing"
    WAITING = "waiting"
    APPLYING = "applying"
    UNDOING = "undoing"
    OVER = "over"

    @property
    def is_working(self) -> bool:
        """There is something to do for a worker."""
        return self not in (Phase.WAITING, Phase.OVER)


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it stands.

    Attributes:
        by: The key that asked for it.
        revision: How often this record was written.
        asked: What was asked for, as its kind wrote it; empty once the run is over, since it may hold people's words.
        place: Where planning goes on.
        pages: How many pages the plan has.
        page: The page that is being worked on.
        reason: Why it waits or failed, in words for people.
        needs_approval: It would change more than may be changed without consent.
        approved_by: The key that approved it.
    """

    id: RunId
    kind: RunKind
    space: SpaceId
    by: KeyId
    begun_at: datetime
    changed_at: datetime
    status: RunStatus = RunStatus.QUEUED
    phase: Phase = Phase.PLANNING
    revision: int = 1
    is_dry: bool = False
    asked: str = ""
    place: str = ""
    pages: int = 0
    page: int = 0
    counts: Counts = field(default_factory=Counts)
    reason: str | None = None
    needs_approval: bool = False
    approved_by: KeyId | None = None
    finished_at: datetime | None = None

    @classmethod
    def done(cls, run: RunId, kind: RunKind, space: SpaceId, stamp: Stamp, item: PlanItem) -> Run:
        """A run that is over as it begins: its one item is applied in the transaction that writes it."""
        counts = Counts(planned=1, changes=item.changes, applied=1)
        begun = cls(run, kind, space, stamp.by, stamp.at, stamp.at, revision=2, pages=1, page=1, counts=counts)
        return begun._over(RunStatus.SUCCESS, stamp.at)

    def working(self) -> Run:
        """A worker is at it."""
        return replace(self, status=RunStatus.RUNNING, reason=None)

    def interrupted(self) -> Run:
        """It was cut short, and goes on by itself."""
        return replace(self, status=RunStatus.INTERRUPTED)

    def planned(self, pages: Iterable[Iterable[PlanItem]], place: str | None) -> Run:
        """With further pages of its plan; `place`: where planning goes on, None when the plan is whole."""
        added = [tuple(page) for page in pages]
        items = [item for page in added for item in page]
        grown = replace(self.working(), pages=self.pages + len(added), counts=self.counts.adding(items))
        return replace(grown, place="", phase=Phase.WEIGHING) if place is None else replace(grown, place=place)

    def waiting(self, reason: str) -> Run:
        """It would change too much to go on by itself."""
        status = RunStatus.AWAITING_APPROVAL
        return replace(self, phase=Phase.WAITING, status=status, reason=reason, needs_approval=True)

    def applying(self) -> Run:
        """Nothing stands against it."""
        return replace(self.working(), phase=Phase.APPLYING, page=0)

    def settled(self, before: Iterable[PlanItem], after: Iterable[PlanItem]) -> Run:
        """After something became of items of a page."""
        return replace(self, counts=self.counts.settling(before, after))

    def finished(self, now: datetime) -> Run:
        """Every item was seen to."""
        if self.phase is Phase.UNDOING:
            return self._over(RunStatus.UNDONE, now)
        is_whole = not (self.counts.skipped or self.counts.failed)
        return self._over(RunStatus.SUCCESS if is_whole else RunStatus.WARNING, now)

    def failed(self, reason: str, now: datetime) -> Run:
        """It can't be done."""
        return replace(self._over(RunStatus.FAILED, now), reason=reason)

    def approved(self, by: KeyId) -> Run:
        """It may go on, whatever it changes; WrongState unless it waits for that."""
        self.require_waiting()
        return replace(self, phase=Phase.APPLYING, status=RunStatus.QUEUED, reason=None, approved_by=by)

    def denied(self, now: datetime) -> Run:
        """It ends without having changed anything; WrongState unless it waits for approval."""
        self.require_waiting()
        return replace(self._over(RunStatus.STOPPED, now), reason="it was denied")

    def stopped(self, now: datetime) -> Run:
        """It ends where it is; what it has done stays done. WrongState when it is over already."""
        if self.phase is Phase.OVER:
            raise WrongState(self.status, f"this run is over ({self.status}); there is nothing to stop")
        return self._over(RunStatus.STOPPED, now)

    def undoing(self) -> Run:
        """It is to be taken back.

        Raises:
            WrongState: It still goes on, changed nothing by its nature, can't be undone, or was undone before.
        """
        obstacle = self._undo_obstacle
        if obstacle is not None:
            raise WrongState(self.status, obstacle)
        last = min(self.page, self.pages - 1)
        return replace(self, phase=Phase.UNDOING, status=RunStatus.QUEUED, page=last, reason=None, finished_at=None)

    @property
    def may_be_undone(self) -> bool:
        """`undoing` would be taken now."""
        return self._undo_obstacle is None

    @property
    def _undo_obstacle(self) -> str | None:
        """Why it can't be taken back now, in words for people."""
        if not self.kind.is_undoable:
            return _LASTING[self.kind]
        if self.phase is not Phase.OVER:
            return f"this run is {self.status}; stop it, or let it end, before it is undone"
        if self.is_dry:
            return "this run was a dry run; there is nothing to undo"
        if self.needs_approval and self.approved_by is None:
            return "this run was never approved and changed nothing; there is nothing to undo"
        return "this run is undone already; there is nothing to undo" if self.status is RunStatus.UNDONE else None

    def require_waiting(self) -> None:
        """Raise WrongState unless it waits for approval."""
        if self.phase is not Phase.WAITING:
            raise WrongState(self.status, f"this run is {self.status}; it does not wait for approval")

    def _over(self, status: RunStatus, now: datetime) -> Run:
        return replace(self, phase=Phase.OVER, status=status, reason=None, asked="", place="", finished_at=now)


_LASTING: Final[Mapping[RunKind, str]] = {
    RunKind.ERASE: "what was erased is gone; this run can't be undone",
    RunKind.REINDEX: "what was found before is gone; index again, or undo what people changed since",
}


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Something that became of a run. `by`: the key of the person, if it was one; `note`: words for people."""

    number: int
    at: datetime
    what: str
    by: KeyId | None = None
    note: str | None = None


def is_free(changes: int, current: int) -> bool:
    """So many changes, in a space with so many current memories, need nobody's consent."""
    return changes <= max(FREE, current // SHARE)


def counted_for(changes: int) -> int:
    """How many current memories a space needs for so many changes to be free; more need not be counted."""
    return 0 if changes <= FREE else changes * SHARE
