"""One machine with another search engine than its own, and with none."""

from __future__ import annotations

from contextlib import closing

import pytest

from palimpsest.adapters.aws.opensearch_cluster import Cluster
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.local.cli.client import Json
from palimpsest.local.exits import Exit
from tests.contract.search_index.conftest import SKIPPED
from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.support.opensearch_proxy import unused_prefix
from tests.support.server_process import OWNER_KEY, ServerProcess

FOX = "the quick brown fox jumps over the lazy dog"


def _recalled(server: ServerProcess) -> Json:
    return server.post("/memory/recall", {"query": "which fox is quick?", "dry_run": True})


def _arms(answer: Json) -> dict[str, Json]:
    return {arm["name"]: arm for arm in answer["arms"]}


def test_without_a_search_engine_what_was_saved_is_recalled_from_the_tail(make_server: MakeServer) -> None:
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, PALIMPSEST_SEARCH="off", **NO_MODEL).start()
    server.post("/memory/save", {"content": FOX})

    answer = _recalled(server)

    assert [result["memory"]["content"] for result in answer["results"]] == [FOX]
    arms = _arms(answer)
    assert (arms["keyword"]["reason"], arms["vector"]["reason"]) == ("index_off", "index_off")
    assert (arms["tail"]["state"], arms["entity"]["state"]) == ("ok", "empty")
    assert server.stop() == Exit.OK


def test_a_search_engine_without_an_address_is_refused_at_the_start(make_server: MakeServer) -> None:
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, PALIMPSEST_SEARCH="opensearch", **NO_MODEL)

    server.launch()

    assert server.ended() == Exit.USAGE
    assert "PALIMPSEST_OPENSEARCH_URL" in server.output


def test_one_machine_serves_while_its_search_engine_is_not_there(make_server: MakeServer) -> None:
    engine = {"PALIMPSEST_SEARCH": "opensearch", "PALIMPSEST_OPENSEARCH_URL": "http://127.0.0.1:9"}
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, **engine, **NO_MODEL).start()
    server.post("/memory/save", {"content": FOX})

    answer = _recalled(server)

    assert [result["memory"]["content"] for result in answer["results"]] == [FOX]
    assert _arms(answer)["keyword"]["state"] == "failed"


def test_one_machine_can_search_in_an_opensearch_server(
    make_server: MakeServer, request: pytest.FixtureRequest
) -> None:
    url = request.config.getoption("--opensearch")
    if not url:
        pytest.skip(SKIPPED)
    prefix = unused_prefix()
    engine = {"SEARCH": "opensearch", "OPENSEARCH_URL": url, "OPENSEARCH_PREFIX": prefix}
    settings = {f"PALIMPSEST_{name}": value for name, value in engine.items()}
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, **settings, **NO_MODEL).start()
    with closing(Cluster(url)) as admin:

        def proposed() -> Json | None:
            try:
                admin.call("POST", f"/{prefix}-*/_refresh")
            except IndexUnavailable:
                return None
            answer = _recalled(server)
            return answer if _arms(answer)["keyword"]["candidates"] else None

        server.post("/memory/save", {"content": FOX})
        answer = server.wait_for(proposed, "a candidate of the search engine")
        admin.call("DELETE", f"/{prefix}-*")

    assert [result["memory"]["content"] for result in answer["results"]] == [FOX]
    assert server.stop() == Exit.OK
