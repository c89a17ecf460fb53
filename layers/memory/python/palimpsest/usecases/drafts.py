"""What callers want to be believed, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.belief import Memory
from palimpsest.domain.conflict import Action
from palimpsest.domain.errors import PalimpsestError
from palimpsest.domain.extraction import Extraction
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.scrub.report import NOTHING, Report
from palimpsest.domain.source import Trust
from palimpsest.domain.version import Because, MemoryType


class JudgeMode(StrEnum):
    """When a save is compared with what is believed already."""

    AUTO = "auto"
    SYNC = "sync"
    ASYNC = "async"
    OFF = "off"


class Outcome(StrEnum):
    """What a save or a change came to."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    VERSIONED = "versioned"
    CONFLICT = "conflict"
    PENDING = "pending"
    ECHO = "echo"


@dataclass(frozen=True, slots=True)
class Unset:
    """The mark for 'leave it as it is', where None means 'take it away'."""


UNSET = Unset()


@dataclass(frozen=True, slots=True)
class SourceClaim:
    """Where a caller says a statement comes from; `trust` can lower what the agent and the key allow."""

    agent: str = "api"
    session: str | None = None
    channel: str | None = None
    trust: Trust | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory to be saved. `metadata` is a JSON object as text; `asserted_at` is now when not given.

    `memory_type` is that of the belief that it restates when not given, else ``fact``. `extraction`: of what is learned
    from a conversation, and hidden with it.
    """

    content: str
    space: str | None = None
    memory_type: MemoryType | None = None
    canonical: str | None = None
    tags: tuple[str, ...] = ()
    metadata: str = "{}"
    source: SourceClaim = SourceClaim()
    attributed_to: str | None = None
    asserted_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_date: datetime | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    importance: float = 1.0
    judge: JudgeMode = JudgeMode.AUTO
    extraction: Extraction | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a draft. ``replaced``: the version that a judged save stands over; ``report``: what scrub did."""

    memory: Memory
    outcome: Outcome
    conflict_id: str | None = None
    replaced: str | None = None
    judged_by: str = "none"
    report: Report = NOTHING


@dataclass(frozen=True, slots=True)
class Refused:
    """Why one item of a batch was not saved; the others were."""

    error: PalimpsestError


@dataclass(frozen=True, slots=True)
class Revision:
    """A new version. None means: as in the version before (see `usecases.revise` for what is carried over).

    `valid_until`: UNSET means that, and None takes the end away.
    """

    content: str | None = None
    memory_type: MemoryType | None = None
    canonical: str | None = None
    metadata: str | None = None
    source: SourceClaim = SourceClaim()
    attributed_to: str | None = None
    asserted_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | Unset | None = UNSET
    event_date: datetime | None = None
    because: Because | None = None
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class Revised:
    """What became of an update or a revert.

    ``versioned``; ``unchanged`` when the current version says just that; ``conflict`` when it is trusted less than what
    it would have replaced: then `memory` is what stands beside that, disputed.
    """

    memory: Memory
    outcome: Outcome
    conflict_id: str | None = None
    report: Report = NOTHING


@dataclass(frozen=True, slots=True)
class Choice:
    """How a conflict is to be decided.

    Attributes:
        winner: For `keep_existing` alone: the side that stays; the existing one when not given.
        content, canonical: For `merge` alone: the text that reconciles both sides.
        model, score, reason: When a model decides: which, how sure it is (0 to 1), and why.
        seen: The versions of both sides that it was shown; of others it decides nothing.
    """

    action: Action
    winner: RootId | None = None
    content: str | None = None
    canonical: str | None = None
    model: str | None = None
    score: float | None = None
    reason: str | None = None
    seen: tuple[VersionRef, VersionRef] | None = None


@dataclass(frozen=True, slots=True)
class Annotation:
    """Changes without a new version; None leaves a thing as it is, and so does UNSET where None takes it away."""

    tags: tuple[str, ...] | None = None
    pinned: bool | None = None
    importance: float | None = None
    expires_at: datetime | Unset | None = UNSET


@dataclass(frozen=True, slots=True)
class Annotated:
    """A memory with its new annotations, and what scrub did to them."""

    memory: Memory
    report: Report


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A memory that is out of every surface now."""

    memory: Memory
    restore_until: datetime
