"""Scores computed by hand."""

from __future__ import annotations

from math import log, nan

import numpy as np
import pytest

from palimpsest.domain import ranking
from tests.support.one_text import bm25


def test_bm25_of_one_term_by_hand() -> None:
    by_hand = log(1 + 8.5 / 2.5) * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 2))

    score = bm25([3], 20, [2], 10, 10.0)

    assert score == pytest.approx(by_hand)


def test_bm25_adds_up_over_words_and_takes_the_best_of_alternatives() -> None:
    each = [bm25([count], 5, [frequency], 9, 5.0) for count, frequency in ((1, 2), (2, 4), (1, 1))]

    assert bm25([1, 2, 1], 5, [2, 4, 1], 9, 5.0) == pytest.approx(sum(each))
    together = bm25([1, 2, 1], 5, [2, 4, 1], 9, 5.0, [[0, 1], [2]])
    assert together == pytest.approx(max(each[0], each[1]) + each[2])


def test_bm25_of_many_texts_is_that_of_each() -> None:
    counts, lengths = [[0, 1], [2, 0], [3, 7]], [4, 8, 90]

    scores = ranking.bm25_all(counts, lengths, [1, 5], 6, 7.5)

    one_by_one = [bm25(row, length, [1, 5], 6, 7.5) for row, length in zip(counts, lengths, strict=True)]
    assert scores.tolist() == one_by_one


def test_bm25_of_nothing() -> None:
    assert bm25([], 0, [], 0, 0.0) == 0.0
    assert bm25([0, 0], 3, [1, 1], 5, 2.0) == 0.0
    assert ranking.bm25_all([], [], [], 0, 0.0).tolist() == []
    assert ranking.bm25_all([(), ()], [1, 2], [], 3, 1.0, []).tolist() == [0.0, 0.0]


def test_a_term_that_the_space_does_not_count_yet_scores_as_the_rarest() -> None:
    assert bm25([1], 1, [0], 0, 0.0) == pytest.approx(log(2))
    assert ranking.idf([0, 1], 10).tolist() == pytest.approx([log(1 + 10.5 / 0.5), log(1 + 9.5 / 1.5)])


def test_min_max_by_hand() -> None:
    assert _rescaled([0.9, 0.8, 0.85]) == pytest.approx([1.0, 0.0, 0.5])
    assert _rescaled([]) == []
    assert _rescaled([0.7]) == [1.0]
    assert _rescaled([0.7, 0.7]) == [1.0, 1.0]


def test_min_max_with_a_floor_counts_from_there() -> None:
    assert _rescaled([4.0, 1.0], floor=0.0) == [1.0, 0.25]
    assert _rescaled([0.0, 0.0], floor=0.0) == [0.0, 0.0]
    assert _rescaled([4.0], floor=0.0) == [1.0]


def test_min_max_spans_the_best_of_a_large_pool() -> None:
    scores = [5.0, 4.0, 3.0, 1.0]

    assert _rescaled(scores, pool=3) == [1.0, 0.5, 0.0, 0.0]
    assert _rescaled(scores, floor=0.0, pool=3) == [1.0, 0.5, 0.0, 0.0]
    assert _rescaled(scores, pool=1) == [1.0, 0.0, 0.0, 0.0]


def test_min_max_gives_nothing_to_what_has_no_score() -> None:
    assert _rescaled([nan, 0.9, 0.8]) == pytest.approx([0.0, 1.0, 0.0])
    assert _rescaled([nan, 0.7, 0.7]) == [0.0, 1.0, 1.0]
    assert _rescaled([nan, nan]) == [0.0, 0.0]


def test_fusion_by_hand() -> None:
    arms = {"keyword": np.array([8.0, 4.0, 0.0, nan]), "vector": np.array([nan, 0.9, 0.8, 0.7])}

    fused = ranking.fuse(arms, {"keyword": 0.6, "vector": 0.4})

    assert fused.total.tolist() == pytest.approx([0.6, 0.7, 0.2, 0.0])
    assert fused.parts["keyword"].tolist() == [1.0, 0.5, 0.0, 0.0]
    assert fused.parts["vector"].tolist() == pytest.approx([0.0, 1.0, 0.5, 0.0])
    assert ranking.by_score(fused.total, "abcd") == [1, 0, 2, 3]


def test_an_arm_without_scores_leaves_its_share_to_the_others() -> None:
    fused = ranking.fuse({"keyword": np.array([nan, nan]), "vector": np.array([0.9, 0.8])})

    assert fused.total.tolist() == [1.0, 0.0]
    assert list(fused.parts) == ["vector"]


def test_equal_scores_are_ordered_by_key() -> None:
    assert ranking.by_score(np.array([0.5, 0.5, 0.9]), ["c", "a", "b"]) == [2, 1, 0]


def _rescaled(scores: list[float], *, floor: float | None = None, pool: int = ranking.POOL) -> list[float]:
    rescaled: list[float] = ranking.min_max(np.array(scores, np.float64), floor=floor, pool=pool).tolist()
    return rescaled
