"""Powertools' resolver, mounted with our routes and usable from many threads."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import ServiceError

from palimpsest.api.failures import NoSuchRoute
from palimpsest.api.incoming import Incoming, parse_json
from palimpsest.api.surface import Call, Result, Route


class Resolver(APIGatewayHttpResolver):
    """Serves one call at a time, and keeps what it knows of that call to itself.

    Powertools keeps the event in a class attribute: right in Lambda, where a process has one call at a time, and wrong
    on one machine, where threads share the process.
    """

    def resolve(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """The Lambda answer to `event`; raises whatever the route raises."""
        self.current_event = self._to_proxy_event(dict(event))  # type: ignore[assignment]
        try:
            return self._build_response(self._resolve())
        finally:
            self.context.clear()


class Resolvers:
    """As many resolvers as there are calls at once; each is made when it is first needed."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = routes
        self._idle: deque[Resolver] = deque()

    def answer(self, request: Incoming, body: str, call: Call | None) -> dict[str, Any]:
        """Validate the request and run its route."""
        try:
            resolver = self._idle.pop()
        except IndexError:
            resolver = mounted(self._routes)
        try:
            resolver.context["call"] = call
            return resolver.resolve(_event(request, body), None)
        finally:
            self._idle.append(resolver)


def mounted(routes: Sequence[Route], *, describe: Callable[[Route], Mapping[int, Any]] | None = None) -> Resolver:
    """A resolver for these routes; `describe` gives their answers for the OpenAPI document."""
    resolver = Resolver(enable_validation=True, json_body_deserializer=parse_json, debug=False)
    resolver.exception_handler(Exception)(_hand_on)
    for route in routes:
        register = resolver.route(
            route.path,
            route.method,
            summary=route.summary,
            description=inspect.getdoc(route.function),
            operation_id=route.function.__name__,
            tags=[route.tag],
            responses=dict(describe(route)) if describe else None,
            status_code=route.usual_status,
        )
        register(_endpoint(resolver, route))
    return resolver


def _endpoint(resolver: Resolver, route: Route) -> Callable[..., Response[str] | Response[bytes]]:
    def endpoint(**arguments: object) -> Response[str] | Response[bytes]:
        if route.role is not None:
            return _response(route.function(resolver.context["call"], **arguments), route.usual_status)
        return _response(route.function(**arguments), route.usual_status)

    endpoint.__name__ = route.function.__name__
    endpoint.__signature__ = route.signature  # type: ignore[attr-defined]
    return endpoint


def _response(result: Result, status: int) -> Response[str] | Response[bytes]:
    if isinstance(result, Response):
        return result
    if isinstance(result, tuple):
        result, status = result
    # As text, so that Powertools does not validate and encode a second time what a model has just made.
    return Response(status, "application/json", result.model_dump_json())


def _hand_on(error: Exception) -> NoReturn:
    """Let the edge answer. Powertools would log the error's text, which may be the caller's."""
    if isinstance(error, ServiceError):
        raise NoSuchRoute from error
    raise error


def _event(request: Incoming, body: str) -> dict[str, Any]:
    """What the resolver needs of the event. Without headers: whatever content type was sent, the body is JSON."""
    return {
        "version": "2.0",
        "rawPath": request.path,
        "rawQueryString": request.raw_query,
        "queryStringParameters": dict(request.query),
        "headers": {},
        "requestContext": {"stage": "$default", "http": {"method": request.routed_method, "path": request.path}},
        "body": body,
        "isBase64Encoded": False,
    }
