"""The embedders that keep the promises of the port: the real model, the hashing one, one over HTTP, and Bedrock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.adapters.aws.bedrock import TitanEmbedder
from palimpsest.adapters.models.e5 import E5
from palimpsest.adapters.models.e5_engine import fastest_engine
from palimpsest.adapters.models.openai_http import EmbeddingServer, HttpEmbedder
from palimpsest.ports.embedder import Embedder
from tests.support.bedrock_server import bedrock_service, invoke
from tests.support.embedding_server import KEY, embedding_service
from tests.support.hashing_embedder import HashingEmbedder


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all processes of a run, which may all convert the model at once."""
    return tmp_path_factory.getbasetemp().parent / "models"


@pytest.fixture(scope="session")
def numpy_e5() -> E5:
    return E5()


@pytest.fixture(scope="session")
def fast_e5(model_cache: Path) -> E5:
    return E5(fastest_engine(model_cache))


@pytest.fixture(scope="session")
def http_embedder() -> Iterator[HttpEmbedder]:
    with embedding_service(HashingEmbedder(dimensions=256)) as service:
        embedder = HttpEmbedder(EmbeddingServer(service.url, "hashing", 256, key=KEY))
        yield embedder
        embedder.close()


@pytest.fixture(scope="session")
def titan_embedder() -> Iterator[TitanEmbedder]:
    with bedrock_service(256) as service:
        yield TitanEmbedder(256, 10.0, invoke(service))


@pytest.fixture(params=["hashing", "numpy", "ctranslate2", "http", "bedrock"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    names = {"numpy": "numpy_e5", "ctranslate2": "fast_e5", "http": "http_embedder", "bedrock": "titan_embedder"}
    if request.param == "hashing":
        return HashingEmbedder()
    embedder: Embedder = request.getfixturevalue(names[request.param])
    return embedder
