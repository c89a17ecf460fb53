"""What the routes of the graph tell, by way of the whole handler."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from palimpsest.api.app import LambdaHandler, http_handler
from palimpsest.usecases.service import Service
from tests.functions.calling import call
from tests.functions.seeds import ACME, COFFEE, GLOBEX, MARTA, RUNBOOK, TEA, YOU

E = "/memory/entities"


@pytest.fixture
def handler(fresh: Service) -> LambdaHandler:
    return http_handler(lambda: fresh)


def test_an_entity_tells_what_names_it(handler: LambdaHandler) -> None:
    told = call(handler, "GET", f"{E}/{MARTA}").json

    assert (told["name"], told["entity_type"], told["aliases"]) == ("Marta", "person", ["Marta Nowak"])
    assert (told["mentions"], told["memories"], told["documents"]) == (1, 1, 0)
    assert (told["status"], told["origin"], told["named_in"]) == ("current", "declared", [])
    (source,) = told["sources"]
    assert (source["memory_id"], source["chunk_id"], source["document_id"]) == (f"{TEA}@2", None, None)


def test_what_is_related_says_which_way_a_relation_goes(handler: LambdaHandler) -> None:
    for asked, other in ((MARTA, COFFEE), (COFFEE, MARTA)):
        (related,) = call(handler, "GET", f"{E}/{asked}/related").json["related"]

        assert (related["entity"]["id"], related["via"], related["hops"], related["shared"]) == (other, asked, 1, 1)
        (stated,) = related["stated"]
        assert (stated["from"], stated["predicate"], stated["to"]) == (MARTA, "prefers", COFFEE)
        assert (stated["source"]["memory_id"], stated["phrase"], stated["evidence"]) == (f"{TEA}@2", None, None)


def test_a_decision_answers_with_how_the_entity_stands_and_a_retry_with_the_same(handler: LambdaHandler) -> None:
    once = {"idempotency-key": "merge-1"}
    first = call(handler, "POST", f"{E}/{COFFEE}/merge", {"into": ACME}, headers=once).json["entity"]
    again = call(handler, "POST", f"{E}/{COFFEE}/merge", {"into": ACME}, headers=once).json["entity"]

    assert (first["id"], first["memories"], set(first["aliases"])) == (ACME, 1, {"coffee", "Globex"})
    assert again == first
    assert call(handler, "GET", f"{E}/{COFFEE}").json["id"] == ACME
    parted = call(handler, "POST", f"{E}/merges/{COFFEE}/revert", {}).json["entity"]
    assert (parted["id"], parted["status"], parted["memories"]) == (COFFEE, "current", 1)


def test_a_deleted_entity_says_so_and_an_undo_brings_it_back(handler: LambdaHandler) -> None:
    assert call(handler, "DELETE", f"{E}/{COFFEE}").json["entity"]["status"] == "deleted"
    assert call(handler, "GET", f"{E}/{COFFEE}").status == 404
    assert call(handler, "POST", f"{E}/{COFFEE}/undo", {}).json["entity"]["status"] == "current"
    assert call(handler, "GET", f"{E}/{COFFEE}").status == 200


def test_a_taken_name_is_refused_with_the_entity_that_has_it(handler: LambdaHandler) -> None:
    told = call(handler, "PATCH", f"{E}/{MARTA}", {"name": "globex"})

    assert (told.status, told.json["type"]) == (409, "/docs/errors#name-taken")
    assert GLOBEX in told.json["detail"]


def test_the_history_pages_through_all_decisions(handler: LambdaHandler) -> None:
    call(handler, "PATCH", f"{E}/{MARTA}", {"entity_type": "agent"})
    steps, more = [], ""
    while True:
        page = call(handler, "GET", f"{E}/{MARTA}/history?limit=1{more}").json
        steps += page["steps"]
        if page["next_cursor"] is None:
            break
        more = f"&cursor={page['next_cursor']}"

    assert [step["what"] for step in steps] == ["retyped", "aliased", "declared"]
    assert steps[0]["before"] == {"name": "Marta", "entity_type": "person", "aliases": ["Marta Nowak"]}


def test_the_graph_comes_as_json_and_as_graphml(handler: LambdaHandler) -> None:
    told = call(handler, "GET", "/memory/graph").json
    document = call(handler, "GET", "/memory/graph?format=graphml")

    kinds = {node["id"]: node["kind"] for node in told["nodes"]}
    assert {TEA: "memory", RUNBOOK: "document", YOU: "entity"}.items() <= kinds.items()
    assert {"from": MARTA, "to": COFFEE, "relation": "prefers", "weight": 1} in told["edges"]
    assert document.headers["content-type"] == "application/graphml+xml"
    root = fromstring(document.text)  # noqa: S314 - our own
    found = [each.attrib["id"] for each in root.iter("{http://graphml.graphdrawing.org/xmlns}node")]
    assert found == [node["id"] for node in told["nodes"]]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (f"around={MARTA}&chunks_of={RUNBOOK}", "chunks_of"),
        (f"around={MARTA}&cursor=x", "cursor"),
        (f"chunks_of={RUNBOOK}&depth=1", "depth"),
        ("depth=1", "depth"),
    ],
)
def test_what_belongs_to_different_views_is_refused_by_its_name(handler: LambdaHandler, query: str, field: str) -> None:
    told = call(handler, "GET", f"/memory/graph?{query}")

    assert told.status == 422
    assert [fault["loc"] for fault in told.json["errors"]] == [["query", field]]


def test_a_node_is_looked_for_in_the_space_that_is_named(handler: LambdaHandler) -> None:
    for node in (f"around={MARTA}", f"around={TEA}", f"around={RUNBOOK}", f"chunks_of={RUNBOOK}"):
        assert call(handler, "GET", f"/memory/graph?{node}&space=default").status == 200
        assert call(handler, "GET", f"/memory/graph?{node}&space=team-north").status == 404
