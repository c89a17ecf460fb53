"""What callers ask a memory, and how it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Final, TypeAlias

from palimpsest.domain.asking.asked_for import AskedFor
from palimpsest.domain.asking.query_class import Order
from palimpsest.domain.belief import Memory
from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RecallId, SpaceId
from palimpsest.domain.outlook import Confidence as Confidence
from palimpsest.domain.traits import Traits
from palimpsest.domain.weight import MOST


class RerankMode(StrEnum):
    """Who looks at the best results a second time."""

    AUTO = "auto"
    """The installation's reranker, if it has one."""

    OFF = "off"
    LEXICAL = "lexical"
    """Nobody: they are put in the order of what their words say."""

    MODEL = "model"
    """The installation's reranker; without one the answer says so."""


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What to recall.

    Attributes:
        limit: At most so many results; 0: as many as the class of the query asks for.
        spaces: Empty means the key's default space.
        kinds: ``memory``, ``context``.
        min_score: Results below it are left out; 0 to 1.
        is_dry_run: Leaves no recall record.
        entity: Only what names this entity, by its id or one of its names.
        subject: Only what is about this entity.
        is_expanded: What names related entities counts, too.
        asked_at: What `yesterday` in the query is the day before of; None: now.
        zone: On whose clock.
        rerank: Who looks at the best results a second time.
    """

    query: str
    limit: int = 0
    spaces: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("memory", "context")
    filters: Filters = field(default_factory=Filters)
    min_score: float = 0.0
    is_dry_run: bool = False
    entity: str | None = None
    subject: str | None = None
    is_expanded: bool = True
    asked_at: datetime | None = None
    zone: tzinfo = UTC
    rerank: RerankMode = RerankMode.AUTO

    @property
    def least_score(self) -> float:
        """What scores less before it is weighed and looked at again may be left out at once."""
        return self.min_score / MOST if self.rerank is RerankMode.OFF else 0.0


class ArmState(StrEnum):
    """How a search arm fared."""

    OK = "ok"
    EMPTY = "empty"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    FAILED = "failed"


MUTE: Final = "mute"
"""The reason of an arm that lately did not give, in that space, what the table says that it has."""

_NO_FAULT: Final = frozenset({"tail_truncated", "entity_truncated", "index_off"})
"""Reasons of an arm that did its part up to a bound, or as far as it goes without an index that there shall not be."""


@dataclass(frozen=True, slots=True)
class ArmReport:
    """What one arm did for an answer.

    Attributes:
        reason: Given unless it is ok or empty; then, too, when it is mute.
        lag_seconds: Of a tail that was cut: how old the oldest is that may be missing.
    """

    name: str
    state: ArmState
    reason: str | None
    candidates: int
    took_ms: float
    lag_seconds: float | None = None

    @property
    def is_well(self) -> bool:
        """It has looked at all that there is."""
        return self.state in (ArmState.OK, ArmState.EMPTY)

    @property
    def is_healthy(self) -> bool:
        """Nothing is wrong with it: it has not failed, is degraded at most on purpose, and is not known to be mute."""
        is_at_fault = self.state is ArmState.DEGRADED and self.reason not in _NO_FAULT
        return not (is_at_fault or self.state is ArmState.FAILED or self.reason == MUTE)

    def found_mute(self) -> ArmReport:
        """The same of an arm that is known to be mute; one that did not even search has a reason of its own."""
        return replace(self, reason=MUTE) if self.is_healthy and self.state is not ArmState.SKIPPED else self

    @property
    def has_searched(self) -> bool:
        """It has looked, if only at a part of what there is."""
        return self.is_well or self.candidates > 0


@dataclass(frozen=True, slots=True)
class Hit:
    """One result.

    Attributes:
        score: 0 to 1.
        similarity: A cosine.
        why: Arms that found it.
        scores: What each part of the ranking adds to the sum that `score` is made of: up to 3, of what the query names
            by its id, and below 0 of what speaks against it.
    """

    memory: Memory
    score: float
    similarity: float | None
    why: tuple[str, ...]
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class ContextHit:
    """A chunk as a result, with its document and where it stands there, from 0; the rest as in `Hit`."""

    chunk: Chunk
    document: Document
    position: int
    score: float
    similarity: float | None
    why: tuple[str, ...]
    scores: dict[str, float]


AnyHit: TypeAlias = Hit | ContextHit


def best(hits: Sequence[AnyHit], limit: int) -> list[AnyHit]:
    """At most so many with the highest scores; equal ones by id."""
    return sorted(hits, key=lambda hit: (-hit.score, *_named(hit)))[:limit]


def in_order(hits: Sequence[AnyHit], order: Order) -> list[AnyHit]:
    """The same results as the query asks for them: by relevance as they are, or by their dates."""
    if order is Order.RELEVANCE:
        return list(hits)
    return sorted(hits, key=_dated_at, reverse=order is Order.NEWEST_FIRST)


def _dated_at(hit: AnyHit) -> datetime:
    return (Traits.of(hit.memory.version.statement) if isinstance(hit, Hit) else Traits.of_chunk(hit.chunk)).dated_at


def space_of(hit: AnyHit) -> SpaceId:
    """The space that it lies in."""
    return hit.memory.head.space if isinstance(hit, Hit) else hit.document.space


def _named(hit: AnyHit) -> tuple[str, int]:
    return (hit.memory.version.root, hit.memory.version.number) if isinstance(hit, Hit) else (hit.chunk.id, 0)


@dataclass(frozen=True, slots=True)
class Recalled:
    """An answer and how it was found."""

    id: RecallId
    confidence: Confidence
    hits: tuple[AnyHit, ...]
    asked_for: AskedFor
    arms: tuple[ArmReport, ...]
    total_candidates: int
    duplicates_removed: int
    took_ms: float
    entities: tuple[str, ...] = ()
    is_underfilled: bool = False
    is_recorded: bool = False

    @property
    def memories(self) -> list[Memory]:
        """The memories among the results, best first."""
        return [hit.memory for hit in self.hits if isinstance(hit, Hit)]
