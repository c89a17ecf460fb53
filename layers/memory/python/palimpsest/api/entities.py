"""Entities: listed, read, declared, changed, merged and taken back."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.parameters import CursorQuery, EntityPath, Limit, entity_id
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.entities import (
    EntitiesAnswer,
    EntityAnswer,
    EntityHistoryAnswer,
    EntityInFullItem,
    EntityRequest,
    MergeRequest,
    MergesAnswer,
    NewEntityRequest,
    RelatedAnswer,
)
from palimpsest.api.wire.fields import Instant, Name, Space
from palimpsest.domain.access import Role
from palimpsest.domain.filters import Filters
from palimpsest.usecases.entities import Decision
from palimpsest.usecases.related import HOPS, RelatedQuery
from palimpsest.usecases.show_entities import EntityQuery

routes = Routes("entities")
_PAGE = "docs/api/entities.md"


@routes.route(
    "GET",
    "/memory/entities",
    summary="List entities, newest first",
    role=Role.READER,
    answers={200: EntitiesAnswer},
    surface=Surface(f"{_PAGE}#list", cli="entities"),
)
def list_entities(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    q: Annotated[Name | None, Query(description="A part of a name or of an alias.")] = None,
    entity_type: Annotated[Name | None, Query(description="Only of this type.")] = None,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> EntitiesAnswer:
    """Those that something names which is shown, or of which somebody decided something."""
    query = EntityQuery(space, q, entity_type, limit, cursor)
    return EntitiesAnswer.of(call.service.graph.show.page(call.caller, query))


@routes.route(
    "POST",
    "/memory/entities",
    summary="Declare an entity",
    role=Role.WRITER,
    answers={201: EntityAnswer, 200: EntityAnswer},
    refusals=(409,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#declare", cli="entities"),
)
def declare_entity(call: Call, body: Annotated[NewEntityRequest, Body()]) -> tuple[EntityAnswer, int]:
    """201; 200 when the name leads to an entity, which has the type then, and the aliases too."""
    decision = call.service.graph.entities.declare(call.caller, body.to_new(), call.idempotency)
    return _decided(call, decision), 201 if decision.is_new else 200


@routes.route(
    "GET",
    "/memory/entities/merges",
    summary="List the merges that stand, newest first",
    role=Role.READER,
    answers={200: MergesAnswer},
    surface=Surface(f"{_PAGE}#list-merges", cli="entities"),
)
def list_merges(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> MergesAnswer:
    """Each with the entity that counts for another one, and for which in the end."""
    return MergesAnswer.of(call.service.graph.merge.page(call.caller, space=space, limit=limit, cursor=cursor))


@routes.route(
    "POST",
    "/memory/entities/merges/<id>/revert",
    summary="Part an entity from the one that it was merged into",
    role=Role.WRITER,
    answers={200: EntityAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#revert-a-merge", cli="entities"),
)
def revert_merge(call: Call, id: EntityPath) -> EntityAnswer:
    """`id` is that of the merged entity, which has everything again that came by its names, also since."""
    return _decided(call, call.service.graph.merge.revert(call.caller, entity_id(id), call.idempotency))


@routes.route(
    "GET",
    "/memory/entities/<id>",
    summary="Read an entity, with what names it",
    role=Role.READER,
    answers={200: EntityInFullItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#read", cli="entities"),
)
def get_entity(call: Call, id: EntityPath) -> EntityInFullItem:
    """Itself, or the one that it was merged into."""
    return EntityInFullItem.in_full(call.service.graph.read(call.caller, entity_id(id)))


@routes.route(
    "PATCH",
    "/memory/entities/<id>",
    summary="Rename or retype an entity, or give it aliases",
    role=Role.WRITER,
    answers={200: EntityAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#change", cli="entities"),
)
def change_entity(call: Call, id: EntityPath, body: Annotated[EntityRequest, Body()]) -> EntityAnswer:
    """What names it is untouched; 409, which names it, when the name or an alias leads to another entity."""
    return _decided(call, call.service.graph.entities.change(call.caller, entity_id(id), body.to_edit()))


@routes.route(
    "DELETE",
    "/memory/entities/<id>",
    summary="Delete an entity",
    role=Role.WRITER,
    answers={200: EntityAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#delete", cli="entities"),
)
def delete_entity(call: Call, id: EntityPath) -> EntityAnswer:
    """Out of the graph, also when something names it again; 409 for the owner of the space."""
    return _decided(call, call.service.graph.entities.delete(call.caller, entity_id(id)))


@routes.route(
    "POST",
    "/memory/entities/<id>/merge",
    summary="Let an entity count for another one",
    role=Role.WRITER,
    answers={200: EntityAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#merge", cli="entities"),
)
def merge_entity(call: Call, id: EntityPath, body: Annotated[MergeRequest, Body()]) -> EntityAnswer:
    """The answer is the other one, whose aliases are the names of both."""
    merged = call.service.graph.merge(call.caller, entity_id(id), body.to_id(), call.idempotency)
    return _decided(call, merged)


@routes.route(
    "GET",
    "/memory/entities/<id>/history",
    summary="What people decided of an entity, newest first",
    role=Role.READER,
    answers={200: EntityHistoryAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#history", cli="entities"),
)
def get_entity_history(
    call: Call, id: EntityPath, limit: Limit = 50, cursor: CursorQuery = None
) -> EntityHistoryAnswer:
    """Each decision with how the entity was called before it."""
    history = call.service.graph.show.history(call.caller, entity_id(id), limit=limit, cursor=cursor)
    return EntityHistoryAnswer.of(history)


@routes.route(
    "POST",
    "/memory/entities/<id>/undo",
    summary="Take back the last decision on an entity",
    role=Role.WRITER,
    answers={200: EntityAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#undo", cli="entities"),
)
def undo_entity(call: Call, id: EntityPath) -> EntityAnswer:
    """A deletion too; 409 when there is none, and for a merge, which is reverted by its own route."""
    return _decided(call, call.service.graph.entities.undo(call.caller, entity_id(id), call.idempotency))


@routes.route(
    "GET",
    "/memory/entities/<id>/related",
    summary="What is related to an entity, or the way to another one",
    role=Role.READER,
    answers={200: RelatedAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#related", cli="entities"),
)
def list_related(
    call: Call,
    id: EntityPath,
    hops: Annotated[int, Query(ge=1, le=HOPS, description="How far from it.")] = 1,
    entity_type: Annotated[Name | None, Query(description="Only of this type.")] = None,
    path_to: Annotated[
        str | None,
        Query(max_length=64, description="Id of an entity: only the shortest way there, within three hops."),
    ] = None,
    as_of: Annotated[Instant | None, Query(description="What was true then; now when left out.")] = None,
    believed_at: Annotated[
        Instant | None, Query(description="What was believed then: nothing counts that was recorded later.")
    ] = None,
    limit: Limit = 50,
) -> RelatedAnswer:
    """What is stated, apart from what only names both; the nearest first."""
    end = None if path_to is None else entity_id(path_to)
    query = RelatedQuery(hops, entity_type, end, limit, Filters(as_of=as_of, believed_at=believed_at))
    return RelatedAnswer.of(call.service.graph.related(call.caller, entity_id(id), query))


def _decided(call: Call, decision: Decision) -> EntityAnswer:
    return EntityAnswer.of(call.service.graph.show.told(decision.space, decision.entity))
