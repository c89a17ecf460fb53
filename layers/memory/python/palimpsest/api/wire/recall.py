"""Recall: what is asked, and what is found, by which way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from palimpsest.api.wire.fields import (
    Answer,
    Flag,
    Instant,
    LastInstant,
    Question,
    Space,
    Tags,
    WrittenInstant,
    Zone,
    is_none,
    refused,
    zone,
)
from palimpsest.api.wire.filters import Narrowed
from palimpsest.api.wire.memory import MemoryItem, written
from palimpsest.domain.asking.query_class import QueryClass
from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.version import MemoryType
from palimpsest.usecases.answers import (
    AnyHit,
    ArmReport,
    ArmState,
    Confidence,
    ContextHit,
    Hit,
    Recalled,
    RecallQuery,
    RerankMode,
)

RECALL_LIMIT = 100
MOST_SPACES = 20


class RecallRequest(Narrowed):
    """What to recall."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "what does Marta drink?", "limit": 5}]})

    query: Question
    limit: Annotated[int, Field(strict=True, ge=1, le=RECALL_LIMIT)] | None = None
    space: Space | None = None
    spaces: Annotated[tuple[Space, ...], Field(max_length=MOST_SPACES)] = ()
    kinds: Annotated[tuple[Literal["memory", "context"], ...], Field(min_length=1, max_length=2)] = (
        "memory",
        "context",
    )
    memory_types: Annotated[tuple[MemoryType, ...], Field(max_length=len(MemoryType))] = ()
    levels: Annotated[tuple[Literal["L0", "L1"], ...], Field(max_length=2)] = ()
    tags: Tags = ()
    date_from: Instant | None = None
    date_to: LastInstant | None = None
    now: Instant | None = None
    tz: Zone = "UTC"
    as_of: Instant | None = None
    believed_at: Instant | None = None
    include_stale: Flag = False
    expand_graph: Flag = True
    min_score: Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)] = 0.0
    rerank: RerankMode = RerankMode.AUTO
    explain: Flag = False
    dry_run: Flag = False

    @model_validator(mode="after")
    def _asks_one_thing(self) -> RecallRequest:
        if self.space is not None and self.spaces:
            raise refused("space_and_spaces", "give `space` or `spaces`, not both")
        if self.include_stale and (self.as_of is not None or self.believed_at is not None):
            raise refused("stale_and_time", "give `include_stale` or a time, not both")
        return self

    def to_query(self) -> RecallQuery:
        """The same for the core."""
        return RecallQuery(
            query=self.query,
            limit=self.limit or 0,
            spaces=self.spaces if self.space is None else (self.space,),
            kinds=self.kinds,
            filters=self._filters(),
            min_score=self.min_score,
            is_dry_run=self.dry_run,
            entity=self.entity,
            subject=self.subject,
            is_expanded=self.expand_graph,
            asked_at=self.now,
            zone=zone(self.tz),
            rerank=self.rerank,
        )

    def _filters(self) -> Filters:
        return Filters(
            statuses=(Status.CURRENT, Status.STALE) if self.include_stale else (Status.CURRENT,),
            memory_types=self.memory_types,
            levels=self.levels,
            tags=self.tags,
            metadata=self.metadata or (),
            session=self.session,
            channel=self.channel,
            attributed_to=self.attributed_to,
            source_agents=self.source_agents,
            exclude_source_agents=self.exclude_source_agents,
            min_trust=self.min_trust,
            dated_from=self.date_from,
            dated_until=self.date_to,
            as_of=self.as_of,
            believed_at=self.believed_at,
        )


_DIGITS = 6
"""Of a score; the last ones of a float change with what is computed beside it, so they may tell of other spaces."""


class ScoresItem(Answer):
    """What each part of the ranking adds to the sum that `score` puts between 0 and 1; null where one had no say.

    `graph`, `time` and `weight` are no parts of it: the score that a relation gives in place of a lower one, and what a
    score is multiplied by then for age, and for age, use, marks and source.
    `rerank` is none either: what a second look says, 0 to 1; `score` is then the mean of it and of what it was before.
    """

    keyword: float | None
    vector: float | None
    talk: float | None
    speaker: float | None
    question: float | None
    when: float | None
    first_person: float | None
    feedback: float | None
    entity: float | None
    exact: float | None
    named: float | None
    date: float | None
    graph: float | None
    time: float | None
    weight: float | None
    rerank: float | None

    @classmethod
    def of(cls, scores: Mapping[str, float]) -> ScoresItem:
        """The parts that there are."""
        return cls(**{name: scores.get(name) for name in cls.model_fields})


class HitItem(Answer):
    """One result. `why`: the arms that found it. `similarity`: cosine with the query. `scores` only with `explain`."""

    kind: Literal["memory"] = "memory"
    memory: MemoryItem
    score: float
    similarity: float | None
    why: tuple[str, ...]
    scores: ScoresItem | None = Field(default=None, exclude_if=is_none)

    @classmethod
    def of(cls, hit: Hit, *, is_explained: bool) -> HitItem:
        """What is told of a hit."""
        return cls(
            memory=MemoryItem.of(hit.memory),
            score=round(hit.score, _DIGITS),
            similarity=hit.similarity,
            why=hit.why,
            scores=ScoresItem.of(hit.scores) if is_explained else None,
        )


class ChunkItem(Answer):
    """A part of a document, and the headings above it, the highest first."""

    id: str = Field(examples=["chk_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    text: str
    breadcrumb: tuple[str, ...]


class DocumentSource(Answer):
    """Where a chunk stands: its document, the page in a format that has pages, the position among the chunks from 0."""

    document_id: str = Field(examples=["doc_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    title: str
    path: str
    page: int | None
    position: int


class ContextItem(Answer):
    """One result that is a part of a document. `memory_type` is `context`, which no memory can be saved with."""

    kind: Literal["context"] = "context"
    memory_type: Literal["context"] = "context"
    chunk: ChunkItem
    source: DocumentSource
    score: float
    similarity: float | None
    why: tuple[str, ...]
    scores: ScoresItem | None = Field(default=None, exclude_if=is_none)

    @classmethod
    def of(cls, hit: ContextHit, *, is_explained: bool) -> ContextItem:
        """What is told of a hit."""
        chunk, document = hit.chunk, hit.document
        return cls(
            chunk=ChunkItem(id=chunk.id, text=chunk.text, breadcrumb=chunk.breadcrumb),
            source=DocumentSource(
                document_id=document.id,
                title=document.title,
                path=document.path,
                page=chunk.page,
                position=hit.position,
            ),
            score=round(hit.score, _DIGITS),
            similarity=hit.similarity,
            why=hit.why,
            scores=ScoresItem.of(hit.scores) if is_explained else None,
        )


class ArmItem(Answer):
    """How one search arm fared. `reason` is there unless it is well, `lag_seconds` when a tail was cut."""

    name: str
    state: ArmState
    healthy: bool
    reason: str | None = Field(default=None, exclude_if=is_none)
    candidates: int
    took_ms: float
    lag_seconds: float | None = Field(default=None, exclude_if=is_none)

    @classmethod
    def of(cls, arm: ArmReport) -> ArmItem:
        """What is told of an arm."""
        return cls(
            name=arm.name,
            state=arm.state,
            healthy=arm.is_healthy,
            reason=arm.reason,
            candidates=arm.candidates,
            took_ms=round(arm.took_ms, 3),
            lag_seconds=arm.lag_seconds,
        )


class UnderstoodItem(Answer):
    """How the query was read. `language` is null when it is not sure."""

    query_class: QueryClass = Field(serialization_alias="class")
    language: str | None
    date_from: WrittenInstant | None
    date_to: WrittenInstant | None
    entities: tuple[str, ...] = ()

    @classmethod
    def of(cls, recalled: Recalled, request: RecallRequest) -> UnderstoodItem:
        """What is told of it: the dates of the request, else those of the query."""
        asked = recalled.asked_for
        begins, ends = request.date_from, request.date_to
        if begins is None and ends is None and asked.dates is not None:
            begins, ends = asked.dates.begins_at, asked.dates.ends_at
        return cls(
            query_class=asked.query_class,
            language=asked.languages[0] if len(asked.languages) == 1 else None,
            date_from=written(begins),
            date_to=written(ends),
            entities=recalled.entities,
        )


class RecallAnswer(Answer):
    """What was found, best first, and how. An empty list is an honest answer.

    `recorded`: what was answered is remembered as recalled; never for a dry run.
    `underfilled`: so many candidates turned out to be outdated that there may be more than was found.
    """

    recall_id: str
    confidence: Confidence
    results: tuple[HitItem | ContextItem, ...]
    understood: UnderstoodItem
    associations: tuple[str, ...] = ()
    arms: tuple[ArmItem, ...]
    total_candidates: int
    duplicates_removed: int
    underfilled: bool
    recorded: bool
    took_ms: float

    @classmethod
    def of(cls, recalled: Recalled, request: RecallRequest) -> RecallAnswer:
        """What is told of a recall."""
        return cls(
            recall_id=recalled.id,
            confidence=recalled.confidence,
            results=tuple(_item(hit, is_explained=request.explain) for hit in recalled.hits),
            understood=UnderstoodItem.of(recalled, request),
            arms=tuple(map(ArmItem.of, recalled.arms)),
            total_candidates=recalled.total_candidates,
            duplicates_removed=recalled.duplicates_removed,
            underfilled=recalled.is_underfilled,
            recorded=recalled.is_recorded,
            took_ms=round(recalled.took_ms, 3),
        )


def _item(hit: AnyHit, *, is_explained: bool) -> HitItem | ContextItem:
    if isinstance(hit, Hit):
        return HitItem.of(hit, is_explained=is_explained)
    return ContextItem.of(hit, is_explained=is_explained)
