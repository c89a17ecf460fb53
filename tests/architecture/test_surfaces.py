"""A public route has its event samples, its verb on the command line and its place in the docs, or it is not public."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest

from palimpsest.api.catalog import route_table
from palimpsest.api.incoming import Incoming
from palimpsest.api.surface import Route
from palimpsest.local.cli.parser import VERBS
from palimpsest.local.cli.session import Verb
from palimpsest.local.manifest import read_manifests
from tests.architecture import tree

TABLE = route_table()
NEVER_REFUSED = {"/health", "/openapi.json", "/docs", "/docs/errors"}
"""Open, without parameters: there is no bad request."""
RARE = {
    "POST /memory/save": {409},
    "POST /memory/forget": {409},
    "POST /memory/erase": {409},
    "POST /memory/conflicts/resolve-auto": {409},
    "POST /memory/index": {409},
    "POST /memory/reindex": {409},
    "POST /keys": {409},
    "POST /documents": {409},
    "POST /conversations": {409},
    "GET /documents/{id}/original": {409},
    "POST /memory/recall": {503},
    "POST /memory/context": {503},
}
"""What no single event brings about: a lost race, a retry after a change in between; a recall whose arms all fail; no
model, where the samples have one; an original that is larger than a request."""


def _name(route: Route) -> str:
    return f"{route.method} {route.template}"


each_route = pytest.mark.parametrize("route", TABLE.routes, ids=_name)


def _samples() -> dict[str, set[int]]:
    """The statuses of the recorded events, by route."""
    found: dict[str, set[int]] = {}
    for path in sorted(tree.ROOT.joinpath("events/api").glob("*.json")):
        request = Incoming.of(json.loads(path.read_text("utf-8")), None)
        route = TABLE.find(request.method, request.path)
        if route is not None:
            found.setdefault(_name(route), set()).add(int(path.stem[:3]))
    return found


SAMPLES = _samples()


@each_route
def test_each_route_has_an_event_that_succeeds_and_one_that_fails(route: Route) -> None:
    statuses = SAMPLES.get(_name(route), set())

    assert statuses & set(route.answers), "no sample of a usual answer"
    assert max(statuses) >= 400 or route.path in NEVER_REFUSED, "no sample of a refusal"


@each_route
def test_each_status_that_a_route_names_has_an_event(route: Route) -> None:
    statuses = set(route.answers) | set(route.refusals)

    assert statuses - RARE.get(_name(route), set()) <= SAMPLES[_name(route)]


@each_route
def test_each_route_has_a_verb_of_the_command_line_or_a_reason_why_not(route: Route) -> None:
    verbs = _verbs(VERBS)

    if route.surface.cli is None:
        assert route.surface.why_no_cli
    else:
        assert _name(route) in verbs[route.surface.cli]


def test_no_verb_calls_a_route_that_is_not_there() -> None:
    called = {route for routes in _verbs(VERBS).values() for route in routes}

    assert called <= {_name(route) for route in TABLE.routes}


@each_route
def test_each_route_has_its_place_in_the_docs(route: Route) -> None:
    page, _, anchor = route.surface.docs.partition("#")

    text = tree.ROOT.joinpath(page).read_text("utf-8")

    headings = [heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    assert anchor in headings
    assert f"{route.method} {route.path.partition('<')[0]}" in text


@each_route
def test_each_route_is_behind_a_gateway_route_of_the_function(route: Route) -> None:
    (api,) = (manifest for manifest in read_manifests(tree.ROOT / "functions") if manifest.name == "api")

    for path in (route.path, f"/v1{route.path}"):
        assert any(gateway.matches(route.method, path) for gateway in api.routes)


def _verbs(verbs: Iterable[Verb]) -> dict[str, set[str]]:
    """The routes that each verb calls, those of its parts included."""
    return {verb.name: set(verb.routes).union(*_verbs(verb.parts).values()) for verb in verbs}
