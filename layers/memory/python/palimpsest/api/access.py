"""Keys."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from palimpsest.api.parameters import CursorQuery, KeyPath, Limit, key_id
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.access import IssuedAnswer, KeyAnswer, KeysAnswer, NewKeyRequest
from palimpsest.domain.access import Role

routes = Routes("access")
_PAGE = "docs/api/access.md"


@routes.route(
    "POST",
    "/keys",
    summary="Make a key",
    role=Role.OWNER,
    answers={201: IssuedAnswer},
    refusals=(409,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#make-a-key", cli="keys"),
)
def create_key(call: Call, body: Annotated[NewKeyRequest, Body()]) -> IssuedAnswer:
    """The secret is shown this once; only its hash is kept, so a repeated request gives the key a new one."""
    return IssuedAnswer.of(call.service.issue_key(call.caller, body.to_request(), call.idempotency))


@routes.route(
    "GET",
    "/keys",
    summary="List keys, newest first",
    role=Role.OWNER,
    answers={200: KeysAnswer},
    surface=Surface(f"{_PAGE}#list-keys", cli="keys"),
)
def list_keys(call: Call, limit: Limit = 50, cursor: CursorQuery = None) -> KeysAnswer:
    """Never with a secret."""
    return KeysAnswer.of(call.service.list_keys(call.caller, limit=limit, cursor=cursor))


@routes.route(
    "POST",
    "/keys/<id>/rotate",
    summary="Give a key a new secret",
    role=Role.OWNER,
    answers={200: IssuedAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#rotate-a-key", cli="keys"),
)
def rotate_key(call: Call, id: KeyPath) -> IssuedAnswer:
    """The old secret ends at once, or within the 60 seconds that a key may be cached."""
    return IssuedAnswer.of(call.service.rotate_key(call.caller, key_id(id)))


@routes.route(
    "DELETE",
    "/keys/<id>",
    summary="Revoke a key",
    role=Role.OWNER,
    answers={200: KeyAnswer},
    refusals=(404,),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#revoke-a-key", cli="keys"),
)
def revoke_key(call: Call, id: KeyPath) -> KeyAnswer:
    """It ends at once, or within the 60 seconds that a key may be cached."""
    return KeyAnswer.of(call.service.revoke_key(call.caller, key_id(id)))
