"""Memories: saved, read, listed and taken away."""

from __future__ import annotations

from typing import Annotated, Literal

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api import problem
from palimpsest.api.failures import InvalidRequest
from palimpsest.api.parameters import CursorQuery, IncludeForgotten, Limit, MemoryId, reference
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.changes import ForgetAnswer, MemoryAnswer
from palimpsest.api.wire.fields import Instant, LastInstant, Name, Question, Space, Tag
from palimpsest.api.wire.filters import VALUES, MetadataFilter
from palimpsest.api.wire.memory import MemoryItem
from palimpsest.api.wire.problems import ProblemItem
from palimpsest.api.wire.readings import ListAnswer
from palimpsest.api.wire.saves import BatchAnswer, BatchRequest, Misfit, SaveAnswer, SaveRequest
from palimpsest.domain.access import Role
from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.source import Trust
from palimpsest.domain.version import MemoryType
from palimpsest.usecases.drafts import Outcome, Refused, Saved
from palimpsest.usecases.readings import ListQuery

routes = Routes("memories")
_PAGE = "docs/api/memories.md"
_NOTHING_NEW = frozenset({Outcome.UNCHANGED, Outcome.ECHO})


@routes.route(
    "POST",
    "/memory/save",
    summary="Save a memory",
    role=Role.WRITER,
    answers={201: SaveAnswer, 200: SaveAnswer},
    refusals=(409,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#save", cli="save"),
)
def save_memory(call: Call, body: Annotated[SaveRequest, Body()]) -> tuple[SaveAnswer, int]:
    """201, or 200 when nothing new was written because the same text is there."""
    saved = call.service.remember(call.caller, body.to_draft(), call.idempotency)
    return SaveAnswer.of(saved), 200 if saved.outcome in _NOTHING_NEW else 201


@routes.route(
    "POST",
    "/memory/batch",
    summary="Save up to 100 memories",
    role=Role.WRITER,
    answers={200: BatchAnswer},
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#batch", cli="save"),
)
def save_memories(call: Call, body: Annotated[BatchRequest, Body()]) -> BatchAnswer:
    """One answer or problem per item, in order; one that is refused does not stop the others."""
    items = body.items()
    drafts = [item.to_draft() for item in items if isinstance(item, SaveRequest)]
    told = iter(call.service.remember_all(call.caller, drafts, call.idempotency, space=body.space))
    results = (next(told) if isinstance(item, SaveRequest) else item for item in items)
    return BatchAnswer(results=tuple(_result(call, each, at) for at, each in enumerate(results)))


@routes.route(
    "GET",
    "/memory/list",
    summary="List memories, newest first",
    role=Role.READER,
    answers={200: ListAnswer},
    surface=Surface(f"{_PAGE}#list", cli="list"),
)
def list_memories(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    limit: Limit = 50,
    cursor: CursorQuery = None,
    tags: Annotated[
        list[Tag] | None, Query(max_length=64, description="All of these; repeated or separated by commas.")
    ] = None,
    memory_types: Annotated[list[MemoryType] | None, Query(max_length=4, description="Any of these.")] = None,
    levels: Annotated[list[Literal["L0", "L1"]] | None, Query(max_length=2, description="Any of these.")] = None,
    date_from: Annotated[Instant | None, Query(description="Event date, else asserted: at or after this.")] = None,
    date_to: Annotated[LastInstant | None, Query(description="Event date, else asserted: at or before this.")] = None,
    as_of: Annotated[Instant | None, Query(description="What was true then; now when left out.")] = None,
    believed_at: Annotated[
        Instant | None, Query(description="What was believed then: nothing counts that was recorded later.")
    ] = None,
    metadata: Annotated[
        MetadataFilter | None,
        Query(description="A JSON object: for each name a plain value, or a list of which any will do."),
    ] = None,
    session: Annotated[Name | None, Query(description="Only from this conversation.")] = None,
    channel: Annotated[Name | None, Query(description="Only through this channel.")] = None,
    attributed_to: Annotated[Name | None, Query(description="Only what is that person's statement.")] = None,
    source_agents: Annotated[list[Name] | None, Query(max_length=VALUES, description="Any of these.")] = None,
    exclude_source_agents: Annotated[list[Name] | None, Query(max_length=VALUES, description="None of these.")] = None,
    min_trust: Annotated[Trust | None, Query(description="At least so much: a1 before a2 before b.")] = None,
    entity: Annotated[Name | None, Query(description="Only what names it: its id, or one of its names.")] = None,
    subject: Annotated[Name | None, Query(description="Only what is about it: its id, or one of its names.")] = None,
    q: Annotated[Question | None, Query(description="Keywords that must all occur in the text.")] = None,
    status: Annotated[
        Literal["current", "retired", "forgotten"],
        Query(description="Older versions are in a memory's history; `forgotten` needs the role writer."),
    ] = "current",
) -> ListAnswer:
    """A page may be short and yet have a cursor."""
    filters = Filters(
        statuses=(Status(status),),
        memory_types=tuple(memory_types or ()),
        levels=tuple(levels or ()),
        tags=tuple(tags or ()),
        metadata=metadata or (),
        session=session,
        channel=channel,
        attributed_to=attributed_to,
        source_agents=tuple(source_agents or ()),
        exclude_source_agents=tuple(exclude_source_agents or ()),
        min_trust=min_trust,
        dated_from=date_from,
        dated_until=date_to,
        as_of=as_of,
        believed_at=believed_at,
    )
    query = ListQuery(space, filters, q, limit, cursor, entity, subject)
    return ListAnswer.of(call.service.list_memories(call.caller, query))


@routes.route(
    "GET",
    "/memory/<id>",
    summary="Read a memory, or one version of it",
    role=Role.READER,
    answers={200: MemoryItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#read", cli="show"),
)
def get_memory(
    call: Call,
    id: MemoryId,
    include_forgotten: IncludeForgotten = False,
) -> MemoryItem:
    """The memory itself; a forgotten one is not found."""
    memory = call.service.read(call.caller, reference(id), include_forgotten=include_forgotten)
    return MemoryItem.of(memory, tells_window=True)


@routes.route(
    "POST",
    "/memory/<id>/forget",
    summary="Forget a memory",
    role=Role.WRITER,
    answers={200: ForgetAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#forget", cli="forget"),
)
def forget_memory(call: Call, id: MemoryId) -> ForgetAnswer:
    """Out of every surface now; `restore_until` says how long it can be restored."""
    return ForgetAnswer.of(call.service.forget(call.caller, reference(id), call.idempotency))


@routes.route(
    "DELETE",
    "/memory/<id>",
    summary="Forget a memory",
    role=Role.WRITER,
    answers={200: ForgetAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#forget", cli="forget"),
)
def delete_memory(call: Call, id: MemoryId) -> ForgetAnswer:
    """The same as POST /memory/{id}/forget."""
    return ForgetAnswer.of(call.service.forget(call.caller, reference(id)))


@routes.route(
    "POST",
    "/memory/<id>/restore",
    summary="Restore a forgotten memory",
    role=Role.WRITER,
    answers={200: MemoryAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#restore", cli="restore"),
)
def restore_memory(call: Call, id: MemoryId) -> MemoryAnswer:
    """As it was before it was forgotten, while its recovery window is open."""
    return MemoryAnswer.of(call.service.restore(call.caller, reference(id), call.idempotency))


def _result(call: Call, told: Saved | Refused | Misfit, position: int) -> SaveAnswer | ProblemItem:
    if isinstance(told, Saved):
        return SaveAnswer.of(told)
    where = ("body", "memories", position)
    error = told.error if isinstance(told, Refused) else InvalidRequest(problem.faults_of(told.errors, where))
    return ProblemItem.model_validate_json(problem.of(error, request_id=call.request_id, where=where).text)
