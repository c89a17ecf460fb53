"""A deployment whose index is a real OpenSearch server, filled by the stream."""

from __future__ import annotations

import time

import pytest

from tests.contract.search_index.conftest import SKIPPED
from tests.e2e.cloud.account import Account
from tests.e2e.cloud.calling import Caller, eventually, fresh_space

FOX = "the quick brown fox jumps over the lazy dog"


def test_what_is_saved_reaches_the_search_server_by_the_stream(account: Account, pytestconfig: pytest.Config) -> None:
    server = pytestconfig.getoption("--opensearch")
    if not server:
        pytest.skip(SKIPPED)
    name = f"fox{time.time_ns() % 10**12}"
    chosen = (f"name={name}", "search=external", f"opensearch_url={server}", "opensearch_auth=none")
    deployed = account.deploy(*chosen)
    owner, space = Caller(deployed.url, account.owner_key(deployed)), fresh_space("fox")

    owner.post("/admin/index/rebuild").expect(202)
    owner.save(FOX, space)

    def is_found_by_the_index() -> bool:
        answer = owner.post("/memory/recall", {"query": "which fox is quick?", "space": space}).expect(200)
        return any(arm["name"] == "keyword" and arm["candidates"] > 0 for arm in answer["arms"])

    eventually(is_found_by_the_index, "a candidate of the keyword arm", seconds=180)
    assert owner.texts("which fox is quick?", space) == [FOX]
