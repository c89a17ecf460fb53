"""Figures of recalls."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query

from palimpsest.api.surface import Call, Routes, Surface
from palimpsest.api.wire.fields import Space
from palimpsest.api.wire.stats import StatsAnswer
from palimpsest.domain.access import Role

routes = Routes("stats")


@routes.route(
    "GET",
    "/stats",
    summary="How recalls of a space fare",
    role=Role.READER,
    answers={200: StatsAnswer},
    surface=Surface("docs/api/recall.md#stats", cli="stats"),
)
def get_stats(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    days: Annotated[int, Query(ge=1, le=400, description="So many days (UTC) up to now.")] = 30,
) -> StatsAnswer:
    """Counts are kept when recalls are counted, some minutes after them; dry runs leave none."""
    return StatsAnswer.of(call.service.stats(call.caller, space, days=days))
