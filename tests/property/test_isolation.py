"""Law 10: spaces never mix. A key of one space walks all routes and never sees a word of the other."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
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
from palimpsest.api.surface import Route
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.judgement import Opinion, Relation, Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.ports.work_queue import read
from palimpsest.settings import Settings
from palimpsest.usecases.drafts import Outcome, Saved
from tests.functions.calling import Told, call
from tests.support.examples import examples
from tests.support.installation import OWNER, START, Installation, install

OWNER_KEY = "plm_isolation_" + "0" * 43
CANARIES = ("zanzibarquokka", "velvetnarwhal", "cobaltheron", "mossyokapi")
"""Words of the space `beta`; nobody who may not enter it ever reads one."""
ROLES = ("reader", "writer", "owner")
CALLED = [route for route in route_table().routes if route.role is not None]


def _is_of_pairs(route: Route) -> bool:
    return route.path.startswith(("/memory/conflicts/<id>", "/memory/findings/<id>"))


@dataclass(frozen=True)
class TwoSpaces:
    """Both spaces, keys that may enter `alpha` alone, and what a prying caller may have got hold of."""

    handler: LambdaHandler
    keys: Mapping[str, str]
    ids: tuple[str, ...]
    pairs: tuple[str, ...]
    cursors: tuple[str, ...]

    def owned(self, method: str, path: str, body: object = None) -> Any:
        """What the owner is answered."""
        return call(self.handler, method, path, body, key=OWNER_KEY).json

    def beta(self) -> str:
        """Everything that `beta` holds, as the owner sees it."""
        listed = self.owned("GET", "/memory/list?space=beta&limit=200")["memories"]
        histories = [self.owned("GET", f"/memory/{memory['root_id']}/history") for memory in listed]
        runs, documents = (self.owned("GET", f"/{name}?space=beta") for name in ("runs", "documents"))
        return json.dumps([listed, histories, runs, documents])


@pytest.fixture(scope="module")
def spaces(tmp_path_factory: pytest.TempPathFactory) -> TwoSpaces:
    made = install(tmp_path_factory.mktemp("isolation"), settings=Settings(key=OWNER_KEY))
    handler = http_handler(lambda: made.wired.service)
    two = TwoSpaces(handler, {}, (), (), ())
    ids, documents = [], []
    for at, canary in enumerate(CANARIES):
        fields = {
            "tags": [canary],
            "metadata": {canary: [canary]},
            "canonical": f"{canary} stands alone",
            "attributed_to": canary,
            "source": {"agent": canary, "session": canary, "channel": canary},
        }
        content = f"the {canary} sleeps in the harbour, case {at}"
        root = two.owned("POST", "/memory/save", {"content": content, "space": "beta", **fields})["memory"]["root_id"]
        two.owned("POST", f"/memory/{root}/update", {"content": f"the {canary} swims in the harbour, case {at}"})
        two.owned("POST", "/memory/save", {"content": f"a ship lies in the harbour, case {at}", "space": "alpha"})
        ids += [root, f"{root}@1", f"{root}@2"]
    begun = two.owned("POST", "/memory/forget", {"q": CANARIES[0], "space": "beta", "dry_run": True})["run"]["id"]
    for at, canary in enumerate(CANARIES[:2]):
        text = f"# {canary}\n\nA {canary} lives near the harbour.\n\n## Food\n\nThe {canary} eats, case {at}."
        sent = {"path": f"{canary}.md", "title": canary, "text": text, "space": "beta"}
        documents.append(two.owned("POST", "/documents", sent)["document"]["id"])
    while (message := made.queue.take(0.0)) is not None:
        made.wired.worker(read(message.body), lambda: 60.0)
    two.owned("POST", "/memory/forget", {"q": "harbour", "space": "beta"})
    ids += [begun, *documents]
    pairs = _disagree(made, two, ids[0], ids[3])
    made.index()
    keys = {}
    for role in ROLES:
        asked = {"role": role, "spaces": ["alpha"], "default_space": "alpha", "label": role}
        keys[role] = two.owned("POST", "/keys", asked)["secret"]
    cursors = (
        two.owned("GET", "/memory/list?space=beta&limit=1")["next_cursor"],
        two.owned("GET", f"/memory/{ids[0]}/history?limit=1")["next_cursor"],
        two.owned("GET", "/runs?space=beta&limit=1")["next_cursor"],
        two.owned("GET", "/documents?space=beta&limit=1")["next_cursor"],
        two.owned("GET", f"/documents/{documents[0]}/chunks?limit=1")["next_cursor"],
        two.owned("GET", f"/runs/{begun}/events?limit=1")["next_cursor"],
        two.owned("GET", "/memory/conflicts?space=beta&limit=1")["next_cursor"] or "none",
    )
    return TwoSpaces(handler, keys, tuple(ids), pairs, cursors)


def _disagree(made: Installation, two: TwoSpaces, one: str, other: str) -> tuple[str, ...]:
    """A conflict and a finding of `beta`."""
    claim = {"content": f"the {CANARIES[0]} is a ship", "source": {"trust": "b"}}
    conflict = two.owned("POST", f"/memory/{one}/update", claim)["conflict_id"]
    service = made.wired.service
    saved = Saved(service.read(OWNER, VersionRef(RootId(one))), Outcome.ADDED)
    seen = VersionRef(RootId(other), 2)
    doubt = Opinion(seen, Relation.CONTRADICTORY, 0.9, f"the {CANARIES[1]} is no {CANARIES[0]}", "rules")
    service.remember.notice(saved, Verdict("rules", doubts=(doubt,)), Stamp(START, OWNER.key))
    return conflict, two.owned("GET", "/memory/findings?space=beta")["findings"][0]["id"]


@pytest.mark.parametrize("route", CALLED, ids=lambda route: f"{route.method} {route.template}")
def test_no_answer_to_a_key_of_one_space_holds_a_word_of_the_other(spaces: TwoSpaces, route: Route) -> None:
    operation = _described()[route.template][route.method]
    before = spaces.beta()

    @given(case=operation.as_strategy(), data=st.data())
    @settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
    def pry(case: schemathesis.Case[Any], data: st.DataObject) -> None:
        path, body = _prying(spaces, route, case, data)
        log = io.StringIO()
        with redirect_stdout(log):
            answer = call(spaces.handler, route.method, path, body, key=spaces.keys[data.draw(st.sampled_from(ROLES))])
        assert answer.status < 500
        _assert_blind(spaces, answer, log.getvalue())

    pry()

    assert spaces.beta() == before


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", [route for route in CALLED if "/memory/<id>" in route.path], ids=lambda r: r.template)
def test_what_lies_in_the_other_space_is_answered_like_what_is_nowhere(
    spaces: TwoSpaces, route: Route, role: str
) -> None:
    bodies = {"/memory/<id>/update": {"content": "x"}, "/memory/<id>/revert": {"version": 1}}
    body = bodies.get(route.path) or ({"pinned": True} if route.method == "PATCH" else None)

    def told(memory: str) -> tuple[int, Any]:
        answer = call(spaces.handler, route.method, route.path.replace("<id>", memory), body, key=spaces.keys[role])
        return answer.status, answer.json

    answers = {json.dumps(told(memory)) for memory in (*spaces.ids, f"mem_{'0' * 26}", f"mem_{'0' * 26}@1", "nonsense")}

    assert len(answers) == 1


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", [route for route in CALLED if _is_of_pairs(route)], ids=lambda r: r.template)
def test_a_conflict_or_a_finding_of_the_other_space_is_answered_like_one_that_is_nowhere(
    spaces: TwoSpaces, route: Route, role: str
) -> None:
    bodies = {"resolve": {"action": "keep_both"}, "answer": {"answer": "dismiss"}, "revert": {}}
    body = bodies.get(route.path.rpartition("/")[2])

    def told(pair: str) -> tuple[int, Any]:
        answer = call(spaces.handler, route.method, route.path.replace("<id>", pair), body, key=spaces.keys[role])
        return answer.status, answer.json

    nowhere = (f"cfl_{'0' * 32}", f"fnd_{'0' * 32}", "nonsense")
    answers = {json.dumps(told(pair)) for pair in (*spaces.pairs, *nowhere)}

    assert len(answers) == 1


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "route", [route for route in CALLED if "/documents/<id>" in route.path], ids=lambda r: r.template
)
def test_a_document_of_the_other_space_is_answered_like_one_that_is_nowhere(
    spaces: TwoSpaces, route: Route, role: str
) -> None:
    def told(document: str) -> tuple[int, Any]:
        answer = call(spaces.handler, route.method, route.path.replace("<id>", document), key=spaces.keys[role])
        return answer.status, answer.json

    there = [each for each in spaces.ids if each.startswith("doc_")]
    answers = {json.dumps(told(document)) for document in (*there, f"doc_{'0' * 26}", "nonsense")}

    assert len(there) == 2
    assert len(answers) == 1


@given(st.lists(st.sampled_from(["harbour", "ship", "storm", "crane", "quay", "rope"]), min_size=1, max_size=30))
@settings(max_examples=examples(5), deadline=None, suppress_health_check=list(HealthCheck))
def test_what_one_space_holds_moves_no_score_of_another(
    tmp_path_factory: pytest.TempPathFactory, other: list[str]
) -> None:
    def scores(*, beside: bool) -> list[tuple[str, float]]:
        made = install(tmp_path_factory.mktemp("scores"), settings=Settings(key=OWNER_KEY))
        handler = http_handler(lambda: made.wired.service)
        for at, text in enumerate(("a ship in the harbour", "a storm over the quay", "a crane with a rope on a ship")):
            call(handler, "POST", "/memory/save", {"content": text, "space": "alpha"}, key=OWNER_KEY)
            if beside:
                made.save(f"{' '.join(other)} {at}", space="beta")
        made.index()
        asked = {"query": "ship at the quay", "space": "alpha"}
        results = call(handler, "POST", "/memory/recall", asked, key=OWNER_KEY).json["results"]
        made.sqlite.close()
        return [(result["memory"]["content"], result["score"]) for result in results]

    assert scores(beside=True) == scores(beside=False)


@cache
def _described() -> Any:
    return schemathesis.openapi.from_dict(documents.openapi())


def _prying(spaces: TwoSpaces, route: Route, case: schemathesis.Case[Any], data: st.DataObject) -> tuple[str, Any]:
    """A made-up request with what the caller got hold of put in where it fits."""
    names = st.sampled_from(["beta", "alpha", "nowhere"])
    found = {
        "space": names,
        "default_space": names,
        "spaces": st.lists(names, min_size=1, max_size=2),
        "cursor": st.sampled_from(spaces.cursors),
        "query": st.sampled_from(CANARIES),
        "q": st.sampled_from(CANARIES),
        "tags": st.just([CANARIES[0]]),
    }
    known = spaces.pairs if "/memory/<id>" not in route.path and route.path.startswith("/memory/") else spaces.ids
    path = route.path.replace("<id>", data.draw(st.sampled_from(known)))
    wanted = sorted(route.query_names & found.keys())
    query = {name: data.draw(found[name]) for name in wanted if data.draw(st.booleans())}
    if query:
        pairs = ((name, ",".join(value) if isinstance(value, list) else value) for name, value in query.items())
        path += "?" + "&".join(f"{name}={value}" for name, value in pairs)
    body: Any = case.body
    if not isinstance(body, dict):
        return path, None
    fitting = sorted({"space", "spaces", "query", "q", "default_space"} & _fields(route))
    return path, {**body, **{name: data.draw(found[name]) for name in fitting if data.draw(st.booleans())}}


def _fields(route: Route) -> set[str]:
    """The names that the body of a route may have."""
    operation = documents.openapi()["paths"][route.template][route.method.lower()]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    named = schema.get("anyOf", [schema])[0]  # one that may be left out is "this or null"
    return set(documents.openapi()["components"]["schemas"][named["$ref"].rpartition("/")[2]]["properties"])


def _assert_blind(spaces: TwoSpaces, answer: Told, log: str) -> None:
    seen = f"{answer.text} {answer.headers} {log}".lower()
    roots = {memory.partition("@")[0].lower() for memory in spaces.ids}
    assert not [word for word in (*CANARIES, *roots) if word in seen]
