"""Entities that may be one: looked for in a run, listed for somebody to decide, kept apart."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.parameters import CursorQuery, DuplicatePath, Limit, duplicate_id
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.duplicates import (
    DuplicateAnswer,
    DuplicateReplyRequest,
    DuplicatesAnswer,
    ResolveEntitiesRequest,
)
from palimpsest.api.wire.fields import Space
from palimpsest.api.wire.runs import RunAnswer
from palimpsest.domain.access import Role
from palimpsest.stores.duplicates import DuplicateState

routes = Routes("entities")
_PAGE = "docs/api/entities.md"


@routes.route(
    "POST",
    "/memory/entities/resolve",
    summary="Look for entities that are one",
    role=Role.WRITER,
    answers={202: RunAnswer},
    refusals=(404,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#look-for-duplicates", cli="entities"),
)
def resolve_entities(call: Call, body: Annotated[ResolveEntitiesRequest, Body()]) -> RunAnswer:
    """A run: names of the same letters are merged, and what may be one is noted for somebody to decide."""
    begun = call.service.graph.index.resolve(call.caller, body.space, is_dry=body.dry_run, idempotency=call.idempotency)
    return RunAnswer.of(begun)


@routes.route(
    "GET",
    "/memory/entities/duplicates",
    summary="List entities that may be one, the likeliest first",
    role=Role.READER,
    answers={200: DuplicatesAnswer},
    surface=Surface(f"{_PAGE}#list-duplicates", cli="entities"),
)
def list_duplicates(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    state: Annotated[
        DuplicateState, Query(description="Whether somebody said that they are two.")
    ] = DuplicateState.OPEN,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> DuplicatesAnswer:
    """Pairs of which both are shown. To say that they are one, merge them."""
    listed = call.service.graph.duplicates.page(call.caller, space=space, state=state, limit=limit, cursor=cursor)
    return DuplicatesAnswer.of(listed)


@routes.route(
    "POST",
    "/memory/entities/duplicates/<id>/answer",
    summary="Say that two entities are two",
    role=Role.WRITER,
    answers={200: DuplicateAnswer},
    refusals=(404,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#answer-a-duplicate", cli="entities"),
)
def answer_duplicate(call: Call, id: DuplicatePath, body: Annotated[DuplicateReplyRequest, Body()]) -> DuplicateAnswer:
    """`apart`: no run asks about the two again; `open` takes that back. The same answer twice is as good as once."""
    return DuplicateAnswer.of(call.service.graph.duplicates.answer(call.caller, duplicate_id(id), body.answer))
