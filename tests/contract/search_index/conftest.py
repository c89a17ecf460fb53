"""Each test of the folder runs on each backend of the search index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.ports.search_index import SearchIndex, SearchIndexes
from tests.contract.search_index.sample import PATIENCE, generation

BACKENDS = ("embedded",)

Engine: TypeAlias = Callable[[], SearchIndexes]
"""Gives another view on the same indexes, as another process would have it."""


@pytest.fixture(params=BACKENDS)
def engine(request: pytest.FixtureRequest) -> Engine:
    """A place for indexes with nothing in it."""
    chosen: Engine = request.getfixturevalue(f"{request.param}_engine")
    return chosen


@pytest.fixture
def embedded_engine(tmp_path: Path) -> Iterator[Engine]:
    PATIENCE.seconds = 0.0
    opened: list[EmbeddedIndexes] = []

    def connect() -> EmbeddedIndexes:
        opened.append(EmbeddedIndexes(tmp_path / "index"))
        return opened[-1]

    yield connect
    for indexes in opened:
        indexes.close()


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
    PATIENCE.seconds = 0.0
    indexes = {"embedded": EmbeddedIndexes}[request.param](tmp_path_factory.mktemp("index"))
    yield indexes
    indexes.close()
