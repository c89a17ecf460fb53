"""The graph: shown page by page or around a node, and the runs that read sources for it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.graphml import MEDIA_TYPE, graphml
from palimpsest.api.parameters import CursorQuery, document_id
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.fields import Instant, Space
from palimpsest.api.wire.graph import GraphAnswer, IndexRequest, require_one_view
from palimpsest.api.wire.runs import RunAnswer
from palimpsest.domain.access import Role
from palimpsest.usecases.view_around import DEPTH, AroundQuery
from palimpsest.usecases.view_graph import GraphPage, GraphQuery

routes = Routes("graph")
_PAGE = "docs/api/graph.md"


class GraphFormat(StrEnum):
    """How the graph is written."""

    JSON = "json"
    GRAPHML = "graphml"


@routes.route(
    "GET",
    "/memory/graph",
    summary="Memories, documents and entities as nodes and edges",
    role=Role.READER,
    answers={200: GraphAnswer},
    refusals=(404,),
    media_types=(MEDIA_TYPE,),
    surface=Surface(f"{_PAGE}#look-at-the-graph", cli="graph"),
)
def get_graph(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    around: Annotated[
        str | None,
        Query(max_length=64, description="Id of a memory, an entity, a document or a chunk: what it is joined to."),
    ] = None,
    depth: Annotated[int | None, Query(ge=1, le=DEPTH, description="How far around it; 1 when left out.")] = None,
    as_of: Annotated[Instant | None, Query(description="Around a node: what was true then; now when left out.")] = None,
    chunks_of: Annotated[str | None, Query(max_length=64, description="Id of a document: its chunks.")] = None,
    limit: Annotated[
        int, Query(ge=1, le=200, description="Most nodes around a node; else most entries that a page begins with.")
    ] = 50,
    cursor: CursorQuery = None,
    format: Annotated[GraphFormat, Query(description="JSON, or a GraphML document.")] = GraphFormat.JSON,
) -> GraphAnswer | Response[str]:
    """What is current, or was with `as_of`. Documents are one node each unless `chunks_of` opens one."""
    require_one_view({"around": around, "depth": depth, "as_of": as_of, "chunks_of": chunks_of, "cursor": cursor})
    document = None if chunks_of is None else document_id(chunks_of)
    page: GraphPage
    if around is not None:
        page = call.service.graph.around(call.caller, AroundQuery(around, depth or 1, limit, space, as_of))
    else:
        page = call.service.graph.view(call.caller, GraphQuery(space, document, limit, cursor))
    answer = GraphAnswer.of(page)
    if format is GraphFormat.JSON:
        return answer
    told = answer.model_dump(mode="json")
    return Response(200, MEDIA_TYPE, graphml(told["nodes"], told["edges"], told["next_cursor"]))


@routes.route(
    "POST",
    "/memory/index",
    summary="Read what nobody has read for entities yet",
    role=Role.WRITER,
    answers={202: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#index", cli="index"),
)
def index_graph(call: Call, body: Annotated[IndexRequest, Body()]) -> RunAnswer:
    """A run; also over what was read with another vocabulary, or by rules where there is a model now."""
    begun = call.service.graph.index(call.caller, body.space, is_anew=False, idempotency=call.idempotency)
    return RunAnswer.of(begun)


@routes.route(
    "POST",
    "/memory/reindex",
    summary="Read everything for entities anew",
    role=Role.OWNER,
    answers={202: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#reindex", cli="reindex"),
)
def reindex_graph(call: Call, body: Annotated[IndexRequest, Body()]) -> RunAnswer:
    """A run that can't be undone. What people decided of entities stays; each text's links until it is read again."""
    begun = call.service.graph.index(call.caller, body.space, is_anew=True, idempotency=call.idempotency)
    return RunAnswer.of(begun)
