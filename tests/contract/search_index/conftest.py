"""Each test of the folder runs on each backend of the search index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from palimpsest.adapters.aws.opensearch import OpenSearchIndexes
from palimpsest.adapters.aws.opensearch_cluster import Cluster
from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.ports.search_index import SearchIndex, SearchIndexes
from tests.contract.search_index.sample import SHOWING, generation
from tests.support import opensearch_proxy
from tests.support.opensearch_proxy import Kind

BACKENDS = ("embedded", "opensearch", "classic", "nextgen")
SKIPPED = "the real OpenSearch server is tested by `make test-opensearch`"

Engine: TypeAlias = Callable[[], SearchIndexes]
"""Gives another view on the same indexes, as another process would have it."""


@contextmanager
def embedded(folder: Path) -> Iterator[Engine]:
    SHOWING.now = lambda: None
    with ExitStack() as ended:

        def connect() -> SearchIndexes:
            indexes = EmbeddedIndexes(folder)
            ended.callback(indexes.close)
            return indexes

        yield connect


@contextmanager
def opensearch(server: str, kind: str) -> Iterator[Engine]:
    """Indexes on the real server, for `classic` and `nextgen` behind the proxy that is as narrow as a collection."""
    admin = Cluster(server)
    prefix = opensearch_proxy.unused_prefix()
    with ExitStack() as ended:
        ended.callback(admin.close)
        ended.callback(admin.call, "DELETE", f"/{prefix}-*")
        url = server
        SHOWING.now = lambda: admin.call("POST", f"/{prefix}-*/_refresh")
        if kind != "opensearch":
            collection = ended.enter_context(opensearch_proxy.collection(Kind(kind), server))
            url = collection.url
            SHOWING.now = collection.let_time_pass

        def connect() -> SearchIndexes:
            indexes = OpenSearchIndexes(Cluster(url, read_seconds=20), prefix)
            ended.callback(indexes.close)
            return indexes

        yield connect


@contextmanager
def backend(name: str, folder: Path, config: pytest.Config) -> Iterator[Engine]:
    """A place for indexes with nothing in it."""
    if name == "embedded":
        with embedded(folder) as engine:
            yield engine
        return
    server = config.getoption("--opensearch")
    if not server:
        pytest.skip(SKIPPED)
    with opensearch(server, name) as engine:
        yield engine


@pytest.fixture(params=BACKENDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with backend(request.param, tmp_path / "index", request.config) as made:
        yield made


@pytest.fixture
def indexes(engine: Engine) -> SearchIndexes:
    return engine()


@pytest.fixture
def index(indexes: SearchIndexes) -> SearchIndex:
    """An empty index."""
    return indexes.create(generation(1))


@pytest.fixture(scope="module", params=BACKENDS)
def engine_once(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndexes]:
    """One place for all the examples of a property test, which make their index anew."""
    with backend(request.param, tmp_path_factory.mktemp("index"), request.config) as made:
        yield made()
