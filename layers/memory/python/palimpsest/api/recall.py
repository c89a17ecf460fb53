"""Recall."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from palimpsest.api.happenings import of_reasons
from palimpsest.api.surface import Call, Routes, Surface
from palimpsest.api.wire.recall import RecallAnswer, RecallRequest
from palimpsest.domain.access import Role
from palimpsest.domain.errors import NothingSearched

routes = Routes("recall")


@routes.route(
    "POST",
    "/memory/recall",
    summary="Rank what a space remembers against a query",
    role=Role.READER,
    answers={200: RecallAnswer},
    refusals=(503,),
    surface=Surface("docs/api/recall.md#recall", cli="recall"),
)
def recall_memories(call: Call, body: Annotated[RecallRequest, Body()]) -> RecallAnswer:
    """Says which arms searched and how they fared; one that fails degrades the answer, 503 when all do."""
    try:
        recalled = call.service.recall(call.caller, body.to_query())
    except NothingSearched as error:
        call.happened.extend(of_reasons(error.reasons.values()))
        raise
    call.happened.extend(of_reasons(arm.reason for arm in recalled.arms))
    return RecallAnswer.of(recalled, body)
