"""Runs: what is asked to be done to many memories, and what is told of it. Never a text of any memory."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from palimpsest.api.wire.fields import (
    Answer,
    Flag,
    Instant,
    LastInstant,
    MemoryName,
    Name,
    Question,
    Request,
    Space,
    Tags,
    WrittenInstant,
)
from palimpsest.api.wire.memory import written
from palimpsest.domain import instants
from palimpsest.domain.ids import RootId
from palimpsest.domain.run import RunEvent, RunKind, RunStatus
from palimpsest.domain.run_plan import Counts
from palimpsest.domain.selection import Selection
from palimpsest.domain.version import MemoryType
from palimpsest.stores.runs import Line
from palimpsest.usecases.runs import LinesListed, RunShown, RunsListed, Scope

_IDS = 200
_AGENTS = 16


class ManyRequest(Request):
    """Which memories are meant: those that pass every part that is given; one at least has to be given."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"tags": ["jan"], "dry_run": True}]})

    space: Space | None = None
    q: Question | None = None
    ids: Annotated[tuple[MemoryName, ...], Field(max_length=_IDS)] = ()
    tags: Tags = ()
    session: Name | None = None
    source_agents: Annotated[tuple[Name, ...], Field(max_length=_AGENTS)] = ()
    memory_types: Annotated[tuple[MemoryType, ...], Field(max_length=len(MemoryType))] = ()
    attributed_to: Name | None = None
    date_from: Instant | None = None
    date_to: LastInstant | None = None
    entity: Name | None = None
    dry_run: Flag = False

    def to_selection(self) -> Selection:
        """The same for the core."""
        return Selection(
            ids=tuple(map(RootId, self.ids)),
            words=self.q,
            tags=self.tags,
            session=self.session,
            source_agents=self.source_agents,
            memory_types=self.memory_types,
            attributed_to=self.attributed_to,
            dated_from=self.date_from,
            dated_until=self.date_to,
            entity=self.entity,
        )


class AutoRequest(Request):
    """Of which space the model is to decide the conflicts."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"dry_run": True}]})

    space: Space | None = None
    dry_run: Flag = False


class ScopeRequest(Request):
    """What a decision is for."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"scope": "once"}]})

    scope: Scope = Scope.ONCE


class CountsItem(Answer):
    """How many items there are of each state."""

    planned: int
    changes: int
    applied: int
    skipped: int
    failed: int
    undone: int
    kept: int

    @classmethod
    def of(cls, counts: Counts) -> CountsItem:
        """What is told of counts."""
        return cls(
            planned=counts.planned,
            changes=counts.changes,
            applied=counts.applied,
            skipped=counts.skipped,
            failed=counts.failed,
            undone=counts.undone,
            kept=counts.kept,
        )


class RunItem(Answer):
    """A run as it stands."""

    id: str = Field(examples=["run_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    kind: RunKind
    space: str
    status: RunStatus
    reason: str | None
    dry_run: bool
    undoable: bool
    needs_approval: bool
    approved_by: str | None
    by: str
    begun_at: WrittenInstant
    changed_at: WrittenInstant
    finished_at: WrittenInstant | None
    counts: CountsItem

    @classmethod
    def of(cls, shown: RunShown) -> RunItem:
        """What is told of a run."""
        run = shown.run
        return cls(
            id=run.id,
            kind=run.kind,
            space=shown.space,
            status=run.status,
            reason=run.reason,
            dry_run=run.is_dry,
            undoable=run.may_be_undone,
            needs_approval=run.needs_approval,
            approved_by=run.approved_by,
            by=run.by,
            begun_at=instants.write(run.begun_at),
            changed_at=instants.write(run.changed_at),
            finished_at=written(run.finished_at),
            counts=CountsItem.of(run.counts),
        )


class RunAnswer(Answer):
    """The run as it stands now; what was asked of it is done in the background."""

    run: RunItem

    @classmethod
    def of(cls, shown: RunShown) -> RunAnswer:
        """What is told of a run that was begun or moved."""
        return cls(run=RunItem.of(shown))


class RunsAnswer(Answer):
    """One page of runs, newest first."""

    runs: tuple[RunItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: RunsListed) -> RunsAnswer:
        """What is told of a page."""
        return cls(runs=tuple(map(RunItem.of, listed.runs)), next_cursor=listed.next_cursor)


class RunEventItem(Answer):
    """What became of the run (`at`, `by`), or of one item of its plan (`subject`, `revision`)."""

    what: str
    at: WrittenInstant | None
    by: str | None
    subject: str | None
    revision: int | None
    detail: str | None
    note: str | None

    @classmethod
    def of(cls, line: Line) -> RunEventItem:
        """What is told of a line of the log."""
        if isinstance(line, RunEvent):
            return cls(
                what=line.what,
                at=instants.write(line.at),
                by=line.by,
                subject=None,
                revision=None,
                detail=None,
                note=line.note,
            )
        return cls(
            what=line.state,
            at=None,
            by=None,
            subject=line.subject,
            revision=line.revision,
            detail=line.detail or None,
            note=line.reason or None,
        )


class RunEventsAnswer(Answer):
    """One page of a run's log: what became of the run, then what became of each item of its plan."""

    events: tuple[RunEventItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: LinesListed) -> RunEventsAnswer:
        """What is told of a page."""
        return cls(events=tuple(map(RunEventItem.of, listed.lines)), next_cursor=listed.next_cursor)
