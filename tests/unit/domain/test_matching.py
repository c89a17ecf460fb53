"""What texts have of a query, by hand."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain import matching
from palimpsest.domain.matching import Passages


def test_occurrences_by_hand() -> None:
    asked, held, counts = (np.array(numbers, np.int64) for numbers in ([9, -1, 4], [4, 9, 7, 9], [2, 1, 6, 5]))

    assert matching.occurrences(asked, held, counts, [2, 0, 2]).tolist() == [[1, 0, 2], [0, 0, 0], [5, 0, 0]]
    assert matching.occurrences(asked, held[:0], counts[:0], [0, 0]).tolist() == [[0, 0, 0]] * 2


def test_cosines_by_hand() -> None:
    query, two_passages = np.array([2.0, 0.0], np.float32), np.array([[0.0, 5.0], [3.0, 4.0]], "<f2").tobytes()

    passages = Passages.of([two_passages, None, b"", np.array([-1.0, 0.0], "<f2").tobytes()], 2)

    assert passages.cosines(query).tolist() == pytest.approx([0.6, nan, nan, -1.0], nan_ok=True)
    assert np.isnan(passages.cosines(None)).all()
    assert np.isnan(Passages.of([None, b""], 2).cosines(query)).all()
    assert not len(Passages.of([], 2).cosines(query))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_a_cosine_is_the_same_to_the_bit_whatever_stands_beside_it(passages: list[int]) -> None:
    random = np.random.default_rng(len(passages))
    query = random.standard_normal(384).astype(np.float32)
    packed = [random.standard_normal((number, 384)).astype("<f2").tobytes() for number in passages]

    found = Passages.of(packed, 384).cosines(query)

    alone = [Passages.of([each], 384).cosines(query)[0] for each in packed]
    assert np.array_equal(found, alone, equal_nan=True)
