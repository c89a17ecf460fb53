"""What is Titan's own: one text a call, what it sends, and its bad days in the domain's words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from palimpsest.adapters.aws.bedrock import TitanEmbedder
from palimpsest.domain.errors import EmbedderUnavailable
from tests.support.bedrock_server import BedrockService, bedrock_service, invoke


@pytest.fixture
def service() -> Iterator[BedrockService]:
    with bedrock_service(256) as service:
        yield service


@pytest.fixture
def titan(service: BedrockService) -> TitanEmbedder:
    return TitanEmbedder(256, 5.0, invoke(service))


def reason(titan: TitanEmbedder) -> str:
    with pytest.raises(EmbedderUnavailable) as failed:
        titan.passages(["Ola likes tea"])
    assert "Ola" not in str(failed.value)
    assert "words of the service" not in str(failed.value)
    return failed.value.reason


def test_a_text_is_sent_with_the_length_that_is_wanted_and_normalised(
    service: BedrockService, titan: TitanEmbedder
) -> None:
    (vectors,) = titan.passages(["Ola likes tea"])

    assert service.requests == [{"inputText": "Ola likes tea", "dimensions": 256, "normalize": True}]
    assert np.allclose(vectors[0], service.model.query("Ola likes tea"), atol=1e-6)


def test_each_passage_is_a_call_of_its_own_and_comes_back_in_order(
    service: BedrockService, titan: TitanEmbedder
) -> None:
    texts = [f"text number {n}" for n in range(20)]

    vectors = titan.passages(texts)

    assert sorted(request["inputText"] for request in service.requests) == sorted(texts)
    expected = [service.model.query(text) for text in texts]
    assert np.allclose([each[0] for each in vectors], expected, atol=1e-6)


def test_a_text_of_the_largest_size_is_cut_into_as_many_passages_as_an_item_holds(titan: TitanEmbedder) -> None:
    (vectors,) = titan.passages(["many words of one long story. " * 3_400])

    assert 1 < len(vectors) <= titan.model.most_passages


@pytest.mark.parametrize(
    ("status", "name", "expected"),
    [
        (429, "ThrottlingException", "embedder_throttled"),
        (429, "ModelNotReadyException", "embedder_throttled"),
        (400, "ServiceQuotaExceededException", "embedder_throttled"),
        (408, "ModelTimeoutException", "embedder_late"),
        (403, "AccessDeniedException", "embedder_refused"),
        (404, "ResourceNotFoundException", "embedder_refused"),
        (400, "ValidationException", "embedder_refused"),
        (500, "InternalServerException", "embedder_failed"),
        (503, "ServiceUnavailableException", "embedder_failed"),
    ],
)
def test_a_refusal_is_told_by_its_reason_and_asked_for_once(
    service: BedrockService, titan: TitanEmbedder, status: int, name: str, expected: str
) -> None:
    service.error = status, name

    assert reason(titan) == expected
    assert len(service.requests) == 1


@pytest.mark.parametrize("raw", [b"", b"[]", b"{}", b'{"embedding": [1, 2]}', b'{"embedding": null}', b"\xff"])
def test_an_answer_that_is_no_such_vector_is_refused(service: BedrockService, titan: TitanEmbedder, raw: bytes) -> None:
    service.raw = raw

    assert reason(titan) == "embedder_wrong_answer"


def test_a_call_that_takes_too_long_is_given_up(service: BedrockService) -> None:
    service.stalls = True

    assert reason(TitanEmbedder(256, 0.2, invoke(service, seconds=0.2))) == "embedder_late"


def test_a_service_that_is_not_there_is_told_as_such() -> None:
    with bedrock_service(256) as gone:
        called = invoke(gone)

    assert reason(TitanEmbedder(256, 5.0, called)) == "embedder_unreachable"


def test_vectors_of_another_length_than_titan_has_are_refused() -> None:
    with pytest.raises(ValueError, match="256, 512, 1024"):
        TitanEmbedder(384, 5.0)


def test_other_dimensions_are_another_model() -> None:
    assert TitanEmbedder(256, 1.0).model != TitanEmbedder(512, 1.0).model
