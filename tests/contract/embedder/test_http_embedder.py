"""The HTTP embedder against a server that speaks the protocol and misbehaves on demand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from palimpsest.adapters.models.openai_http import EmbeddingServer, HttpEmbedder
from palimpsest.domain.errors import EmbedderUnavailable
from tests.support.embedding_server import KEY, EmbeddingService, embedding_service
from tests.support.hashing_embedder import HashingEmbedder

TEXT = "a text that no error may repeat"


@pytest.fixture
def service() -> Iterator[EmbeddingService]:
    with embedding_service(HashingEmbedder(dimensions=16)) as service:
        yield service


@pytest.fixture
def server(service: EmbeddingService) -> EmbeddingServer:
    return EmbeddingServer(service.url, "hashing", 16, key=KEY)


def refusal(server: EmbeddingServer) -> EmbedderUnavailable:
    embedder = HttpEmbedder(server)
    with pytest.raises(EmbedderUnavailable) as caught:
        embedder.query(TEXT)
    embedder.close()
    return caught.value


def test_vectors_are_those_of_the_server_at_unit_length_and_in_order(
    service: EmbeddingService, server: EmbeddingServer
) -> None:
    embedder = HttpEmbedder(server)
    texts = [f"text number {i}" for i in range(150)]

    vectors = embedder.passages(texts)

    embedder.close()
    assert np.allclose(np.concatenate(vectors), [service.model.query(text) for text in texts], atol=1e-6)
    assert [len(batch) for batch in service.inputs] == [64, 64, 22]
    assert service.connections == 1


def test_prefixes_are_put_before_texts_and_make_another_revision(
    service: EmbeddingService, server: EmbeddingServer
) -> None:
    prefixed = HttpEmbedder(replace(server, query_prefix="query: ", passage_prefix="passage: "))

    prefixed.query("one")
    prefixed.passages(["two"])

    prefixed.close()
    assert service.inputs == [["query: one"], ["passage: two"]]
    assert prefixed.model.name == HttpEmbedder(server).model.name == "hashing"
    assert prefixed.model.revision != HttpEmbedder(server).model.revision


def test_a_long_text_is_cut_by_characters(service: EmbeddingService, server: EmbeddingServer) -> None:
    embedder = HttpEmbedder(replace(server, passage_characters=40))

    one, several = embedder.passages(["Short.", "First sentence of it. Second sentence of it. Third sentence of it."])

    embedder.close()
    assert (len(one), len(several)) == (1, 3)
    assert service.inputs == [["Short.", "First sentence of it.", "Second sentence of it.", "Third sentence of it."]]


def test_a_text_of_too_many_passages_has_means_of_neighbours(server: EmbeddingServer) -> None:
    with embedding_service(HashingEmbedder(dimensions=4_096)) as wide:
        embedder = HttpEmbedder(replace(server, url=wide.url, dimensions=4_096, passage_characters=40))
        text = "\n\n".join(f"This is paragraph {n:03d} of them all." for n in range(90))

        (vectors,) = embedder.passages([text])

        embedder.close()
    parts = [part for request in wide.inputs for part in request]
    expected = sum(wide.model.query(part) for part in parts[3:6])
    assert (len(parts), vectors.shape) == (90, (30, 4_096))
    assert np.allclose(vectors[1], expected / np.linalg.norm(expected), atol=1e-5)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "embedder_refused"),
        (403, "embedder_refused"),
        (404, "embedder_refused"),
        (413, "embedder_refused"),
        (429, "embedder_throttled"),
        (500, "embedder_failed"),
        (503, "embedder_failed"),
        (204, "embedder_failed"),
        (307, "embedder_failed"),
    ],
)
def test_a_status_becomes_a_reason(
    service: EmbeddingService, server: EmbeddingServer, status: int, reason: str
) -> None:
    service.status, service.raw = status, b"{}" if status != 204 else b""

    error = refusal(server)

    assert error.reason == reason
    assert str(status) in str(error)
    assert TEXT not in str(error)


def test_a_wrong_key_is_refused_and_never_shown(server: EmbeddingServer) -> None:
    wrong = replace(server, key="sk-a-wrong-key")

    error = refusal(wrong)

    assert error.reason == "embedder_refused"
    assert "sk-a-wrong-key" not in f"{error} {wrong}"


def embeddings(*vectors: object) -> bytes:
    return json.dumps({"data": [{"index": i, "embedding": vector} for i, vector in enumerate(vectors)]}).encode()


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>Welcome to the proxy</html>",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"data": null}',
        b'{"data": [1]}',
        b'{"data": [{"embedding": [1]}]}',
        b'{"data": [{"index": [], "embedding": [1]}]}',
        b'{"data": ' + b"[" * 60_000,
        embeddings(),
        embeddings([1.0] * 15),
        embeddings([1.0] * 17),
        embeddings([1.0] * 16, [1.0] * 16),
        embeddings("AACAPwAAgD8="),
        embeddings(["x"] * 16),
        embeddings([None] * 16),
        embeddings([[1.0]] * 16),
        embeddings([10**400] * 16),
        embeddings([0.0] * 16),
        embeddings([float("nan")] * 16),
        embeddings([float("inf")] * 16),
        embeddings([1e300] * 16),
        embeddings([1.0] * 16) + b" " * 100_000,
    ],
    ids=lambda answer: answer[:60].decode("latin-1"),
)
def test_an_answer_that_can_not_be_used_is_refused(
    service: EmbeddingService, server: EmbeddingServer, answer: bytes
) -> None:
    service.raw = answer

    error = refusal(server)

    assert error.reason == "embedder_wrong_answer"


def test_a_server_that_does_not_answer_in_time_is_late(service: EmbeddingService, server: EmbeddingServer) -> None:
    service.stalls = True

    error = refusal(replace(server, timeout_seconds=0.1))

    assert (error.reason, str(error)) == ("embedder_late", "127.0.0.1 gave no vectors within 0.1 seconds")


def test_a_connection_that_ends_within_the_answer_is_told(service: EmbeddingService, server: EmbeddingServer) -> None:
    service.hangs_up = True

    assert refusal(server).reason == "embedder_unreachable"


def test_nobody_at_the_address_is_told() -> None:
    with embedding_service(HashingEmbedder()) as gone:
        url = gone.url

    error = refusal(EmbeddingServer(url, "hashing", 384))

    assert error.reason == "embedder_unreachable"
    assert error.__cause__ is not None


@pytest.mark.parametrize("url", ["", "localhost:11434/v1", "ftp://localhost/v1", "http://", "file:///etc/passwd"])
def test_an_address_that_is_none_of_http_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="url"):
        HttpEmbedder(EmbeddingServer(url, "model", 16))


@pytest.mark.parametrize("key", ["sk-\n", "klucz-ł", "sk key"])
def test_a_key_that_no_header_can_carry_is_refused_at_once(server: EmbeddingServer, key: str) -> None:
    with pytest.raises(ValueError, match="key"):
        HttpEmbedder(replace(server, key=key))
