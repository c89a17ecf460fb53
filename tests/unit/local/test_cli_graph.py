"""The verbs of entities and of the graph, over a server on loopback that answers what the test says."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from palimpsest.local.cli import main
from palimpsest.local.exits import Exit
from tests.support.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("home")

OLA, ACME = "ent_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z", "ent_01JA7Z3M6Q8R9S0T1V2W3X4Y6Z"


def entity(**fields: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": OLA,
        "name": "Ola Nowak",
        "entity_type": "person",
        "aliases": ["Ola"],
        "status": "current",
    }
    told |= {"mentions": 3, "memories": 2, "documents": 1, "origin": "extracted", "space": "default"}
    return told | {"created_at": "2026-11-29T21:05:07.000Z", "changed_at": "2026-11-29T21:05:07.000Z"} | fields


def page(**parts: Any) -> dict[str, Any]:
    return {"next_cursor": None} | parts


def run(server: ScriptedServer, *arguments: str) -> int:
    return main([*arguments, "--url", server.url])


def test_an_entity_is_called_by_one_of_its_names(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer(page(entities=[entity(id=ACME, name="Olaf", aliases=[]), entity()]))
    server.will_answer({"entity": entity(name="Aleksandra Nowak", aliases=["Ola Nowak", "Ola"])})

    assert run(server, "entities", "rename", "OLA", "Aleksandra Nowak") == Exit.OK

    searched, changed = server.asked
    assert searched.target == "/memory/entities?q=OLA&limit=200"
    assert (changed.method, changed.target, changed.body) == (
        "PATCH",
        f"/memory/entities/{OLA}",
        {"name": "Aleksandra Nowak"},
    )
    assert "Aleksandra Nowak, Ola Nowak, Ola (person in default)" in capsys.readouterr().out


def test_a_name_that_leads_nowhere_is_told(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer(page(entities=[entity()]))

    assert run(server, "entities", "delete", "Olaf") == Exit.NOT_FOUND

    assert "nothing is called 'Olaf' here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "method", "target", "body"),
    [
        (("add", "Pixel", "animal", "--alias", "Pixie"), "POST", "",
         {"name": "Pixel", "entity_type": "animal", "aliases": ["Pixie"]}),
        (("retype", OLA, "agent"), "PATCH", f"/{OLA}", {"entity_type": "agent"}),
        (("alias", OLA), "PATCH", f"/{OLA}", {"aliases": []}),
        (("merge", OLA, ACME), "POST", f"/{OLA}/merge", {"into": ACME}),
        (("undo", OLA), "POST", f"/{OLA}/undo", {}),
        (("revert", OLA), "POST", f"/merges/{OLA}/revert", {}),
        (("delete", OLA), "DELETE", f"/{OLA}", None),
    ],
)  # fmt: skip
def test_each_decision_calls_its_route(
    server: ScriptedServer, arguments: tuple[str, ...], method: str, target: str, body: object
) -> None:
    server.will_answer({"entity": entity()})

    assert run(server, "entities", *arguments) == Exit.OK

    (asked,) = server.asked
    assert (asked.method, asked.target, asked.body or None) == (method, f"/memory/entities{target}", body or None)


def test_what_is_related_is_shown_with_what_is_stated(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    stated = {"from": OLA, "to": ACME, "predicate": "works_at", "phrase": None, "proposed": None}
    related = {"entity": {"name": "Acme"}, "hops": 1, "via": OLA, "shared": 2, "stated": [stated]}
    server.will_answer({"related": [related], "truncated": 4})

    assert run(server, "entities", "related", OLA, "--hops", "2", "--path-to", ACME) == Exit.OK

    assert server.asked[0].target == f"/memory/entities/{OLA}/related?hops=2&path_to={ACME}"
    printed = capsys.readouterr().out
    assert "-> works_at" in printed
    assert "4 more are left out" in printed


def test_a_graph_is_looked_at_around_an_entity_by_its_name(server: ScriptedServer) -> None:
    server.will_answer(page(entities=[entity()]))
    server.will_answer(page(nodes=[], edges=[]))

    assert run(server, "graph", "--around", "ola nowak", "--space", "ops") == Exit.OK

    assert [asked.target for asked in server.asked] == [
        "/memory/entities?q=ola+nowak&limit=200&space=ops",
        f"/memory/graph?around={OLA}&space=ops",
    ]


@pytest.mark.parametrize("node", [OLA, "mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z", "doc_1", "chk_1"])
def test_a_graph_is_looked_at_around_anything_by_its_id_as_of_a_date(server: ScriptedServer, node: str) -> None:
    server.will_answer(page(nodes=[], edges=[]))

    assert run(server, "graph", "--around", node, "--as-of", "2026-01-01") == Exit.OK

    assert [asked.target for asked in server.asked] == [f"/memory/graph?around={node}&as_of=2026-01-01"]


def test_the_whole_graph_goes_into_one_file(
    server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ola = {"id": OLA, "kind": "entity", "label": "Ola", "type": "person"}
    for memory, cursor in (("mem_1", "more"), ("mem_2", None)):
        node = {"id": memory, "kind": "memory", "label": "a\x1b text", "type": "fact"}
        edge = {"from": memory, "to": OLA, "relation": "mention", "weight": 1}
        server.will_answer({"nodes": [node, ola], "edges": [edge], "next_cursor": cursor})

    assert run(server, "graph", "--graphml", str(tmp_path / "all.graphml"), "--space", "ops") == Exit.OK

    assert [asked.target for asked in server.asked] == [
        "/memory/graph?space=ops&limit=200",
        "/memory/graph?cursor=more&space=ops&limit=200",
    ]
    written = fromstring((tmp_path / "all.graphml").read_text("utf-8"))  # noqa: S314 - our own
    tags = [each.tag.rpartition("}")[2] for each in written.iter()]
    assert (tags.count("node"), tags.count("edge")) == (3, 2)
    assert "3 nodes and 2 edges" in capsys.readouterr().out


def test_auto_index_is_set_for_a_space_that_is_named(server: ScriptedServer) -> None:
    settings = {"name": "ops", "auto_index": False}
    server.will_answer({"space": settings})

    assert run(server, "auto-index", "off", "--space", "ops") == Exit.OK
    assert run(server, "auto-index", "off") == Exit.USAGE

    (asked,) = server.asked
    assert (asked.method, asked.target, asked.body) == ("PATCH", "/spaces/ops", {"auto_index": False})


def test_recall_and_forget_can_be_about_an_entity(server: ScriptedServer) -> None:
    server.will_answer({"results": [], "arms": []})
    server.will_answer({"run": {"id": "run_1", "status": "success", "kind": "forget", "space": "default"}}, 202)

    run(server, "recall", "what does she drink?", "--entity", "Ola", "--json")
    run(server, "forget", "--entity", "Ola", "--json")

    assert [asked.body for asked in server.asked] == [
        {"query": "what does she drink?", "entity": "Ola"},
        {"entity": "Ola"},
    ]
