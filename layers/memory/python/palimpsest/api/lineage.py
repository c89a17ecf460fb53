"""Versions of a memory: new ones, old ones, and the proof that none was touched."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.parameters import PAGE_LIMIT, CursorQuery, IncludeForgotten, MemoryId, reference
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.changes import AnnotatedAnswer, AnnotateRequest, RevertRequest, RevisedAnswer, UpdateRequest
from palimpsest.api.wire.readings import DiffAnswer, HistoryAnswer, ProofAnswer
from palimpsest.domain.access import Role

routes = Routes("lineage")
_PAGE = "docs/api/lineage.md"


@routes.route(
    "POST",
    "/memory/<id>/update",
    summary="Write a new version of a memory",
    role=Role.WRITER,
    answers={200: RevisedAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#update", cli="update"),
)
def update_memory(call: Call, id: MemoryId, body: Annotated[UpdateRequest, Body()]) -> RevisedAnswer:
    """The type and what else is left out are kept; with `expected_version` 409 when another version is current."""
    return RevisedAnswer.of(call.service.revise(call.caller, reference(id), body.to_revision(), call.idempotency))


@routes.route(
    "PATCH",
    "/memory/<id>",
    summary="Annotate a memory without a new version",
    role=Role.WRITER,
    answers={200: AnnotatedAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#annotate", cli="annotate"),
)
def annotate_memory(call: Call, id: MemoryId, body: Annotated[AnnotateRequest, Body()]) -> AnnotatedAnswer:
    """Tags, pin, importance and expiry; what is left out stays as it is."""
    return AnnotatedAnswer.of(call.service.annotate(call.caller, reference(id), body.to_annotation()))


@routes.route(
    "POST",
    "/memory/<id>/revert",
    summary="Make an old version's text the newest version",
    role=Role.WRITER,
    answers={200: RevisedAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#revert", cli="revert"),
)
def revert_memory(call: Call, id: MemoryId, body: Annotated[RevertRequest, Body()]) -> RevisedAnswer:
    """Nothing is taken back: the old text becomes a new version."""
    revised = call.service.revert(
        call.caller,
        reference(id),
        body.version,
        expected_version=body.expected_version,
        idempotency=call.idempotency,
    )
    return RevisedAnswer.of(revised)


@routes.route(
    "GET",
    "/memory/<id>/history",
    summary="All versions and steps of a memory, newest first",
    role=Role.READER,
    answers={200: HistoryAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#history", cli="history"),
)
def get_history(
    call: Call,
    id: MemoryId,
    limit: Annotated[int, Query(ge=1, le=PAGE_LIMIT, description="Most steps of one page.")] = 50,
    cursor: CursorQuery = None,
    include_forgotten: IncludeForgotten = False,
) -> HistoryAnswer:
    """Who, when and why; annotations too, before and after. `versions` are those that the page's steps added."""
    history = call.service.history(
        call.caller, reference(id), limit=limit, cursor=cursor, include_forgotten=include_forgotten
    )
    return HistoryAnswer.of(history)


@routes.route(
    "GET",
    "/memory/<id>/diff",
    summary="How the text changed between two versions",
    role=Role.READER,
    answers={200: DiffAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#diff", cli="diff"),
)
def get_diff(
    call: Call,
    id: MemoryId,
    older: Annotated[
        int | None, Query(alias="from", ge=1, le=999_999_999, description="The version before `to` when left out.")
    ] = None,
    newer: Annotated[
        int | None, Query(alias="to", ge=1, le=999_999_999, description="The current version when left out.")
    ] = None,
) -> DiffAnswer:
    """By words."""
    return DiffAnswer.of(call.service.diff(call.caller, reference(id), older=older, newer=newer))


@routes.route(
    "GET",
    "/memory/<id>/proof",
    summary="The chain of content hashes and its verification",
    role=Role.READER,
    answers={200: ProofAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#proof", cli="history"),
)
def get_proof(call: Call, id: MemoryId) -> ProofAnswer:
    """Each hash covers its version and the hash before."""
    return ProofAnswer.of(call.service.prove(call.caller, reference(id)))
