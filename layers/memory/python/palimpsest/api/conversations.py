"""Conversations: documents whose chunks are what was said."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.conversations import ConversationRequest
from palimpsest.api.wire.library import DocumentAddedAnswer
from palimpsest.domain.access import Role
from palimpsest.usecases.add_document import Added

routes = Routes("documents")


@routes.route(
    "POST",
    "/conversations",
    summary="Add a conversation, or send it again with more turns",
    role=Role.WRITER,
    answers={201: DocumentAddedAnswer, 200: DocumentAddedAnswer},
    refusals=(409,),
    writes=Writes.ONCE,
    surface=Surface("docs/api/documents.md#conversations", cli="ingest-conversation"),
)
def add_conversation(call: Call, body: Annotated[ConversationRequest, Body()]) -> tuple[DocumentAddedAnswer, int]:
    """201, or 200 when its `external_id` has a conversation. Kept scrubbed, read in the background."""
    added = call.service.add_conversation(call.caller, body.to_talk(), call.idempotency)
    return DocumentAddedAnswer.of(added), 201 if added.outcome is Added.ADDED else 200
