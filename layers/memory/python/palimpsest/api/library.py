"""The library: documents sent, listed, shown in chunks and as they came, forgotten and restored."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import quote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.failures import TooLargeToSend
from palimpsest.api.parameters import CursorQuery, DocumentPath, Limit, document_id
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.fields import Space
from palimpsest.api.wire.library import (
    ChunksAnswer,
    DocumentAddedAnswer,
    DocumentAnswer,
    DocumentForgottenAnswer,
    DocumentItem,
    DocumentRequest,
    DocumentsAnswer,
)
from palimpsest.domain.access import Role
from palimpsest.domain.errors import BlobMissing, NotFound
from palimpsest.usecases.add_document import Added

routes = Routes("documents")
_PAGE = "docs/api/documents.md"
ORIGINAL_BYTES: Final = 4 * 1024 * 1024
"""What an answer may hold."""


@routes.route(
    "POST",
    "/documents",
    summary="Add a document, or send its next edition",
    role=Role.WRITER,
    answers={201: DocumentAddedAnswer, 200: DocumentAddedAnswer},
    refusals=(409,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#add", cli="add"),
)
def add_document(call: Call, body: Annotated[DocumentRequest, Body()]) -> tuple[DocumentAddedAnswer, int]:
    """201, or 200 when its path has a document. It is kept as it came and read in the background."""
    added = call.service.add_document(call.caller, body.to_sending(), call.idempotency)
    return DocumentAddedAnswer.of(added), 201 if added.outcome is Added.ADDED else 200


@routes.route(
    "GET",
    "/documents",
    summary="List documents, newest first",
    role=Role.READER,
    answers={200: DocumentsAnswer},
    surface=Surface(f"{_PAGE}#list", cli="documents"),
)
def list_documents(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> DocumentsAnswer:
    """Those of one space that are not forgotten."""
    return DocumentsAnswer.of(call.service.library.page(call.caller, space=space, limit=limit, cursor=cursor))


@routes.route(
    "GET",
    "/documents/<id>",
    summary="How a document stands",
    role=Role.READER,
    answers={200: DocumentItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#look-at-a-document", cli="document"),
)
def get_document(call: Call, id: DocumentPath) -> DocumentItem:
    """Its state, and why when it can't be read."""
    shown = call.service.library.show(call.caller, document_id(id))
    return DocumentItem.of(shown.document, shown.space)


@routes.route(
    "GET",
    "/documents/<id>/chunks",
    summary="The chunks of a document, in its order",
    role=Role.READER,
    answers={200: ChunksAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#chunks", cli="document"),
)
def list_chunks(call: Call, id: DocumentPath, limit: Limit = 50, cursor: CursorQuery = None) -> ChunksAnswer:
    """Those of the edition that is shown, scrubbed; empty before the first one is."""
    return ChunksAnswer.of(call.service.library.chunks_of(call.caller, document_id(id), limit=limit, cursor=cursor))


@routes.route(
    "GET",
    "/documents/<id>/original",
    summary="A document as it came",
    role=Role.READER,
    answers={200: "*/*"},
    refusals=(404, 409),
    surface=Surface(f"{_PAGE}#original", why_no_cli="bytes for a file; the page has the line that saves them"),
)
def get_original(call: Call, id: DocumentPath) -> Response[bytes]:
    """The bytes of the edition that is shown, as an attachment, not scrubbed; 409 when they are over 4 MB."""
    library, wanted = call.service.library, document_id(id)
    original = library.show(call.caller, wanted).document.original
    if original is None:
        raise NotFound("original")
    if original.size > ORIGINAL_BYTES:
        raise TooLargeToSend(ORIGINAL_BYTES)
    try:
        document, content = library.original(call.caller, wanted)
        data = b"".join(content)
    except BlobMissing as error:  # another edition came between
        raise NotFound("original") from error
    name = document.path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(200, original.media_type, data, headers)


@routes.route(
    "DELETE",
    "/documents/<id>",
    summary="Forget a document",
    role=Role.WRITER,
    answers={200: DocumentForgottenAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#forget", cli="forget"),
)
def delete_document(call: Call, id: DocumentPath) -> DocumentForgottenAnswer:
    """It and its chunks are out of every surface now; `restore_until` says how long it can be restored."""
    return DocumentForgottenAnswer.of(call.service.library.forget(call.caller, document_id(id)))


@routes.route(
    "POST",
    "/documents/<id>/restore",
    summary="Restore a forgotten document",
    role=Role.WRITER,
    answers={200: DocumentAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#restore", cli="restore"),
)
def restore_document(call: Call, id: DocumentPath) -> DocumentAnswer:
    """It is there again as it was."""
    return DocumentAnswer.of(call.service.library.restore(call.caller, document_id(id), call.idempotency))
