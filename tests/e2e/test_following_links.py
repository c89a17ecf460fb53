"""What was saved about one thing leads to what was saved about another, over HTTP."""

from __future__ import annotations

from contextlib import closing

from palimpsest.local.cli.client import Json
from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.support.server_process import OWNER_KEY

ASKED = "which firm is the workplace of Anna Kowalska"
WORKPLACE = "Anna Kowalska works at Globex"
OF_GLOBEX = "Globex is based in Warsaw"
OF_WARSAW = "Tom Novak lives in Warsaw"


def test_what_is_linked_with_the_answer_comes_at_three_tenths_a_hop(make_server: MakeServer) -> None:
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL).start()
    with closing(server.client()) as client:
        for text in (WORKPLACE, OF_GLOBEX, OF_WARSAW):
            client.post("/memory/save", {"content": text})

        def recalled(**more: bool) -> dict[str, Json]:
            answer = client.post("/memory/recall", {"query": ASKED, "explain": True, "dry_run": True} | more)
            return {hit["memory"]["content"]: hit for hit in answer["results"]}

        server.wait_for(lambda: "graph" in recalled().get(OF_WARSAW, {"why": ()})["why"] or None, "a linked result")
        found, alone = recalled(), recalled(expand_graph=False)

    assert found[OF_WARSAW]["why"] == ["graph"]
    leader = found[OF_GLOBEX]["score"] / found[OF_GLOBEX]["scores"]["weight"]
    assert abs(found[OF_WARSAW]["scores"]["graph"] - 0.3 * leader) < 0.0001
    assert next(iter(found)) == WORKPLACE
    assert OF_WARSAW not in alone
