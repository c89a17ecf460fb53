"""Conflicts and findings: listed, decided, answered."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.parameters import (
    ConflictPath,
    CursorQuery,
    FindingPath,
    Limit,
    conflict_id,
    finding_id,
)
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.conflicts import (
    ConflictAnswer,
    ConflictItem,
    ConflictsAnswer,
    DecidedAnswer,
    FindingAnswer,
    FindingItem,
    FindingsAnswer,
    ReplyRequest,
    ResolveRequest,
)
from palimpsest.api.wire.fields import Space
from palimpsest.domain.access import Role
from palimpsest.domain.conflict import ConflictState
from palimpsest.domain.finding import FindingState
from palimpsest.usecases.readings import ConflictQuery, FindingQuery

routes = Routes("conflicts")
_PAGE = "docs/api/conflicts.md"


@routes.route(
    "GET",
    "/memory/conflicts",
    summary="List conflicts, newest first",
    role=Role.READER,
    answers={200: ConflictsAnswer},
    surface=Surface(f"{_PAGE}#list-conflicts", cli="conflicts"),
)
def list_conflicts(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    state: Annotated[ConflictState, Query(description="Whether they are decided.")] = ConflictState.PENDING,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> ConflictsAnswer:
    """Both sides in full. One of which a side is forgotten is hidden until that is restored."""
    return ConflictsAnswer.of(call.service.conflicts(call.caller, ConflictQuery(space, state, limit, cursor)))


@routes.route(
    "GET",
    "/memory/conflicts/<id>",
    summary="Read a conflict",
    role=Role.READER,
    answers={200: ConflictItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#read-a-conflict", cli="conflicts"),
)
def get_conflict(call: Call, id: ConflictPath) -> ConflictItem:
    """The conflict itself, with both sides in full and what was decided."""
    return ConflictItem.of(call.service.conflicts.one(call.caller, conflict_id(id)))


@routes.route(
    "POST",
    "/memory/conflicts/<id>/resolve",
    summary="Decide a conflict",
    role=Role.WRITER,
    answers={200: DecidedAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#resolve", cli="conflicts"),
)
def resolve_conflict(call: Call, id: ConflictPath, body: Annotated[ResolveRequest, Body()]) -> DecidedAnswer:
    """One transaction over both memories; 403 with less trust than what would be replaced, 409 when it is decided."""
    shown = call.service.resolve(call.caller, conflict_id(id), body.to_choice(), call.idempotency)
    return DecidedAnswer.of(shown)


@routes.route(
    "POST",
    "/memory/conflicts/<id>/revert",
    summary="Take back the decision on a conflict",
    role=Role.WRITER,
    answers={200: ConflictAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#revert-a-decision", cli="conflicts"),
)
def revert_conflict(call: Call, id: ConflictPath) -> ConflictAnswer:
    """Exactly that decision; 409, which names them, when later versions or decisions rest on it."""
    return ConflictAnswer.of(call.service.take_back(call.caller, conflict_id(id), call.idempotency))


@routes.route(
    "GET",
    "/memory/findings",
    summary="List findings, newest first",
    role=Role.READER,
    answers={200: FindingsAnswer},
    surface=Surface(f"{_PAGE}#list-findings", cli="findings"),
)
def list_findings(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    state: Annotated[FindingState, Query(description="What became of them.")] = FindingState.OPEN,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> FindingsAnswer:
    """What was noticed and not changed. One of which a side was replaced or forgotten is hidden."""
    return FindingsAnswer.of(call.service.findings.page(call.caller, FindingQuery(space, state, limit, cursor)))


@routes.route(
    "GET",
    "/memory/findings/<id>",
    summary="Read a finding",
    role=Role.READER,
    answers={200: FindingItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#read-a-finding", cli="findings"),
)
def get_finding(call: Call, id: FindingPath) -> FindingItem:
    """The finding itself, with both sides in full and what was answered."""
    return FindingItem.of(call.service.findings.one(call.caller, finding_id(id)))


@routes.route(
    "POST",
    "/memory/findings/<id>/answer",
    summary="Confirm or dismiss a finding",
    role=Role.WRITER,
    answers={200: FindingAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#answer-a-finding", cli="findings"),
)
def answer_finding(call: Call, id: FindingPath, body: Annotated[ReplyRequest, Body()]) -> FindingAnswer:
    """`confirm` begins a conflict of the two, `dismiss` closes the finding, `reopen` takes a dismissal back."""
    shown = call.service.findings.answer(call.caller, finding_id(id), body.answer, call.idempotency)
    return FindingAnswer.of(shown)
