"""Laws of the scores: bounded, monotone, free of order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain import ranking

_SCORES = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.floats(0, 100), max_size=12)
_ARMS = st.fixed_dictionaries({"keyword": _SCORES, "vector": _SCORES})
_COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=5)


@given(_SCORES, st.none() | st.just(0.0), st.integers(1, 15))
def test_min_max_stays_within_zero_and_one_and_keeps_the_order(
    scores: dict[str, float], floor: float | None, pool: int
) -> None:
    rescaled = ranking.min_max(scores, floor=floor, pool=pool)

    assert rescaled.keys() == scores.keys()
    assert all(0.0 <= value <= 1.0 for value in rescaled.values())
    for one in scores:
        for other in scores:
            if scores[one] <= scores[other]:
                assert rescaled[one] <= rescaled[other]


@given(_SCORES, st.floats(0.1, 10), st.floats(-5, 5))
def test_min_max_sees_neither_scale_nor_level(scores: dict[str, float], scale: float, level: float) -> None:
    spread = {key: round(value) for key, value in scores.items()}
    moved = {key: value * scale + level for key, value in spread.items()}

    assert ranking.min_max(moved) == pytest.approx(ranking.min_max(spread), abs=1e-6)


@given(_ARMS)
def test_a_fused_score_stays_within_zero_and_one(arms: dict[str, dict[str, float]]) -> None:
    fused = ranking.fuse(arms)

    assert fused.keys() == arms["keyword"].keys() | arms["vector"].keys()
    assert all(0.0 <= each.total <= 1.0 + 1e-12 for each in fused.values())


@given(_ARMS, st.randoms(use_true_random=False))
def test_fusion_does_not_depend_on_the_order_of_arms_and_candidates(
    arms: dict[str, dict[str, float]], chance: random.Random
) -> None:
    turned = {arm: _shuffled(arms[arm], chance) for arm in reversed(arms)}

    assert ranking.fuse(turned) == ranking.fuse(arms)
    assert ranking.by_score(ranking.fuse(turned)) == ranking.by_score(ranking.fuse(arms))


@given(_ARMS, st.data())
def test_a_candidate_that_an_arm_likes_better_does_not_fall(
    arms: dict[str, dict[str, float]], data: st.DataObject
) -> None:
    if not arms["vector"]:
        return
    key = data.draw(st.sampled_from(sorted(arms["vector"])))
    better = {**arms, "vector": {**arms["vector"], key: arms["vector"][key] + data.draw(st.floats(0, 50))}}

    assert _place(better, key) <= _place(arms, key)


@given(_COUNTS, st.integers(0, 200), st.integers(0, 30), st.floats(0.5, 50), st.data())
def test_bm25_grows_with_counts_and_falls_with_length_and_frequency(
    counts: list[int], length: int, spare: int, mean: float, data: st.DataObject
) -> None:
    frequencies = data.draw(st.lists(st.integers(1, 20), min_size=len(counts), max_size=len(counts)))
    term = data.draw(st.integers(0, len(counts) - 1))
    entries = max(frequencies) + spare
    score = ranking.bm25(counts, length, frequencies, entries, mean)

    more = [count + (number == term) for number, count in enumerate(counts)]
    rarer = [frequency - (number == term and frequency > 1) for number, frequency in enumerate(frequencies)]

    assert 0.0 <= score <= sum(ranking.idf(frequencies, entries)) * (ranking.K1 + 1)
    assert ranking.bm25(more, length, frequencies, entries, mean) >= score
    assert ranking.bm25(counts, length + 1, frequencies, entries, mean) <= score
    assert ranking.bm25(counts, length, rarer, entries, mean) >= score


@given(_COUNTS, st.integers(0, 200), st.data())
def test_bm25_does_not_depend_on_the_order_of_terms(counts: list[int], length: int, data: st.DataObject) -> None:
    frequencies = data.draw(st.lists(st.integers(1, 20), min_size=len(counts), max_size=len(counts)))
    order = data.draw(st.permutations(range(len(counts))))

    turned = ranking.bm25([counts[i] for i in order], length, [frequencies[i] for i in order], 30, 9.0)

    assert turned == pytest.approx(ranking.bm25(counts, length, frequencies, 30, 9.0))


@given(_COUNTS, st.integers(0, 200), st.data())
def test_alternatives_never_add_more_than_their_terms_would_as_words(
    counts: list[int], length: int, data: st.DataObject
) -> None:
    frequencies = data.draw(st.lists(st.integers(1, 20), min_size=len(counts), max_size=len(counts)))
    apart = ranking.bm25(counts, length, frequencies, 30, 9.0)

    together = ranking.bm25(counts, length, frequencies, 30, 9.0, [list(range(len(counts)))])

    assert apart / len(counts) - 1e-9 <= together <= apart + 1e-9


def _shuffled(scores: dict[str, float], chance: random.Random) -> dict[str, float]:
    items = list(scores.items())
    chance.shuffle(items)
    return dict(items)


def _place(arms: dict[str, dict[str, float]], key: str) -> int:
    return ranking.by_score(ranking.fuse(arms)).index(key)
