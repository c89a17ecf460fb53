"""Law 5: what is forgotten or erased is on no surface. Each route that reads is walked as the document describes it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palimpsest.api import documents
from palimpsest.api.app import LambdaHandler, http_handler
from palimpsest.api.catalog import route_table
from palimpsest.api.surface import Route, Writes
from palimpsest.domain.ids import DocumentId, RootId
from palimpsest.ports.work_queue import Job, Work
from palimpsest.settings import Settings
from tests.functions.calling import call
from tests.support import conflicting
from tests.support.deriving import made_from
from tests.support.examples import examples
from tests.support.installation import Installation, install

OWNER_KEY = "plm_leaks_" + "0" * 43
ROLES = ("owner", "writer", "reader")
MARKERS = {"forgotten": "zanzibarquokka", "erasing": "velvetnarwhal", "erased": "cobaltheron"}
"""What stands in each memory, in all that is said with it, in what was made from it and in what contradicts it."""
DERIVED = "mossyokapi"
"""What was made from them says this; it is hidden with each of them, and forgotten with what is erased."""
READING = [route for route in route_table().routes if route.role is not None and route.writes is Writes.NOTHING]
ASKS_FOR_FORGOTTEN = {"include_forgotten": "true", "status": "forgotten"}
"""What a writer may ask for; of what is erased nothing is shown for that either."""


@dataclass(frozen=True)
class Gone:
    """A memory whose contents are gone, and what a caller may have kept of them: ids, cursors."""

    handler: LambdaHandler
    keys: dict[str, str]
    ids: tuple[str, ...]
    others: dict[str, tuple[str, ...]]

    def owned(self, method: str, path: str, body: object = None) -> Any:
        return call(self.handler, method, path, body, key=OWNER_KEY).json


@pytest.fixture(scope="module")
def gone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gone]:
    made = install(tmp_path_factory.mktemp("leaks"), settings=Settings(key=OWNER_KEY))
    handler = http_handler(lambda: made.wired.service)
    first = Gone(handler, {}, (), {})
    keys = {"owner": OWNER_KEY}
    for role in ROLES[1:]:
        keys[role] = first.owned("POST", "/keys", {"role": role, "default_space": "default"})["secret"]
    ids: list[str] = []
    erasures = []
    for state, marker in MARKERS.items():
        root, derived = _remembered(made, first, marker)
        ids += [root, f"{root}@1", f"{root}@2", derived]
        made.index()
        for key in keys.values():
            call(handler, "POST", "/memory/recall", {"query": f"the {marker} in the harbour"}, key=key)
        if state == "forgotten":
            first.owned("POST", f"/memory/{root}/forget")
            continue
        erasure = first.owned("POST", f"/memory/{root}/erase")["erasure"]["id"]
        erasures.append(erasure)
        if state == "erased":
            made.wired.worker(Work(Job.ERASE, erasure), lambda: 60.0)
    others = {"/erasures/<id>": tuple(erasures), "/memory/conflicts/<id>": tuple(_conflicts(made))}
    document = _forgotten_document(made, first)
    others |= {route.path: (document,) for route in READING if route.path.startswith("/documents/<id>")}
    yield Gone(handler, keys, tuple(ids), others)
    made.sqlite.close()


def _remembered(made: Installation, first: Gone, marker: str) -> tuple[str, str]:
    """A memory with the marker wherever a marker can stand, an update of it, what was made from it, and a conflict."""
    fields = {
        "tags": [marker],
        "metadata": {marker: [marker]},
        "canonical": f"{marker} stands alone",
        "attributed_to": marker,
        "source": {"agent": "api", "session": marker, "channel": marker},
    }
    root = first.owned("POST", "/memory/save", {"content": f"the {marker} sleeps in the harbour", **fields})
    root_id = RootId(root["memory"]["root_id"])
    first.owned("POST", f"/memory/{root_id}/update", {"content": f"the {marker} swims in the harbour"})
    first.owned("POST", "/memory/save", {"content": f"a ship lies in the harbour, near {len(marker)} others"})
    derived = made_from(made, f"harbours have a {DERIVED}, number {len(marker)}", root_id)
    return root_id, derived


def _forgotten_document(made: Installation, first: Gone) -> str:
    """A document with the word of what is forgotten wherever a word can stand, forgotten once it was recalled."""
    marker = MARKERS["forgotten"]
    text = f"# {marker}\n\nThe {marker} was seen near the harbour, and swims."
    document: str = first.owned("POST", "/documents", {"path": f"{marker}.md", "text": text})["document"]["id"]
    made.wired.worker(Work(Job.INGEST, DocumentId(document)), lambda: 60.0)
    made.index()
    recalled = first.owned("POST", "/memory/recall", {"query": f"the {marker} near the harbour"})
    assert document in json.dumps(recalled)
    first.owned("DELETE", f"/documents/{document}")
    return document


def _conflicts(made: Installation) -> list[str]:
    return [str(each) for each in conflicting.pending(made)]


@pytest.mark.parametrize("route", READING, ids=lambda route: f"{route.method} {route.template}")
def test_no_answer_holds_a_word_of_what_is_forgotten_or_erased(gone: Gone, route: Route) -> None:
    operation = _described()[route.template][route.method]

    @given(case=operation.as_strategy(), data=st.data())
    @settings(max_examples=examples(6), deadline=None, suppress_health_check=list(HealthCheck))
    def look(case: schemathesis.Case[Any], data: st.DataObject) -> None:
        path, body, asks = _request(gone, route, case, data)
        log = io.StringIO()
        with redirect_stdout(log):
            answer = call(gone.handler, route.method, path, body, key=gone.keys[data.draw(st.sampled_from(ROLES))])
        sent = json.dumps([path, body])
        seen = f"{answer.text} {answer.headers}".lower()
        hidden = [m for state, m in MARKERS.items() if not (asks and state == "forgotten")] + [DERIVED] * (not asks)
        assert answer.status < 500
        assert [marker for marker in hidden if marker in seen and marker not in sent] == []
        assert [marker for marker in (*MARKERS.values(), DERIVED) if marker in log.getvalue().lower()] == []

    look()


def test_the_walk_would_see_a_leak(gone: Gone) -> None:
    listed = gone.owned("GET", "/memory/list?status=forgotten")

    assert MARKERS["forgotten"] in json.dumps(listed)
    assert DERIVED in json.dumps(listed)
    assert MARKERS["erased"] not in json.dumps(listed)


@cache
def _described() -> Any:
    return schemathesis.openapi.from_dict(documents.openapi())


def _request(gone: Gone, route: Route, case: schemathesis.Case[Any], data: st.DataObject) -> tuple[str, Any, bool]:
    """A made-up request with ids and words put in where they fit; whether it asks for what is forgotten."""
    ids = gone.others.get(route.path, gone.ids) or ("nothing",)
    path = route.path.replace("<id>", data.draw(st.sampled_from(ids)))
    asks = {name: value for name, value in ASKS_FOR_FORGOTTEN.items() if name in route.query_names}
    query = asks if data.draw(st.booleans()) else {}
    if "q" in route.query_names and data.draw(st.booleans()):
        query = {**query, "q": "harbour"}
    if query:
        path += "?" + "&".join(f"{name}={value}" for name, value in query.items())
    body: Any = case.body if isinstance(case.body, dict) else None
    if body is not None and "query" in body:
        body = {"query": data.draw(st.sampled_from(["harbour", "who swims in the harbour", "ships", "quokka"]))}
        body |= {"include_stale": True} if data.draw(st.booleans()) else {}
    return path, body, bool(asks and query.keys() & asks.keys())
