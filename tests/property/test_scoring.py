"""Laws of the score of candidates: free of order, blind to what stands elsewhere, bounded on its scale."""

from __future__ import annotations

import random
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain import scoring
from palimpsest.domain.evidence import Asked, Texts
from palimpsest.domain.matching import Passages
from palimpsest.domain.talk import AROUND, REACH, Cue, Place, Said, Sayings
from palimpsest.domain.whitening import Whitening

DIMENSIONS = 6
_Told: TypeAlias = tuple[list[int], int, int, Said]
"""Counts, length, how many vectors, and how it is said."""
_SAID = st.builds(
    Said,
    st.none() | st.builds(Place, st.integers(1, 2), st.integers(0, 9)),
    st.sampled_from(["", "anna", "jan"]),
    st.sampled_from(list(Cue)),
)
_TEXT = st.tuples(st.lists(st.integers(0, 4), min_size=2, max_size=2), st.integers(1, 30), st.integers(0, 2), _SAID)
_TEXTS = st.lists(_TEXT, min_size=3, max_size=10)
_RANDOM = np.random.default_rng(3)
_HELD = _RANDOM.standard_normal((64, DIMENSIONS)).astype(np.float32)
_HELD /= np.linalg.norm(_HELD, axis=1, keepdims=True)
WHITENING = Whitening.learn(_HELD)
ASKED = Asked([[0], [1]], [3, 9], 40, 12.0, _HELD[0], frozenset({"anna"}), asks_when=True)


def _texts(told: list[_Told], order: list[int]) -> Texts:
    given = [told[place] for place in order]
    vectors = [_HELD[place * 2 : place * 2 + told[place][2]] for place in order]
    return Texts(
        np.array([counts for counts, *_ in given]),
        np.array([length for _, length, *_ in given]),
        Passages.given(vectors, DIMENSIONS),
        Sayings.of([said for *_, said in given]),
        np.zeros(len(order)),
        np.zeros(len(order)),
        np.ones(len(order), np.bool_),
    )


@given(_TEXTS, st.randoms(use_true_random=False))
def test_a_score_does_not_depend_on_the_order_of_candidates(told: list[_Told], chance: random.Random) -> None:
    order = list(range(len(told)))
    turned = chance.sample(order, len(order))

    plain = scoring.score(_texts(told, order), ASKED, WHITENING).total
    other = scoring.score(_texts(told, turned), ASKED, WHITENING).total

    assert other.tolist() == pytest.approx(plain[turned].tolist(), abs=1e-5)


@given(_TEXTS)
def test_the_parts_add_up_and_the_scale_keeps_their_order(told: list[_Told]) -> None:
    scores = scoring.score(_texts(told, list(range(len(told)))), ASKED, WHITENING)

    assert np.sum(list(scores.parts.values()), axis=0) == pytest.approx(scores.total)
    share = scoring.share(scores.total)
    assert ((share > 0.0) & (share < 1.0)).all()
    assert (np.argsort(share, kind="stable") == np.argsort(scores.total, kind="stable")).all()


@given(_TEXTS, st.integers(REACH + 1, 50))
def test_what_stands_further_off_than_the_reach_adds_neither_words_nor_meaning(told: list[_Told], away: int) -> None:
    lone = ([0, 0], 5, 1, Said(Place(9, 0)))
    far = ([4, 4], 5, 1, Said(Place(9, away)))
    order = list(range(len(told) + 1))

    without = scoring.score(_texts([*told, lone], order), ASKED, WHITENING).parts
    beside = scoring.score(_texts([*told, lone, far], [*order, len(order)]), ASKED, WHITENING).parts

    assert beside["keyword"][len(told)] == without["keyword"][len(told)] == 0.0
    assert beside["vector"][len(told)] == pytest.approx(without["vector"][len(told)], abs=1e-6)
    assert AROUND >= 2 * REACH


@given(_TEXTS, st.data())
def test_more_of_what_is_asked_for_never_scores_less_by_words(told: list[_Told], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(told) - 1))
    counts, length, vectors, said = told[place]
    more = [*told[:place], ([counts[0] + 1, counts[1]], length, vectors, said), *told[place + 1 :]]
    order = list(range(len(told)))

    before = scoring.score(_texts(told, order), ASKED, WHITENING).parts["keyword"][place]
    after = scoring.score(_texts(more, order), ASKED, WHITENING).parts["keyword"][place]

    assert after >= before
