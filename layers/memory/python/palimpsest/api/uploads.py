"""Uploads: addresses for documents that no request holds."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from palimpsest.api.parameters import UploadPath, upload_id
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.uploads import UploadAnswer, UploadBegunAnswer, UploadRequest
from palimpsest.domain.access import Role

routes = Routes("documents")
_PAGE = "docs/api/documents.md"


@routes.route(
    "POST",
    "/documents/uploads",
    summary="An address for the bytes of a large document",
    role=Role.WRITER,
    answers={201: UploadBegunAnswer},
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#uploads", cli="add"),
)
def begin_upload(call: Call, body: Annotated[UploadRequest, Body()]) -> tuple[UploadBegunAnswer, int]:
    """The bytes go there by PUT; when they are there they are read like any document."""
    begun = call.service.upload_document(call.caller, body.to_announced(), call.idempotency)
    return UploadBegunAnswer.of(begun), 201


@routes.route(
    "GET",
    "/documents/uploads/<id>",
    summary="What became of an upload",
    role=Role.READER,
    answers={200: UploadAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#uploads", cli="add"),
)
def get_upload(call: Call, id: UploadPath) -> UploadAnswer:
    """For a day after its time; the document tells the rest."""
    return UploadAnswer.of(call.service.upload_document.show(call.caller, upload_id(id)))
