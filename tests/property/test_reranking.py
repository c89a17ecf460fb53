"""A second look is mixed in, bounded, and passes nothing from below."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.reranking import by_rank, capped, mixed

SHARES = st.floats(0, 1)
PAIRS = st.lists(st.tuples(SHARES, SHARES), max_size=20)


def test_the_mean_of_both_by_hand() -> None:
    assert mixed([0.8, 0.4], [0.2, 1.0]) == [0.5, 0.7]
    assert by_rank([1, 0, 2, 3]) == [0.75, 1.0, 0.5, 0.25]
    assert (capped(0.6, 0.5), capped(0.4, 0.5)) == (0.5, 0.4)


@given(PAIRS)
def test_a_mix_lies_between_both(pairs: list[tuple[float, float]]) -> None:
    scores, seen = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    assert all(min(pair) <= each <= max(pair) for pair, each in zip(pairs, mixed(scores, seen), strict=True))


@given(st.permutations(range(12)))
def test_a_better_place_has_a_higher_score(places: list[int]) -> None:
    scores = by_rank(places)

    assert sorted(range(12), key=lambda number: -scores[number]) == sorted(range(12), key=lambda number: places[number])
    assert all(0 < score <= 1 for score in scores)


def test_a_look_at_other_texts_is_no_look() -> None:
    with pytest.raises(ValueError, match="zip"):
        mixed([0.5], [])
