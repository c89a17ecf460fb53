"""What every reranker promises."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from palimpsest.ports.reranker import Reranker
from tests.support.rerank_server import ranked

QUERY = "What does Marta drinks"
TEXTS = ["The harbour opens at six", "Marta drinks green tea", "Ola drinks tea"]


def test_each_text_has_a_score_from_0_to_1_in_the_order_of_the_texts(reranker: Reranker) -> None:
    scores = reranker.scores(QUERY, TEXTS)

    assert len(scores) == len(TEXTS)
    assert all(type(score) is float and 0 <= score <= 1 for score in scores)
    assert ranked(scores) == [1, 2, 0]


def test_twenty_texts_of_many_lengths_are_scored_as_each_alone(reranker: Reranker) -> None:
    texts = [" ".join(["harbour"] * (1 + 7 * number % 11)) + " Marta" * (number % 2) for number in range(20)]

    together = reranker.scores(QUERY, texts)

    assert [round(score, 6) for score in together] == [round(reranker.scores(QUERY, [text])[0], 6) for text in texts]


def test_text_in_any_script_and_of_any_length_is_taken(reranker: Reranker) -> None:
    scores = reranker.scores("Zażółć 🙂 " * 200, ["Zażółć gęślą jaźń. " * 2_000, "猫は庭にいる 🐈", "x"])

    assert all(0 <= score <= 1 for score in scores)


def test_many_threads_may_ask_at_once(reranker: Reranker) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: reranker.scores(QUERY, TEXTS), range(16)))

    assert answers == [answers[0]] * 16
