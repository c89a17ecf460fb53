"""The routes, as each resource declares them: what they take, who may call them, and where else they show.

A public route says which verb of the command line does the same and where it is documented. Its recorded events are the
files of ``events/api`` that it answers. ``tests/architecture/test_surfaces.py`` fails for a route without any of these.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, get_args, get_origin

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import BaseModel

from palimpsest.api.happenings import Happening
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.idempotency import Idempotency

if TYPE_CHECKING:  # the verbs are loaded by the first request that needs them
    from palimpsest.usecases.service import Service

RouteFunction = TypeVar("RouteFunction", bound=Callable[..., Any])
Result: TypeAlias = BaseModel | tuple[BaseModel, int] | Response[str] | Response[bytes]
"""What a route gives back: the answer, with a status when it is not the usual one, or a page or a file as it is."""

_PARAMETER = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a route: the service, who calls, the request's id, and the mark of a retry.

    Attributes:
        happened: Where the route puts what alarms look at.
    """

    service: Service
    caller: Caller
    request_id: str
    idempotency: Idempotency | None = None
    happened: list[Happening] = field(default_factory=list)


class Writes(StrEnum):
    """What a route leaves behind."""

    NOTHING = "nothing"
    ONCE = "once"
    """Honours an Idempotency-Key."""
    EACH_TIME = "each_time"


@dataclass(frozen=True, slots=True)
class Surface:
    """Where else a route shows.

    Attributes:
        docs: Page and anchor, e.g. ``docs/api/memories.md#save``.
        cli: Verb of the command line that calls it.
        why_no_cli: The reason when there is none.
    """

    docs: str
    cli: str | None = None
    why_no_cli: str | None = None


@dataclass(frozen=True)
class Route:
    """One route.

    Attributes:
        path: With parameters in angle brackets, e.g. ``/memory/<id>``.
        function: Takes the `Call` first, unless the route is open, then the parameters and the body by name.
        role: The least role that may call it; None when no key is needed.
        answers: Model of the answer by status; the first is the usual one.
        refusals: Statuses of problems beside those that every route of its kind has.
        media_types: What the usual answer may come as instead of JSON, when it is asked for.
    """

    method: str
    path: str
    function: Callable[..., Result]
    summary: str
    tag: str
    surface: Surface
    role: Role | None
    answers: Mapping[int, type[BaseModel] | str]
    refusals: tuple[int, ...] = ()
    writes: Writes = Writes.NOTHING
    media_types: tuple[str, ...] = ()

    @property
    def template(self) -> str:
        """The path as OpenAPI and the log write it: ``/memory/{id}``."""
        return _PARAMETER.sub(r"{\1}", self.path)

    @property
    def usual_status(self) -> int:
        return next(iter(self.answers))

    @cached_property
    def signature(self) -> inspect.Signature:
        """The parameters that come from the request."""
        signature = inspect.signature(self.function, eval_str=True)
        parameters = list(signature.parameters.values())[0 if self.role is None else 1 :]
        return inspect.Signature(parameters)

    @cached_property
    def query_names(self) -> frozenset[str]:
        """The names that the query string may hold."""
        markers = {name: _marker(parameter.annotation) for name, parameter in self.signature.parameters.items()}
        return frozenset(mark.alias or name for name, mark in markers.items() if isinstance(mark, Query))

    @cached_property
    def single_names(self) -> frozenset[str]:
        """Those of the query string that take one value."""
        parameters = self.signature.parameters.items()
        return self.query_names - {name for name, each in parameters if _takes_list(each.annotation)}

    @cached_property
    def takes_body(self) -> bool:
        """There is a body model."""
        return any(isinstance(_marker(each.annotation), Body) for each in self.signature.parameters.values())

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(_PARAMETER.sub("[^/]+", self.path))


@dataclass
class Routes:
    """The routes of one resource."""

    tag: str
    all: list[Route] = field(default_factory=list)

    def route(
        self,
        method: str,
        path: str,
        *,
        summary: str,
        role: Role | None,
        answers: Mapping[int, type[BaseModel] | str],
        surface: Surface,
        refusals: tuple[int, ...] = (),
        writes: Writes = Writes.NOTHING,
        media_types: tuple[str, ...] = (),
    ) -> Callable[[RouteFunction], RouteFunction]:
        """Register the function below as a route."""

        def register(function: RouteFunction) -> RouteFunction:
            told = summary, self.tag, surface, role, answers, refusals, writes, media_types
            self.all.append(Route(method, path, function, *told))
            return function

        return register


class RouteTable:
    """All routes: finds the one that a request means."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self.routes = tuple(routes)
        self._exact: dict[str, dict[str, Route]] = {}
        self._patterns: list[Route] = []
        for route in routes:
            if "<" in route.path:
                self._patterns.append(route)
            else:
                self._exact.setdefault(route.path, {})[route.method] = route

    def find(self, method: str, path: str) -> Route | None:
        """The route of this method and path; an exact path hides those with parameters."""
        return self._at(path).get(method)

    def methods(self, path: str) -> tuple[str, ...]:
        """What may be done at this path; HEAD wherever GET may."""
        methods = self._at(path).keys()
        return tuple(sorted({*methods, "HEAD"} if "GET" in methods else methods))

    def _at(self, path: str) -> dict[str, Route]:
        exact = self._exact.get(path)
        return exact or {route.method: route for route in self._patterns if route.pattern.fullmatch(path)}


def _takes_list(annotation: object) -> bool:
    """Also where it is optional, or annotated."""
    return get_origin(annotation) is list or any(map(_takes_list, get_args(annotation)))


def _marker(annotation: object) -> object:
    if get_origin(annotation) is not Annotated:
        return None
    return next((part for part in get_args(annotation)[1:] if isinstance(part, Body | Query)), None)
