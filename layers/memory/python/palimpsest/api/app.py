"""The HTTP API as a Lambda handler."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from palimpsest.api import problem, wording
from palimpsest.api.catalog import route_table
from palimpsest.api.cors import Cors
from palimpsest.api.failures import Fault, InvalidRequest, MethodNotAllowed, NoSuchRoute
from palimpsest.api.fitting import fitted
from palimpsest.api.happenings import Happening
from palimpsest.api.incoming import Incoming, LambdaContext, parse_json
from palimpsest.api.options import EdgeOptions
from palimpsest.api.request_log import request_log
from palimpsest.api.resolver import Resolvers
from palimpsest.api.surface import Call, Route, Writes
from palimpsest.domain.access import Caller
from palimpsest.domain.errors import PalimpsestError

if TYPE_CHECKING:  # the verbs are loaded by the first request that needs them
    from palimpsest.usecases.service import Service

LambdaHandler: TypeAlias = Callable[[Mapping[str, Any], Any], dict[str, Any]]
_WITH_BODY = frozenset({"POST", "PATCH", "PUT"})


def http_handler(service: Callable[[], Service], options: Callable[[], EdgeOptions] = EdgeOptions) -> LambdaHandler:
    """A Lambda handler for API Gateway's HTTP API, payload version 2.0; many threads may call it at once.

    Args:
        service: Gives the service. Asked at the first request that needs it, so that /health does without a table.
        options: Gives the settings of the edge, once, at the first request.
    """

    @cache
    def edge() -> Edge:
        return Edge(service, options())

    def lambda_handler(event: Mapping[str, Any], context: LambdaContext | None = None) -> dict[str, Any]:
        return edge().answer(Incoming.of(event, context))

    return lambda_handler


@dataclass
class Visit:
    """What is known so far of a request, for its log line."""

    request: Incoming
    route: Route | None = None
    caller: Caller | None = None
    happened: list[Happening] = field(default_factory=list)

    @property
    def route_name(self) -> str:
        return f"{self.request.method} {self.route.template}" if self.route else "none"


class Edge:
    """Between HTTP and the use cases: knows the routes, the callers and how to say no."""

    def __init__(self, service: Callable[[], Service], options: EdgeOptions) -> None:
        self._service = service
        self._table = route_table(with_pages=options.are_docs_served)
        self._resolvers = Resolvers(self._table.routes)
        self._cors = Cors(options.cors_origins)
        self._log = request_log(options)

    def answer(self, request: Incoming) -> dict[str, Any]:
        """The Lambda answer, whatever happens."""
        began = time.perf_counter()
        visit = Visit(request)
        try:
            answer = self._answer(visit)
        except Exception as error:  # noqa: BLE001 - the last line of defence: every failure is an answer
            answer = self._refusal(error, visit)
        headers = {name.lower(): value for name, value in answer["headers"].items()}
        answer["headers"] = headers | {"x-request-id": request.request_id, **self._cors.headers(request)}
        self._log.answered(
            route=visit.route_name,
            status=answer["statusCode"],
            took_ms=round((time.perf_counter() - began) * 1000, 3),
            request_id=request.request_id,
            key=visit.caller.key if visit.caller else None,
        )
        for each in visit.happened:
            self._log.happened(each)
        return answer | {"body": ""} if request.is_head else answer

    def _answer(self, visit: Visit) -> dict[str, Any]:
        request = visit.request
        preflight = self._cors.preflight(request, self._table.methods(request.path))
        if preflight is not None:
            return preflight
        visit.route = self._table.find(request.routed_method, request.path)
        if visit.route is not None and visit.route.role is None:
            return self._resolvers.answer(request, "", None)
        service = self._service()
        service.serving.require()
        visit.caller = service.authenticate(request.headers.get("authorization"))
        call, body = self._call(visit, service, visit.caller)
        answer = self._resolvers.answer(request, body, call)
        body = answer["body"] if answer["isBase64Encoded"] else fitted(answer["body"])
        return answer | {"body": body, "headers": answer["headers"] | {"cache-control": "no-store"}}

    def _call(self, visit: Visit, service: Service, caller: Caller) -> tuple[Call, str]:
        request = visit.request
        route = visit.route
        if route is None:
            raise self._no_route(request)
        if route.role is not None:
            caller.require(route.role)
        body = request.body_text() if request.method in _WITH_BODY else ""
        _require_known_names(request, route, body)
        idempotency = request.idempotency(body) if route.writes is Writes.ONCE else None
        return Call(service, caller, request.request_id, idempotency, visit.happened), body

    def _no_route(self, request: Incoming) -> PalimpsestError:
        methods = self._table.methods(request.path)
        return MethodNotAllowed(methods) if methods else NoSuchRoute()

    def _refusal(self, error: Exception, visit: Visit) -> dict[str, Any]:
        request = visit.request
        where = "body" if request.method in _WITH_BODY else "query"
        refusal = problem.of(error, request_id=request.request_id, where=(where,))
        if refusal.status == 500:
            self._log.failed(error, route=visit.route_name, request_id=request.request_id)
        headers = {"content-type": problem.CONTENT_TYPE, "cache-control": "no-store", **refusal.headers}
        return {"statusCode": refusal.status, "headers": headers, "body": refusal.text, "isBase64Encoded": False}


def _require_known_names(request: Incoming, route: Route, body: str) -> None:
    """Refuse what Powertools would pass over or misread: unknown and repeated names, and a body that nobody reads."""
    known = wording.unknown_parameter(route.query_names)
    faults = [_unknown("query", name, known) for name in request.query if name not in route.query_names]
    faults += [
        Fault(("query", name), "given_twice", wording.GIVEN_TWICE) for name in request.repeated & route.single_names
    ]
    if body and not route.takes_body:
        faults += [_unknown("body", name, "is not known here; this route takes no fields") for name in parse_json(body)]
    if faults:
        raise InvalidRequest(faults)


def _unknown(where: str, name: str, message: str) -> Fault:
    return Fault((where, name), "extra_forbidden", message)
