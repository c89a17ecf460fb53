"""What is handed out for a prompt: a context within a budget, and what is known about the owner of a space."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from palimpsest.api.happenings import of_reasons
from palimpsest.api.surface import Call, Routes, Surface
from palimpsest.api.wire.context import ContextAnswer, ContextRequest
from palimpsest.domain.access import Role
from palimpsest.domain.errors import NothingSearched

routes = Routes("recall")
_PAGE = "docs/api/context.md"


@routes.route(
    "POST",
    "/memory/context",
    summary="Pack what a space remembers of a question into text for a prompt",
    role=Role.READER,
    answers={200: ContextAnswer},
    refusals=(503,),
    surface=Surface(f"{_PAGE}#context", cli="context"),
)
def pack_context(call: Call, body: Annotated[ContextRequest, Body()]) -> ContextAnswer:
    """Fenced, pinned first, never over the budget, each entry with its source; disputed memories are not in it."""
    try:
        context = call.service.supply.context(call.caller, body.to_query())
    except NothingSearched as error:
        call.happened.extend(of_reasons(error.reasons.values()))
        raise
    call.happened.extend(of_reasons(arm.reason for arm in context.arms))
    return ContextAnswer.of(context)
