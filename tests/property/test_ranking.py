"""Laws of the scores: bounded, monotone, free of order."""

from __future__ import annotations

import random
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain import ranking
from palimpsest.domain.matching import Floats
from tests.support.one_text import bm25

_SCORE = st.floats(0, 100)
_SCORES = st.lists(_SCORE | st.just(nan), max_size=12)
_ARMS = st.lists(st.tuples(_SCORE | st.just(nan), _SCORE | st.just(nan)), min_size=1, max_size=12)
"""What the keyword and the vector arm give to each candidate."""
_COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=5)


@given(_SCORES, st.none() | st.just(0.0), st.integers(1, 15))
def test_min_max_stays_within_zero_and_one_and_keeps_the_order(
    scores: list[float], floor: float | None, pool: int
) -> None:
    rescaled = ranking.min_max(np.array(scores, np.float64), floor=floor, pool=pool).tolist()

    assert len(rescaled) == len(scores)
    assert all(0.0 <= value <= 1.0 for value in rescaled)
    given = sorted((score, value) for score, value in zip(scores, rescaled, strict=True) if not isnan(score))
    assert [value for _, value in given] == sorted(value for _, value in given)
    assert all(value == 0.0 for score, value in zip(scores, rescaled, strict=True) if isnan(score))


@given(_SCORES, st.floats(0.1, 10), st.floats(-5, 5))
def test_min_max_sees_neither_scale_nor_level(scores: list[float], scale: float, level: float) -> None:
    spread: Floats = np.array([round(score) if score == score else nan for score in scores], np.float64)

    assert ranking.min_max(spread * scale + level) == pytest.approx(ranking.min_max(spread), abs=1e-6)


@given(_ARMS)
def test_a_fused_score_stays_within_zero_and_one(pairs: list[tuple[float, float]]) -> None:
    fused = ranking.fuse(_arms(pairs))

    assert len(fused.total) == len(pairs)
    assert all(0.0 <= total <= 1.0 + 1e-12 for total in fused.total.tolist())


@given(_ARMS, st.randoms(use_true_random=False))
def test_fusion_does_not_depend_on_the_order_of_arms_and_candidates(
    pairs: list[tuple[float, float]], chance: random.Random
) -> None:
    named = list(enumerate(pairs))
    chance.shuffle(named)
    turned = dict(reversed(_arms([pair for _, pair in named]).items()))

    totals = dict(zip([name for name, _ in named], ranking.fuse(turned).total.tolist(), strict=True))
    assert totals == dict(enumerate(ranking.fuse(_arms(pairs)).total.tolist()))


@given(_SCORES, st.randoms(use_true_random=False))
def test_the_order_of_the_best_depends_on_scores_and_keys_alone(scores: list[float], chance: random.Random) -> None:
    keyed = [(0.0 if isnan(score) else score, f"key {number}") for number, score in enumerate(scores)]
    turned = chance.sample(keyed, len(keyed))

    assert _ordered(turned) == _ordered(keyed)


@given(_ARMS, st.data())
def test_a_candidate_that_an_arm_likes_better_does_not_fall(
    pairs: list[tuple[float, float]], data: st.DataObject
) -> None:
    liked = [place for place, (_, score) in enumerate(pairs) if not isnan(score)]
    if not liked:
        return
    place = data.draw(st.sampled_from(liked))
    better = [*pairs]
    better[place] = (pairs[place][0], pairs[place][1] + data.draw(st.floats(0, 50)))

    assert _rank(better, place) <= _rank(pairs, place)


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


def _arms(pairs: list[tuple[float, float]]) -> dict[str, Floats]:
    keyword, vector = np.array(pairs, np.float64).T
    return {"keyword": keyword, "vector": vector}


def _ordered(keyed: list[tuple[float, str]]) -> list[str]:
    keys = [key for _, key in keyed]
    return [keys[place] for place in ranking.by_score(np.array([score for score, _ in keyed]), keys)]


def _rank(pairs: list[tuple[float, float]], place: int) -> int:
    keys = [f"{number:02}" for number in range(len(pairs))]
    return ranking.by_score(ranking.fuse(_arms(pairs)).total, keys).index(place)
