"""An index over a server that answers what a test says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from palimpsest.adapters.aws.opensearch_capabilities import Capabilities
from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json
from palimpsest.adapters.aws.opensearch_index import OpenSearchIndex
from palimpsest.ports.search_index import Generation
from tests.contract.search_index.sample import MODEL
from tests.support.scripted_server import ScriptedServer, scripted_server

EMPTY: Json = {
    "timed_out": False,
    "_shards": {"total": 1, "failed": 0},
    "hits": {"total": {"value": 0}, "hits": []},
    "aggregations": {"length": {"value": 0.0}, "having": {"buckets": {"0": {"doc_count": 0}}}},
}
BOTH: Json = {"responses": [EMPTY, EMPTY]}
ORDINARY = Capabilities("lucene", has_ids=True, has_versions=True, has_deletes=True, has_refresh=True)


@dataclass
class Time:
    """A clock that a test moves, and the pauses that were made."""

    now: float = 0.0
    pauses: list[float] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as scripted:
        yield scripted


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def index(server: ScriptedServer, time: Time) -> Iterator[OpenSearchIndex]:
    yield from _index(server, time, is_serverless=False)


@pytest.fixture
def hasty(server: ScriptedServer, time: Time) -> Iterator[OpenSearchIndex]:
    """The same with very little time for a search."""
    yield from _index(server, time, is_serverless=False, read_seconds=0.2)


@pytest.fixture
def hasty_collection(server: ScriptedServer, time: Time) -> Iterator[OpenSearchIndex]:
    yield from _index(server, time, is_serverless=True, read_seconds=0.2)


@pytest.fixture
def collection(server: ScriptedServer, time: Time) -> Iterator[OpenSearchIndex]:
    """The same in a Serverless collection."""
    yield from _index(server, time, is_serverless=True)


def _index(
    server: ScriptedServer, time: Time, *, is_serverless: bool, read_seconds: float = 10.0
) -> Iterator[OpenSearchIndex]:
    cluster = Cluster(
        server.url,
        read_seconds=read_seconds,
        write_seconds=10.0,
        is_serverless=is_serverless,
        monotonic=lambda: time.now,
        pause=time.pauses.append,
    )
    yield OpenSearchIndex(Generation("01J", MODEL, 1, ORDINARY.words()), cluster, "palimpsest-01j")
    cluster.close()
