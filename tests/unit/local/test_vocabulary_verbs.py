"""The verbs of the vocabulary, over a server on loopback that answers what the test says."""

from __future__ import annotations

from typing import Any

import pytest

from palimpsest.local.cli import main
from palimpsest.local.exits import Exit
from tests.support.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("home")

ID = "voc_3bd0f273a807f2361b7ad8903f19a9d4@default"


def term(name: str = "animal", tier: str = "system", **fields: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"id": ID, "kind": "entity_type", "name": name, "description": "A pet.", "tier": tier}
    return told | {"status": "active", "count": 3, "examples": []} | fields


BIGOS = {"name": "Bigos", "target": None, "phrase": None, "confidence": 0.9, "memory_id": "mem_1@1", "chunk_id": None}
COOKS = {**BIGOS, "name": "Ola", "target": "Bigos", "phrase": "cooks", "memory_id": None, "chunk_id": "chk_1"}
DISH = term("board_game", "proposed", description="", examples=[BIGOS, COOKS, BIGOS, BIGOS])
KNOWS = term("animal", kind="predicate")


def vocabulary(**fields: Any) -> dict[str, Any]:
    told = {"space": "default", "entity_types": [term()], "predicates": [], "relations": [], "proposals": [DISH]}
    return told | fields


def changed(**fields: Any) -> dict[str, Any]:
    told = {"term": term(status="disabled"), "entities_linked": 0, "relations_linked": 0}
    return told | {"redactions": [], "warnings": []} | fields


def run(server: ScriptedServer, *arguments: str) -> int:
    return main(["schema", *arguments, "--url", server.url])


@pytest.mark.parametrize("arguments", [[], ["list"]])
def test_alone_it_lists_all_terms_and_proposals(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    server.will_answer(vocabulary())

    assert run(server, *arguments, "--space", "home") == Exit.OK

    assert [asked.target for asked in server.asked] == ["/memory/schema?space=home"]
    printed = capsys.readouterr().out
    assert "animal" in printed
    assert "waits   Bigos; Ola → Bigos; Bigos; 1 more" in printed


@pytest.mark.parametrize("named", ["animal", "Animal", ID])
@pytest.mark.parametrize(
    ("verb", "method", "path", "body"),
    [
        ("disable", "PATCH", "", {"status": "disabled"}),
        ("enable", "PATCH", "", {"status": "active"}),
        ("delete", "DELETE", "", None),
        ("dismiss", "POST", "/dismiss", {}),
        ("reopen", "POST", "/reopen", {}),
        ("approve", "POST", "/approve", {}),
    ],
)
def test_a_term_is_named_by_its_name_or_its_id(
    server: ScriptedServer, named: str, verb: str, method: str, path: str, body: object
) -> None:
    if named != ID:
        server.will_answer(vocabulary())
    server.will_answer(changed())

    assert run(server, verb, named) == Exit.OK

    asked = server.asked[-1]
    assert (asked.method, asked.target) == (method, f"/memory/schema/{ID}{path}")
    assert asked.body == body


def test_an_approval_tells_what_was_linked(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer(vocabulary())
    server.will_answer(changed(term=term("board_game", "user"), entities_linked=2, relations_linked=1))

    assert run(server, "approve", "board game", "--description", "A game.") == Exit.OK

    assert server.asked[-1].body == {"description": "A game."}
    assert server.asked[-1].headers["idempotency-key"]
    printed = capsys.readouterr().out
    assert printed == "board_game (user entity_type) is active, 2 entities linked, 1 relations linked\n"


def test_a_term_is_added_to_the_space_that_is_named(server: ScriptedServer) -> None:
    server.will_answer(changed(), 201)

    assert run(server, "add", "predicate", "cooks", "Who cooks what.", "--space", "home") == Exit.OK

    body = {"kind": "predicate", "name": "cooks", "description": "Who cooks what.", "space": "home"}
    assert server.asked[0].body == body


def test_a_term_is_shown_with_its_history(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer(DISH | {"history": [{"at": "2026-11-30T09:00:00.000Z", "what": "reopened", "by": "owner"}]})

    assert run(server, "show", ID) == Exit.OK

    printed = capsys.readouterr().out
    assert "Ola → Bigos (cooks), chk_1" in printed
    assert "reopened by owner" in printed


def test_a_name_that_is_not_there_is_told_and_one_of_two_kinds_asks_which(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for answer in (vocabulary(), vocabulary(predicates=[KNOWS]), vocabulary(predicates=[KNOWS]), changed()):
        server.will_answer(answer)

    assert run(server, "disable", "nothing") == Exit.NOT_FOUND
    assert run(server, "disable", "animal") == Exit.USAGE
    assert run(server, "disable", "animal", "--kind", "predicate") == Exit.OK

    assert "--kind" in capsys.readouterr().err
