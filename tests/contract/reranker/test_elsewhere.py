"""What is the servers' own: what they are sent, and their bad days in the domain's words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.adapters.aws.bedrock_rerank import BedrockReranker
from palimpsest.adapters.models.rerank_answers import request, scores_in
from palimpsest.adapters.models.rerank_http import HttpReranker
from palimpsest.domain.errors import RerankerUnavailable
from palimpsest.ports.reranker import Reranker
from tests.support.rerank_server import COHERE, KEY, MODEL, RerankService, invoke, ranked

TEXTS = ["Ola drinks tea", "Marta sails"]


@pytest.fixture(params=["over_http", "cohere", "amazon"])
def elsewhere(request: pytest.FixtureRequest) -> Reranker:
    made: Reranker = request.getfixturevalue(request.param)
    return made


def failure(reranker: Reranker) -> tuple[str, bool]:
    with pytest.raises(RerankerUnavailable) as failed:
        reranker.scores("what does Ola drink", TEXTS)
    assert not {"Ola", "words of the service", KEY} & set(str(failed.value).split())
    return failed.value.reason, failed.value.may_cost


def test_query_and_texts_are_sent_and_all_scores_asked_for(
    service: RerankService, over_http: HttpReranker, cohere: BedrockReranker, amazon: BedrockReranker
) -> None:
    for reranker in (over_http, cohere, amazon):
        reranker.scores("tea", TEXTS)

    asked = {"query": "tea", "documents": TEXTS, "top_n": 2}
    assert service.requests == [{"model": MODEL, **asked}, {**asked, "api_version": 2}, asked]


def test_only_the_beginning_of_a_long_text_is_sent(service: RerankService, over_http: HttpReranker) -> None:
    over_http.scores("q" * 4_096, ["t" * 50_000, "u"])

    (asked,) = service.requests
    assert (len(asked["query"]), [len(text) for text in asked["documents"]]) == (200, [1_500, 1])


def test_logits_are_taken_to_between_0_and_1_in_their_order(service: RerankService, elsewhere: Reranker) -> None:
    service.has_logits = True

    scores = elsewhere.scores("does Ola drinks tea", TEXTS)

    assert ranked(scores) == [0, 1]
    assert [round(score, 3) for score in scores] == [0.953, 0.047]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ((429, "ThrottlingException"), ("reranker_throttled", False)),
        ((403, "AccessDeniedException"), ("reranker_refused", False)),
        ((400, "ValidationException"), ("reranker_refused", False)),
        ((404, "ResourceNotFoundException"), ("reranker_refused", False)),
        ((500, "InternalServerException"), ("reranker_failed", True)),
    ],
)
def test_a_refusal_has_its_reason_and_says_whether_it_may_cost(
    service: RerankService, elsewhere: Reranker, error: tuple[int, str], told: tuple[str, bool]
) -> None:
    service.error = error

    assert failure(elsewhere) == told


@pytest.mark.parametrize(
    "raw",
    [
        b"<html>",
        b"[1, 2]",
        b"{}",
        b'{"results": 3}',
        b'{"results": [{"index": 0, "relevance_score": 0.5}]}',
        b'{"results": [{"index": 0, "relevance_score": 0.5}, {"index": 2, "relevance_score": 0.5}]}',
        b'{"results": [{"index": 0, "relevance_score": 0.5}, {"index": 1, "relevance_score": NaN}]}',
        b'{"results": [{"index": 0, "relevance_score": 0.5}, {"index": 1, "relevance_score": "high"}, 7, null]}',
    ],
)
def test_an_answer_that_does_not_score_each_text_is_of_no_use(
    service: RerankService, elsewhere: Reranker, raw: bytes
) -> None:
    service.raw = raw

    assert failure(elsewhere) == ("reranker_wrong_answer", True)


def test_a_server_that_is_silent_is_late(service: RerankService) -> None:
    service.stalls = True
    url = f"{service.url}/v1"

    assert failure(HttpReranker(MODEL, lambda: KEY, url, within=timedelta(seconds=0.2))) == ("reranker_late", True)
    assert failure(BedrockReranker(COHERE, invoke(service, 0.2))) == ("reranker_late", True)


def test_a_server_that_is_not_there_costs_nothing() -> None:
    assert failure(HttpReranker(MODEL, lambda: KEY, "http://127.0.0.1:9/v1")) == ("reranker_failed", False)


def test_a_wrong_key_is_refused(service: RerankService) -> None:
    assert failure(HttpReranker(MODEL, lambda: "another", f"{service.url}/v1")) == ("reranker_refused", False)


def test_names_say_kind_and_model(over_http: HttpReranker, cohere: BedrockReranker) -> None:
    assert (over_http.name, cohere.name) == (f"http:{MODEL}", f"bedrock:{COHERE}")


@pytest.mark.parametrize("sign", ["a", "ą", "語", "🌲"])
def test_what_is_sent_counts_as_one_call_whatever_it_is_written_in(sign: str) -> None:
    told = request(sign * 3_000, [sign * 9_000] * 20)

    of_query, texts = told["query"], told["documents"]
    assert isinstance(of_query, str)
    assert isinstance(texts, list)
    room = 512 - len(of_query.encode())
    assert sum(-(-len(text.encode()) // room) for text in texts) <= 100
    assert set(of_query) == {sign}


def test_a_score_beyond_all_bounds_is_no_score() -> None:
    with pytest.raises(RerankerUnavailable):
        scores_in({"results": [{"index": 0, "relevance_score": 10**400}]}, 1)
