"""Erasing for good, and the receipts."""

from __future__ import annotations

from palimpsest.api.parameters import DocumentPath, ErasurePath, MemoryId, document_id, erasure_id, reference
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.erasures import EraseAnswer, ErasureItem
from palimpsest.domain.access import Role

routes = Routes("erasures")
_PAGE = "docs/api/erasures.md"


@routes.route(
    "POST",
    "/memory/<id>/erase",
    summary="Erase a memory for good",
    role=Role.OWNER,
    answers={202: EraseAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#erase", cli="erase"),
)
def erase_memory(call: Call, id: MemoryId) -> EraseAnswer:
    """All its versions, off every surface now and gone for good soon; asked for again, the same erasure."""
    return EraseAnswer.of(call.service.erase(call.caller, reference(id), call.idempotency))


@routes.route(
    "POST",
    "/documents/<id>/erase",
    summary="Erase a document for good",
    role=Role.OWNER,
    answers={202: EraseAnswer},
    refusals=(404,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#documents", cli="erase"),
)
def erase_document(call: Call, id: DocumentPath) -> EraseAnswer:
    """With its chunks, its originals and what was learned from it; asked for again, the same erasure."""
    return EraseAnswer.of(call.service.erase_document(call.caller, document_id(id), call.idempotency))


@routes.route(
    "GET",
    "/erasures/<id>",
    summary="How an erasure stands, and its receipt",
    role=Role.OWNER,
    answers={200: ErasureItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#receipt", cli="erasure"),
)
def get_erasure(call: Call, id: ErasurePath) -> ErasureItem:
    """What was taken from where, that each place was asked again, and what remains until when; never the text."""
    return ErasureItem.of(call.service.erase.receipt(call.caller, erasure_id(id)))
