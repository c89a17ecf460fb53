"""The OpenAPI document, and the pages that are made from it and from the types of problems."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel

from palimpsest import __version__
from palimpsest.api import catalog, page, problem
from palimpsest.api.descriptions import described
from palimpsest.api.resolver import mounted
from palimpsest.api.surface import Route, Writes
from palimpsest.api.wire.problems import ProblemItem

_TITLE = "Palimpsest"
_DESCRIPTION = (
    "A long-term memory for AI agents that never overwrites. Every route is served as written and under `/v1`. "
    "HEAD is answered like GET, without the body. "
    "Unknown fields and unknown query parameters are refused. Instants are RFC 3339 in UTC; where one is accepted, "
    "a date or an offset is too. Every answer carries `x-request-id`."
)
_ALWAYS = (401, 422, 503)
_WITH_BODY = (400, 413)
_NAMES = {status: f"Problem{status}" for status in (400, 401, 403, 404, 409, 413, 422, 503)}


@cache
def openapi_json() -> str:
    """The document as JSON text."""
    return json.dumps(openapi(), separators=(",", ":"))


@cache
def routes_page() -> str:
    """All routes as HTML."""
    return page.routes(openapi())


@cache
def errors_page() -> str:
    """All types of problems as HTML."""
    return page.errors(
        {problem.slug(error): kind for error, kind in problem.KINDS.items()} | {"internal-error": problem.INTERNAL}
    )


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 document: Powertools' for what the routes take and give, ours for what they refuse."""
    routes = catalog.route_table().routes
    resolver = mounted(routes, describe=_described)
    document: dict[str, Any] = json.loads(
        resolver.get_openapi_json_schema(title=_TITLE, version=__version__, description=_DESCRIPTION)
    )
    document["servers"] = [{"url": "/"}, {"url": "/v1"}]
    document["security"] = [{"key": []}]
    document["paths"] = {route.template: document["paths"][route.template] for route in routes}
    for route in routes:
        _complete(document["paths"][route.template][route.method.lower()], route)
    _complete_components(document["components"])
    return document


def _described(route: Route) -> Mapping[int, Any]:
    return {
        status: {"description": _phrase(status), "content": _content(answer) | _also(route.media_types)}
        for status, answer in route.answers.items()
    }


def _content(answer: type[BaseModel] | str) -> dict[str, Any]:
    if isinstance(answer, str):
        return {answer: {"schema": {"type": "object" if answer == "application/json" else "string"}}}
    return {"application/json": {"model": answer}}


def _also(media_types: Sequence[str]) -> dict[str, Any]:
    return {each: {"schema": {"type": "string"}} for each in media_types}


def _complete(operation: dict[str, Any], route: Route) -> None:
    statuses = _statuses(route)
    operation["responses"].pop("422", None)
    for answer in operation["responses"].values():
        answer["headers"] = {"x-request-id": {"$ref": "#/components/headers/RequestId"}}
    operation["responses"] |= {str(status): {"$ref": f"#/components/responses/{_NAMES[status]}"} for status in statuses}
    if route.role is None:
        operation["security"] = []
        return
    operation["description"] = f"{operation['description']}\n\nNeeds the role `{route.role}`."
    operation["responses"]["429"] = {"$ref": "#/components/responses/Throttled"}
    if route.writes is Writes.ONCE:
        operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IdempotencyKey"})


def _statuses(route: Route) -> list[int]:
    if route.role is None:
        return []
    with_body = _WITH_BODY if route.method in ("POST", "PATCH") else ()
    return sorted({*_ALWAYS, 403, *with_body, *route.refusals})


def _complete_components(components: dict[str, Any]) -> None:
    schemas = components["schemas"]
    for name in ("HTTPValidationError", "ResponseValidationError", "ValidationError"):
        schemas.pop(name, None)
    schema = ProblemItem.model_json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    schemas |= schema.pop("$defs", {}) | {"ProblemItem": schema}
    for name, each in schemas.items():
        for field, about in each.get("properties", {}).items():
            _describe(name, field, about)
    components["responses"] = {name: _problem_response(status) for status, name in _NAMES.items()}
    components["responses"]["Throttled"] = {
        "description": "Too Many Requests. The gateway's own answer, in its plain JSON.",
        "content": {"application/json": {"schema": {"type": "object", "properties": {"message": {"type": "string"}}}}},
    }
    components["headers"] = {
        "RequestId": {"description": "Names this request in the log.", "schema": {"type": "string"}}
    }
    components["parameters"] = {"IdempotencyKey": _IDEMPOTENCY_KEY}
    components["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "bearerFormat": "plm_…", "description": "A key of this memory."}
    }


def _describe(schema: str, field: str, about: dict[str, Any]) -> None:
    about.pop("title", None)  # it only repeats the name
    about.setdefault("description", described(schema, field))
    if about.get("default") == "{}":
        about["default"] = {}  # metadata is kept as text


def _problem_response(status: int) -> dict[str, Any]:
    return {
        "description": _phrase(status),
        "headers": {"x-request-id": {"$ref": "#/components/headers/RequestId"}} | _own_headers(status),
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemItem"}}},
    }


def _own_headers(status: int) -> dict[str, Any]:
    names = {401: ("www-authenticate", "string"), 503: ("retry-after", "integer")}
    return {names[status][0]: {"schema": {"type": names[status][1]}}} if status in names else {}


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase


_IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Makes a retry safe for 24 hours: the same request with the same key is done once. "
    "White space and the order of names in the body may differ; another body is refused.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}
