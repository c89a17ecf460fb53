"""The rerankers that keep the promises of the port: a cross-encoder in this process, one over HTTP, and Bedrock's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.adapters.aws.bedrock_rerank import BedrockReranker
from palimpsest.adapters.models.rerank_http import HttpReranker
from palimpsest.adapters.models.rerank_onnx import OnnxReranker
from palimpsest.ports.reranker import Reranker
from tests.support.rerank_server import AMAZON, COHERE, KEY, MODEL, RerankService, invoke, rerank_service

WORDS = ("marta", "drinks", "green", "tea", "the", "harbour", "opens", "at", "six", "what", "does", "ola", "jan")


@pytest.fixture
def service() -> Iterator[RerankService]:
    with rerank_service() as service:
        yield service


@pytest.fixture
def over_http(service: RerankService) -> Iterator[HttpReranker]:
    reranker = HttpReranker(MODEL, lambda: KEY, service.url + "/v1/")
    yield reranker
    reranker.close()


@pytest.fixture
def cohere(service: RerankService) -> BedrockReranker:
    return BedrockReranker(COHERE, invoke(service))


@pytest.fixture
def amazon(service: RerankService) -> BedrockReranker:
    return BedrockReranker(AMAZON, invoke(service))


@pytest.fixture
def local(tmp_path: Path) -> OnnxReranker:
    from tests.support.tiny_cross_encoder import cross_encoder

    return OnnxReranker(cross_encoder(tmp_path / "tiny", WORDS))


@pytest.fixture(params=["local", "over_http", "cohere", "amazon"])
def reranker(request: pytest.FixtureRequest) -> Reranker:
    made: Reranker = request.getfixturevalue(request.param)
    return made
