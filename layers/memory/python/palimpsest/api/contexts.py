"""What is handed out for a prompt: a context within a budget, what is known about the owner, a few words unasked."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.happenings import of_reasons
from palimpsest.api.surface import Call, Routes, Surface
from palimpsest.api.wire.ambient import AmbientAnswer, AmbientRequest
from palimpsest.api.wire.context import ContextAnswer, ContextRequest
from palimpsest.api.wire.fields import Space
from palimpsest.api.wire.profile import ProfileAnswer
from palimpsest.domain.access import Role
from palimpsest.domain.errors import NothingSearched
from palimpsest.usecases.profile import MOST

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


@routes.route(
    "GET",
    "/memory/profile",
    summary="What is known about the owner of a space, by subject",
    role=Role.READER,
    answers={200: ProfileAnswer},
    surface=Surface(f"{_PAGE}#profile", cli="profile"),
)
def show_profile(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST, description="At most so many lines.")] = MOST,
) -> ProfileAnswer:
    """Each line with the memory that says it; without what is forgotten, disputed or over."""
    return ProfileAnswer.of(*call.service.supply.profile(call.caller, space, limit))


@routes.route(
    "POST",
    "/memory/ambient",
    summary="Say what a talk should know, or why nothing is said",
    role=Role.READER,
    answers={200: AmbientAnswer},
    surface=Surface(f"{_PAGE}#ambient", cli="ambient"),
)
def overhear(call: Call, body: Annotated[AmbientRequest, Body()]) -> AmbientAnswer:
    """A few snippets with a confidence tier; silence has its reason, a search that fails is one."""
    overheard = call.service.supply.ambient(call.caller, body.to_query())
    call.happened.extend(of_reasons(arm.reason for arm in overheard.arms))
    return AmbientAnswer.of(overheard)
