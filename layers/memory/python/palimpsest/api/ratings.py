"""Ratings of memories."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from palimpsest.api.parameters import MemoryId, reference
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.ratings import RatedAnswer, RateRequest
from palimpsest.domain.access import Role

routes = Routes("ratings")


@routes.route(
    "POST",
    "/memory/<id>/rate",
    summary="Say that a memory was useful, wrong or harmful",
    role=Role.WRITER,
    answers={200: RatedAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface("docs/api/recall.md#rate", cli="rate"),
)
def rate_memory(call: Call, id: MemoryId, body: Annotated[RateRequest, Body()]) -> RatedAnswer:
    """Of one key one rating of a memory counts a day, the last; `null` takes it back."""
    return RatedAnswer.of(call.service.rate(call.caller, reference(id), body.rating, call.idempotency))
