"""Conflicts and findings: what is sent, and what is told of them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints

from palimpsest.api.wire.fields import MEMORY_PATTERN, Answer, Content, Request, WrittenInstant
from palimpsest.api.wire.memory import EXAMPLE_ID, MemoryItem, written
from palimpsest.api.wire.scrubbing import RedactionItem, WarningItem, redaction_items, warning_items
from palimpsest.domain import instants
from palimpsest.domain.conflict import Action, ConflictState, Decision
from palimpsest.domain.finding import FindingKind, FindingState, Reply
from palimpsest.domain.ids import RootId
from palimpsest.domain.source import Trust
from palimpsest.usecases.drafts import Choice
from palimpsest.usecases.readings import ConflictsListed, FindingsListed, ShownConflict, ShownFinding

Root: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=MEMORY_PATTERN)]


class ResolveRequest(Request):
    """How to decide. `winner` goes with `keep_existing` alone, `content` and `canonical` with `merge` alone."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"action": "keep_new"}]})

    action: Action
    winner: Root | None = Field(default=None, examples=[EXAMPLE_ID])
    content: Content | None = None
    canonical: Content | None = None

    def to_choice(self) -> Choice:
        """The same for the core."""
        winner = None if self.winner is None else RootId(self.winner)
        return Choice(self.action, winner, self.content, self.canonical)


class DecisionItem(Answer):
    """What was decided. A decision that was taken back says when and by whom."""

    action: Action
    winner: str | None
    existing: str
    incoming: str
    made: str | None
    at: WrittenInstant
    by: str
    trust: Trust
    model: str | None
    score: float | None
    reason: str | None
    run_id: str | None
    passed_on: tuple[str, ...]
    reverted_at: WrittenInstant | None
    reverted_by: str | None

    @classmethod
    def of(cls, decision: Decision) -> DecisionItem:
        """What is told of a decision."""
        return cls(
            action=decision.action,
            winner=decision.winner,
            existing=str(decision.existing),
            incoming=str(decision.incoming),
            made=None if decision.made is None else str(decision.made),
            at=instants.write(decision.at),
            by=decision.by,
            trust=decision.trust,
            model=decision.model,
            score=decision.score,
            reason=decision.reason,
            run_id=decision.run,
            passed_on=decision.passed_on,
            reverted_at=written(decision.reverted_at),
            reverted_by=decision.reverted_by,
        )


class ConflictItem(Answer):
    """Two memories that can't both be true: as they stand now or, once it is decided, as they stood when it was."""

    id: str = Field(examples=["cfl_3bd0f273a807f2361b7ad8903f19a9d4"])
    state: ConflictState
    space: str
    existing: MemoryItem
    incoming: MemoryItem
    similarity: float | None
    reason: str
    judged_by: str
    opened_at: WrittenInstant
    opened_by: str
    decision: DecisionItem | None

    @classmethod
    def of(cls, shown: ShownConflict) -> ConflictItem:
        """What is told of a conflict."""
        conflict = shown.conflict
        return cls(
            id=conflict.id,
            state=conflict.state,
            space=shown.space,
            existing=MemoryItem.of(shown.existing),
            incoming=MemoryItem.of(shown.incoming),
            similarity=conflict.similarity or None,
            reason=conflict.reason,
            judged_by=conflict.judged_by,
            opened_at=instants.write(conflict.opened_at),
            opened_by=conflict.opened_by,
            decision=None if conflict.decision is None else DecisionItem.of(conflict.decision),
        )


class ConflictAnswer(Answer):
    """The conflict as it is now."""

    conflict: ConflictItem

    @classmethod
    def of(cls, shown: ShownConflict) -> ConflictAnswer:
        """What is told of a decision that was taken back."""
        return cls(conflict=ConflictItem.of(shown))


class DecidedAnswer(Answer):
    """The conflict as it is now, and what the decision wrote.

    `memory` is the version that `keep_new` or `merge` made, as it is stored; else null. `redactions` and `warnings` are
    those of a text that was sent with `merge`.
    """

    conflict: ConflictItem
    memory: MemoryItem | None
    redactions: tuple[RedactionItem, ...]
    warnings: tuple[WarningItem, ...]

    @classmethod
    def of(cls, shown: ShownConflict) -> DecidedAnswer:
        """What is told of a decision."""
        return cls(
            conflict=ConflictItem.of(shown),
            memory=None if shown.made is None else MemoryItem.of(shown.made),
            redactions=redaction_items(shown.report.redactions),
            warnings=warning_items(shown.report.cautions),
        )


class ConflictsAnswer(Answer):
    """One page of conflicts, newest first. It may be short and yet have a cursor."""

    conflicts: tuple[ConflictItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: ConflictsListed) -> ConflictsAnswer:
        """What is told of a page."""
        return cls(conflicts=tuple(map(ConflictItem.of, listed.conflicts)), next_cursor=listed.next_cursor)


class ReplyRequest(Request):
    """What to say to a finding: `confirm` begins a conflict, `reopen` takes a dismissal back."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"answer": "dismiss"}]})

    answer: Reply


class FindingItem(Answer):
    """Two memories of which somebody should look, as they were found."""

    id: str = Field(examples=["fnd_3bd0f273a807f2361b7ad8903f19a9d4"])
    kind: FindingKind
    state: FindingState
    space: str
    existing: MemoryItem
    incoming: MemoryItem
    similarity: float | None
    reason: str
    judged_by: str
    opened_at: WrittenInstant
    opened_by: str
    answered_at: WrittenInstant | None
    answered_by: str | None
    conflict_id: str | None

    @classmethod
    def of(cls, shown: ShownFinding) -> FindingItem:
        """What is told of a finding."""
        finding = shown.finding
        return cls(
            id=finding.id,
            kind=finding.kind,
            state=finding.state,
            space=shown.space,
            existing=MemoryItem.of(shown.existing),
            incoming=MemoryItem.of(shown.incoming),
            similarity=finding.similarity or None,
            reason=finding.reason,
            judged_by=finding.judged_by,
            opened_at=instants.write(finding.opened_at),
            opened_by=finding.opened_by,
            answered_at=written(finding.answered_at),
            answered_by=finding.answered_by,
            conflict_id=finding.conflict,
        )


class FindingAnswer(Answer):
    """The finding as it is now."""

    finding: FindingItem

    @classmethod
    def of(cls, shown: ShownFinding) -> FindingAnswer:
        """What is told of an answer to a finding."""
        return cls(finding=FindingItem.of(shown))


class FindingsAnswer(Answer):
    """One page of findings, newest first. It may be short and yet have a cursor."""

    findings: tuple[FindingItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: FindingsListed) -> FindingsAnswer:
        """What is told of a page."""
        return cls(findings=tuple(map(FindingItem.of, listed.findings)), next_cursor=listed.next_cursor)
