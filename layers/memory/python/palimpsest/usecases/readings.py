"""What callers look up, and what they are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.domain.belief import AnnotationChange, Head, Memory
from palimpsest.domain.conflict import Conflict, ConflictState
from palimpsest.domain.diff import DiffPart
from palimpsest.domain.filters import Filters
from palimpsest.domain.finding import Finding, FindingState
from palimpsest.domain.ids import RootId, RunId
from palimpsest.domain.scrub.report import NOTHING, Report
from palimpsest.domain.version import Because, Reason


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which memories to list, newest first.

    Attributes:
        words: Keywords that must all occur in the text.
        entity, subject: Only what names it; only what is about it.
    """

    space: str | None = None
    filters: Filters = field(default_factory=Filters)
    words: str | None = None
    limit: int = 50
    cursor: str | None = None
    entity: str | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One page; it may be short and yet have a cursor."""

    memories: tuple[Memory, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One line of a history. `version` is the one that the step added, `annotated` what it changed, if any."""

    revision: int
    reason: Reason
    at: datetime
    by: str
    version: int | None
    because: Because | None
    note: str | None
    run: RunId | None
    annotated: AnnotationChange | None = None


@dataclass(frozen=True, slots=True)
class History:
    """A belief's versions and steps, newest first; one page."""

    head: Head
    versions: tuple[Memory, ...]
    steps: tuple[StepRecord, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Diff:
    """How the text went from one version to another; all parts but the added ones, joined, are the older text."""

    root: RootId
    older: int
    newer: int
    parts: tuple[DiffPart, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """One version in a proof. `is_intact`: its hash covers what is stored and links to the version before."""

    version: int
    recorded_at: datetime
    content_hash: str
    previous_hash: str | None
    is_intact: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """The chain of content hashes, oldest first, and whether all of it holds."""

    root: RootId
    links: tuple[Link, ...]
    is_verified: bool


@dataclass(frozen=True, slots=True)
class ConflictQuery:
    """Which conflicts of a space to list, newest first."""

    space: str | None = None
    state: ConflictState = ConflictState.PENDING
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class ShownConflict:
    """A conflict with both sides in full: as they stand now or, once it is decided, as they stood when it was.

    Attributes:
        space: The space's name.
        made: For who decides: the version that the decision made, if it made one.
        report: For who decides: what scrub did to the text that was sent.
    """

    conflict: Conflict
    space: str
    existing: Memory
    incoming: Memory
    made: Memory | None = None
    report: Report = NOTHING


@dataclass(frozen=True, slots=True)
class ConflictsListed:
    """One page; it may be short and yet have a cursor."""

    conflicts: tuple[ShownConflict, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class FindingQuery:
    """Which findings of a space to list, newest first."""

    space: str | None = None
    state: FindingState = FindingState.OPEN
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding with both sides in full, as it was found. `space`: its name."""

    finding: Finding
    space: str
    existing: Memory
    incoming: Memory


@dataclass(frozen=True, slots=True)
class FindingsListed:
    """One page; it may be short and yet have a cursor."""

    findings: tuple[ShownFinding, ...]
    next_cursor: str | None
