"""Spaces."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from palimpsest.api.parameters import CursorQuery, Limit, SpacePath, space_name
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.spaces import NewSpaceRequest, SpaceAnswer, SpaceItem, SpacesAnswer, SpaceSettingsRequest
from palimpsest.domain.access import Role

routes = Routes("spaces")
_PAGE = "docs/api/spaces.md"


@routes.route(
    "GET",
    "/spaces",
    summary="List spaces by name",
    role=Role.READER,
    answers={200: SpacesAnswer},
    surface=Surface(f"{_PAGE}#list-spaces", cli="spaces"),
)
def list_spaces(call: Call, limit: Limit = 50, cursor: CursorQuery = None) -> SpacesAnswer:
    """Those that the key may enter. A page may be short and yet have a cursor."""
    return SpacesAnswer.of(call.service.list_spaces(call.caller, limit=limit, cursor=cursor))


@routes.route(
    "POST",
    "/spaces",
    summary="Begin a space",
    role=Role.OWNER,
    answers={201: SpaceAnswer, 200: SpaceAnswer},
    refusals=(409,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#begin-a-space", cli="spaces"),
)
def begin_space(call: Call, body: Annotated[NewSpaceRequest, Body()]) -> tuple[SpaceAnswer, int]:
    """200 when it is there with just these settings, 409 when it is there with others."""
    made = call.service.begin_space(call.caller, body.name, body.to_settings(), call.idempotency)
    return SpaceAnswer.made(made)


@routes.route(
    "GET",
    "/spaces/<name>",
    summary="Read a space's settings",
    role=Role.READER,
    answers={200: SpaceItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#read-a-space", cli="spaces"),
)
def get_space(call: Call, name: SpacePath) -> SpaceItem:
    """As they are stored now. A space that has not begun has none, and no `created_at`."""
    return SpaceItem.shown(call.service.show_space(call.caller, space_name(name)))


@routes.route(
    "PATCH",
    "/spaces/<name>",
    summary="Change a space's settings",
    role=Role.OWNER,
    answers={200: SpaceAnswer},
    refusals=(404,),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#set-a-space", cli="spaces"),
)
def change_space(call: Call, name: SpacePath, body: Annotated[SpaceSettingsRequest, Body()]) -> SpaceAnswer:
    """They hold at once in the process that answers, and within a minute everywhere."""
    return SpaceAnswer.of(call.service.change_space(call.caller, space_name(name), body.to_settings()))
