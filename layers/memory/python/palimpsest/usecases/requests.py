"""What callers ask for and what they are told, as plain values shared by every surface."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.access import AccessKey, Role
from palimpsest.domain.belief import Head, Memory
from palimpsest.domain.diff import DiffPart
from palimpsest.domain.errors import PalimpsestError
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RecallId, RootId
from palimpsest.domain.source import Trust
from palimpsest.domain.version import Because, MemoryType, Reason


class JudgeMode(StrEnum):
    """When a save is compared with what is believed already."""

    AUTO = "auto"
    SYNC = "sync"
    ASYNC = "async"
    OFF = "off"


class Outcome(StrEnum):
    """What a save came to."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    VERSIONED = "versioned"
    CONFLICT = "conflict"
    PENDING = "pending"
    ECHO = "echo"


@dataclass(frozen=True, slots=True)
class SourceClaim:
    """Where a caller says a statement comes from; `trust` can lower what the agent and the key allow."""

    agent: str = "api"
    session: str | None = None
    channel: str | None = None
    trust: Trust | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory to be saved. `metadata` is a JSON object as text; `asserted_at` is now when not given."""

    content: str
    space: str | None = None
    memory_type: MemoryType = MemoryType.FACT
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


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a draft. ``replaced``: the version that a judged save stands over."""

    memory: Memory
    outcome: Outcome
    conflict_id: str | None = None
    replaced: str | None = None
    redactions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    judged_by: str = "none"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why one item of a batch was not saved; the others were."""

    error: PalimpsestError


@dataclass(frozen=True, slots=True)
class Revision:
    """A new version. None means: as in the version before (see `usecases.revise` for what is carried over)."""

    content: str
    memory_type: MemoryType | None = None
    canonical: str | None = None
    metadata: str | None = None
    source: SourceClaim = SourceClaim()
    attributed_to: str | None = None
    asserted_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_date: datetime | None = None
    because: Because | None = None
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class Unset:
    """The mark for 'leave it as it is', where None means 'take it away'."""


UNSET = Unset()


@dataclass(frozen=True, slots=True)
class Annotation:
    """Changes without a new version; None leaves a thing as it is, and so does UNSET where None takes it away."""

    tags: tuple[str, ...] | None = None
    pinned: bool | None = None
    importance: float | None = None
    expires_at: datetime | Unset | None = UNSET


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A memory that is out of every surface now."""

    memory: Memory
    restore_until: datetime


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which memories to list, newest first. `words`: keywords that must all occur in the text."""

    space: str | None = None
    filters: Filters = field(default_factory=Filters)
    words: str | None = None
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One page; it may be short and yet have a cursor."""

    memories: tuple[Memory, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One line of a history. `version` is the one that the step added, if any."""

    revision: int
    reason: Reason
    at: datetime
    by: str
    version: int | None
    because: Because | None
    note: str | None


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
class RecallQuery:
    """What to recall.

    Attributes:
        spaces: Empty means the key's default space.
        kinds: ``memory``, ``context``.
        min_score: Results below it are left out; 0 to 1.
        is_dry_run: Leaves no recall record.
    """

    query: str
    limit: int = 10
    spaces: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("memory", "context")
    filters: Filters = field(default_factory=Filters)
    min_score: float = 0.0
    is_dry_run: bool = False


class ArmState(StrEnum):
    """How a search arm fared."""

    OK = "ok"
    EMPTY = "empty"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ArmReport:
    """What one arm did for an answer. `reason` is given unless it is ok or empty."""

    name: str
    state: ArmState
    reason: str | None
    candidates: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `score` and the parts in `scores` are 0 to 1; `similarity` is a cosine; `why`: arms that found it."""

    memory: Memory
    score: float
    similarity: float | None
    why: tuple[str, ...]
    scores: dict[str, float]


class Confidence(StrEnum):
    """How sure an answer is to answer."""

    CONFIDENT = "confident"
    WEAK = "weak"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Recalled:
    """An answer and how it was found."""

    id: RecallId
    confidence: Confidence
    hits: tuple[Hit, ...]
    languages: tuple[str, ...]
    arms: tuple[ArmReport, ...]
    total_candidates: int
    duplicates_removed: int
    took_ms: float
    is_underfilled: bool = False


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A key to be made. `spaces` None: every space; names, or prefixes that end in ``*``."""

    role: Role
    spaces: tuple[str, ...] | None = None
    max_trust: Trust | None = None
    label: str | None = None
    default_space: str = "default"
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Issued:
    """A new key; `secret` is the whole key, shown this once."""

    key: AccessKey
    secret: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How the search index stands. `state`: ``ready``, ``building``, ``missing``, ``other_model``."""

    state: str
    generation: str | None
    model: str
    pending_embeddings: int
    lag_seconds: float


@dataclass(frozen=True, slots=True)
class StatusReport:
    """What runs, with which models."""

    version: str
    store: str
    embedder: str
    embedder_engine: str
    index: IndexReport


@dataclass(frozen=True, slots=True)
class KeysListed:
    """One page of keys, newest first."""

    keys: tuple[AccessKey, ...]
    next_cursor: str | None
