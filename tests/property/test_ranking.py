"""Laws of the scores: bounded, monotone, free of order."""

from __future__ import annotations

import random
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain import ranking
from tests.support.one_text import bm25

_SCORE = st.floats(0, 100)
_SCORES = st.lists(_SCORE | st.just(nan), max_size=12)
_COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=5)


@given(_SCORES, st.randoms(use_true_random=False))
def test_the_order_of_the_best_depends_on_scores_and_keys_alone(scores: list[float], chance: random.Random) -> None:
    keyed = [(0.0 if isnan(score) else score, f"key {number}") for number, score in enumerate(scores)]
    turned = chance.sample(keyed, len(keyed))

    assert _ordered(turned) == _ordered(keyed)


@given(_COUNTS, st.integers(0, 200), st.integers(0, 30), st.floats(0.5, 50), st.data())
def test_bm25_grows_with_counts_and_falls_with_length_and_frequency(
    counts: list[int], length: int, spare: int, mean: float, data: st.DataObject
) -> None:
    frequencies = data.draw(st.lists(st.integers(1, 20), min_size=len(counts), max_size=len(counts)))
    term = data.draw(st.integers(0, len(counts) - 1))
    entries = max(frequencies) + spare
    score = bm25(counts, length, frequencies, entries, mean)

    more = [count + (number == term) for number, count in enumerate(counts)]
    rarer = [frequency - (number == term and frequency > 1) for number, frequency in enumerate(frequencies)]

    assert 0.0 <= score <= sum(ranking.idf(frequencies, entries)) * (ranking.K1 + 1)
    assert bm25(more, length, frequencies, entries, mean) >= score
    assert bm25(counts, length + 1, frequencies, entries, mean) <= score
    assert bm25(counts, length, rarer, entries, mean) >= score


@given(_COUNTS, st.integers(0, 200), st.data())
def test_bm25_does_not_depend_on_the_order_of_terms(counts: list[int], length: int, data: st.DataObject) -> None:
    frequencies = data.draw(st.lists(st.integers(1, 20), min_size=len(counts), max_size=len(counts)))
    order = data.draw(st.permutations(range(len(counts))))

    turned = bm25([counts[i] for i in order], length, [frequencies[i] for i in order], 30, 9.0)

    assert turned == pytest.approx(bm25(counts, length, frequencies, 30, 9.0))


@given(_COUNTS, st.integers(0, 200), st.data())
def test_alternatives_never_add_more_than_their_terms_would_as_words(
    counts: list[int], length: int, data: st.DataObject
) -> None:
    frequencies = data.draw(st.lists(st.integers(1, 20), min_size=len(counts), max_size=len(counts)))
    apart = bm25(counts, length, frequencies, 30, 9.0)

    together = bm25(counts, length, frequencies, 30, 9.0, [list(range(len(counts)))])

    assert apart / len(counts) - 1e-9 <= together <= apart + 1e-9


def _ordered(keyed: list[tuple[float, str]]) -> list[str]:
    keys = [key for _, key in keyed]
    return [keys[place] for place in ranking.by_score(np.array([score for score, _ in keyed]), keys)]
