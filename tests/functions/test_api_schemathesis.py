"""Requests that schemathesis makes up from the OpenAPI document: none is a 5xx, and each answer is as described."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from http import HTTPStatus
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from palimpsest.api.app import LambdaHandler, http_handler
from palimpsest.api.catalog import route_table
from palimpsest.api.surface import Route
from palimpsest.local.lambda_events import HttpRequest, http_response, request_event
from tests.functions.seeds import (
    COFFEE,
    CONFLICT,
    DECIDED,
    DISMISSED,
    ERASED,
    ERASURE,
    FINDING,
    GLOBEX,
    GONE,
    GONE_PAGE,
    MARTA,
    OWNER_KEY,
    RUNBOOK,
    SPARE,
    TEA,
    Seeded,
)
from tests.support.examples import examples
from tests.support.installation import START

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
EXAMPLES = 12
KNOWN: dict[str, list[str]] = {
    "/memory/": [TEA, f"{TEA}@1", GONE, ERASED],
    "/memory/conflicts/": [CONFLICT, DECIDED],
    "/memory/findings/": [FINDING, DISMISSED],
    "/keys/": [SPARE],
    "/erasures/": [ERASURE],
    "/documents/": [RUNBOOK, GONE_PAGE],
    "/memory/schema/": [
        "voc_52d58a22af5668f217a2984857fe6631@team-north",
        "voc_9914901bb67abb75f830a7bdac138397@team-north",
    ],
    "/memory/entities/": [MARTA, COFFEE, GLOBEX],
    "/memory/entities/merges/": [GLOBEX],
}
"""Ids that are there: made-up ones never are."""


@pytest.fixture(scope="module")
def described(at_first: Seeded, tmp_path_factory: pytest.TempPathFactory, executor: Executor) -> Iterator[Any]:
    with at_first.service(tmp_path_factory.mktemp("schemathesis"), executor) as service:
        yield schemathesis.openapi.from_wsgi("/openapi.json", _wsgi(http_handler(lambda: service)))


@pytest.mark.parametrize("route", route_table().routes, ids=lambda route: f"{route.method} {route.template}")
def test_made_up_requests_are_answered_as_described(described: Any, route: Route) -> None:
    operation = described[route.template][route.method]

    @given(case=operation.as_strategy(), data=st.data())
    @settings(max_examples=examples(EXAMPLES), deadline=None, suppress_health_check=list(HealthCheck))
    def visit(case: schemathesis.Case[Any], data: st.DataObject) -> None:
        known = next((ids for prefix, ids in KNOWN.items() if route.path.startswith(f"{prefix}<")), None)
        if known and data.draw(st.booleans()):
            case.path_parameters["id"] = data.draw(st.sampled_from(known))
        case.call_and_validate(headers={"authorization": f"Bearer {OWNER_KEY}"}, checks=CHECKS)

    visit()


def _wsgi(handler: LambdaHandler) -> Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    """The handler behind WSGI, which schemathesis speaks without a socket."""

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        answer = http_response(handler(request_event(_request(environ), request_id="made-up", at=START), None))
        start(f"{answer.status} {HTTPStatus(answer.status).phrase}", list(answer.headers))
        return [answer.body]

    return application


def _request(environ: dict[str, Any]) -> HttpRequest:
    headers = [
        (name.removeprefix("HTTP_").replace("_", "-").lower(), value)
        for name, value in environ.items()
        if name.startswith("HTTP_") or name == "CONTENT_TYPE"
    ]
    return HttpRequest(
        method=environ["REQUEST_METHOD"],
        path=environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace"),
        query=environ["QUERY_STRING"],
        headers=tuple(headers),
        body=environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)),
    )
