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


def test_equal_scores_are_ordered_by_key() -> None:
    assert ranking.by_score(np.array([0.5, 0.5, 0.9]), ["c", "a", "b"]) == [2, 1, 0]


def test_scores_that_differ_behind_the_sixth_decimal_are_equal() -> None:
    assert ranking.by_score(np.array([0.5, 0.5 + 1e-9]), ["a", "b"]) == [0, 1]
    assert ranking.by_score(np.array([0.5, nan, 0.6]), ["a", "b", "c"]) == [2, 0]
