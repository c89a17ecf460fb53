"""Scores computed by hand."""

from __future__ import annotations

from math import log

import pytest

from palimpsest.domain import ranking


def test_bm25_of_one_term_by_hand() -> None:
    by_hand = log(1 + 8.5 / 2.5) * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 2))

    score = ranking.bm25([3], length=20, frequencies=[2], entries=10, mean_length=10.0)

    assert score == pytest.approx(by_hand)


def test_bm25_adds_up_over_words_and_takes_the_best_of_alternatives() -> None:
    each = [ranking.bm25([count], 5, [frequency], 9, 5.0) for count, frequency in ((1, 2), (2, 4), (1, 1))]

    assert ranking.bm25([1, 2, 1], 5, [2, 4, 1], 9, 5.0) == pytest.approx(sum(each))
    together = ranking.bm25([1, 2, 1], 5, [2, 4, 1], 9, 5.0, [[0, 1], [2]])
    assert together == pytest.approx(max(each[0], each[1]) + each[2])


def test_bm25_of_many_texts_is_that_of_each() -> None:
    counts, lengths = [[0, 1], [2, 0], [3, 7]], [4, 8, 90]

    scores = ranking.bm25_all(counts, lengths, [1, 5], 6, 7.5)

    one_by_one = [ranking.bm25(row, length, [1, 5], 6, 7.5) for row, length in zip(counts, lengths, strict=True)]
    assert scores.tolist() == one_by_one


def test_bm25_of_nothing() -> None:
    assert ranking.bm25([], 0, [], 0, 0.0) == 0.0
    assert ranking.bm25([0, 0], 3, [1, 1], 5, 2.0) == 0.0
    assert ranking.bm25_all([], [], [], 0, 0.0).tolist() == []
    assert ranking.bm25_all([(), ()], [1, 2], [], 3, 1.0, []).tolist() == [0.0, 0.0]


def test_a_term_that_the_space_does_not_count_yet_scores_as_the_rarest() -> None:
    assert ranking.bm25([1], 1, [0], 0, 0.0) == pytest.approx(log(2))
    assert ranking.idf([0, 1], 10).tolist() == pytest.approx([log(1 + 10.5 / 0.5), log(1 + 9.5 / 1.5)])


def test_min_max_by_hand() -> None:
    assert ranking.min_max({"a": 0.9, "b": 0.8, "c": 0.85}) == pytest.approx({"a": 1.0, "b": 0.0, "c": 0.5})
    assert ranking.min_max({}) == {}
    assert ranking.min_max({"a": 0.7}) == {"a": 1.0}
    assert ranking.min_max({"a": 0.7, "b": 0.7}) == {"a": 1.0, "b": 1.0}


def test_min_max_with_a_floor_counts_from_there() -> None:
    assert ranking.min_max({"a": 4.0, "b": 1.0}, floor=0.0) == {"a": 1.0, "b": 0.25}
    assert ranking.min_max({"a": 0.0, "b": 0.0}, floor=0.0) == {"a": 0.0, "b": 0.0}
    assert ranking.min_max({"a": 4.0}, floor=0.0) == {"a": 1.0}


def test_min_max_spans_the_best_of_a_large_pool() -> None:
    scores = {"a": 5.0, "b": 4.0, "c": 3.0, "d": 1.0}

    assert ranking.min_max(scores, pool=3) == {"a": 1.0, "b": 0.5, "c": 0.0, "d": 0.0}
    assert ranking.min_max(scores, floor=0.0, pool=3) == {"a": 1.0, "b": 0.5, "c": 0.0, "d": 0.0}
    assert ranking.min_max(scores, pool=1) == {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0}


def test_fusion_by_hand() -> None:
    arms = {"keyword": {"a": 8.0, "b": 4.0, "c": 0.0}, "vector": {"b": 0.9, "c": 0.8, "d": 0.7}}

    fused = ranking.fuse(arms, {"keyword": 0.6, "vector": 0.4})

    assert {key: each.total for key, each in fused.items()} == pytest.approx({"a": 0.6, "b": 0.7, "c": 0.2, "d": 0.0})
    assert fused["b"].parts == {"keyword": 0.5, "vector": 1.0}
    assert fused["c"].parts == pytest.approx({"keyword": 0.0, "vector": 0.5})
    assert ranking.by_score(fused) == ["b", "a", "c", "d"]


def test_an_arm_without_scores_leaves_its_share_to_the_others() -> None:
    fused = ranking.fuse({"keyword": {}, "vector": {"a": 0.9, "b": 0.8}})

    assert {key: each.total for key, each in fused.items()} == {"a": 1.0, "b": 0.0}
    assert ranking.fuse({}) == {}


def test_equal_scores_are_ordered_by_key() -> None:
    fused = ranking.fuse({"vector": {"c": 0.5, "a": 0.5, "b": 0.9}})

    assert ranking.by_score(fused) == ["b", "a", "c"]
