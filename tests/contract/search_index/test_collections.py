"""What is so of Serverless collections alone: they show writes late, refuse much, and sleep."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest

from palimpsest.adapters.aws.opensearch import OpenSearchIndexes
from palimpsest.adapters.aws.opensearch_cluster import Cluster
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.search_index import SearchIndex
from tests.contract.search_index.conftest import SKIPPED
from tests.contract.search_index.sample import HERE, SHOWING, entry, generation, keys, removals, search, sweep
from tests.support import opensearch_proxy
from tests.support.opensearch_proxy import Collection, Kind

READ_SECONDS = 0.3

Connect = Callable[[float], OpenSearchIndexes]
"""Gives another view on the collection, as another process would have it, with so many seconds for a search."""


@pytest.fixture(params=list(Kind), ids=lambda kind: kind.value)
def collection(request: pytest.FixtureRequest) -> Iterator[Collection]:
    server = request.config.getoption("--opensearch")
    if not server:
        pytest.skip(SKIPPED)
    with opensearch_proxy.collection(request.param, server) as made:
        yield made
        for index in sorted(made.indexes):
            made.forward("DELETE", f"/{index}", None)


@pytest.fixture
def connect(collection: Collection) -> Iterator[Connect]:
    prefix = opensearch_proxy.unused_prefix()
    opened: list[OpenSearchIndexes] = []

    def connected(read_seconds: float) -> OpenSearchIndexes:
        opened.append(OpenSearchIndexes(Cluster(collection.url, read_seconds=read_seconds, is_serverless=True), prefix))
        return opened[-1]

    yield connected
    for each in opened:
        each.close()


@pytest.fixture
def index(connect: Connect, collection: Collection) -> SearchIndex:
    SHOWING.now = collection.let_time_pass
    return connect(20.0).create(generation(1))


def test_the_capabilities_are_those_of_the_kind(collection: Collection, index: SearchIndex) -> None:
    expected = {Kind.CLASSIC: ("deletes", "engine=faiss"), Kind.NEXTGEN: ("deletes", "engine=", "ids")}

    assert index.generation.capabilities == expected[collection.kind]


def test_a_write_shows_only_when_the_refresh_time_is_over(collection: Collection, index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1)])

    before = keys(index.keyword(search("kot")).candidates)
    collection.let_time_pass()

    assert before == []
    assert keys(index.keyword(search("kot")).candidates) == ["a"]


def test_what_was_written_and_removed_before_it_showed_is_gone(collection: Collection, index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1)])
    index.upsert([entry("a", "kot pies", 1, revision=2)])
    index.remove(HERE, removals("a", revision=3))
    collection.let_time_pass()

    assert keys(index.keyword(search("kot")).candidates) == keys(index.vector(search("", 1))) == []


def test_a_tombstone_is_swept_when_the_table_says_that_the_entry_is_gone(
    collection: Collection, index: SearchIndex
) -> None:
    index.upsert([entry("a", "kot", 1)])
    index.remove(HERE, removals("a", revision=2))
    collection.let_time_pass()

    swept = sweep(index, *removals("a", revision=2))
    collection.let_time_pass()

    assert swept == 1
    assert sweep(index, *removals("a", revision=2)) == 0


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/{index}/_delete_by_query"),
        ("POST", "/{index}/_update_by_query"),
        ("PUT", "/{index}/_settings"),
        ("POST", "/{index}/_refresh"),
        ("PUT", "/_ingest/pipeline/one"),
        ("GET", "/_cluster/health"),
        ("POST", "/{index}/_bulk?refresh=true"),
    ],
)
def test_the_proxy_refuses_what_a_collection_refuses(
    collection: Collection, index: SearchIndex, method: str, path: str
) -> None:
    address = urlsplit(collection.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port or 80, timeout=10)

    connection.request(method, path.format(index=next(iter(collection.indexes))), json.dumps({}))
    answer = connection.getresponse()
    answer.read()
    connection.close()

    assert answer.status in (400, 404)


def test_a_sleeping_collection_is_told_soon_and_answers_once_awake(
    collection: Collection, index: SearchIndex, connect: Connect
) -> None:
    index.upsert([entry("a", "kot", 1)])
    collection.let_time_pass()
    awake = connect(READ_SECONDS).open(index.generation)
    sleepy = connect(READ_SECONDS)
    sweep(awake)
    collection.fall_asleep()

    with pytest.raises(IndexUnavailable) as late:
        awake.keyword(search("kot"))
    collection.wake()
    opened = sleepy.open(index.generation)

    assert late.value.reason == "index_timeout"  # it answered this process just now, so it is called slow
    assert collection.asked == 1
    assert keys(opened.keyword(search("kot")).candidates) == ["a"]


def test_a_process_that_never_got_an_answer_says_that_the_collection_sleeps(
    collection: Collection, index: SearchIndex, connect: Connect
) -> None:
    index.upsert([entry("a", "kot", 1)])
    collection.let_time_pass()
    fresh = Cluster(collection.url, read_seconds=READ_SECONDS, is_serverless=True)
    collection.fall_asleep()

    with pytest.raises(IndexUnavailable) as asleep:
        fresh.search("any", {"size": 0})
    collection.wake()
    fresh.close()

    assert asleep.value.reason == "index_asleep"
