"""What several arms propose of one entry is one candidate that has all that any of them knows."""

from __future__ import annotations

import numpy as np

from palimpsest.domain.instants import UNDATED
from palimpsest.domain.talk import ALONE, Place, Said
from palimpsest.ports.search_index import Candidate, Candidates, Kind, together

VECTOR = np.array([[1.0, 0.0]], np.float32)
SAID = Said(Place(7, 3), "anna")


def _one(count: int, length: int, *, has_vector: bool, said: Said = ALONE, dated: int = UNDATED) -> Candidates:
    vectors = VECTOR if has_vector else None
    return Candidates.of([Candidate("mem_a#1", Kind.MEMORY, (count,), length, vectors, said, dated)], 1, 2)


def test_words_of_one_arm_and_vectors_of_another_are_put_together() -> None:
    words = _one(2, 9, has_vector=False, said=SAID, dated=5)
    vectors = _one(0, 0, has_vector=True)

    for given in ([words, vectors], [vectors, words]):
        found = together(given)
        assert list(found.keys) == ["mem_a#1"]
        assert (found.counts.tolist(), found.lengths.tolist(), found.dated.tolist()) == ([[2]], [9], [5])
        assert found.passages.sizes.tolist() == [1]
        assert (found.sayings.talks.tolist(), list(found.sayings.speakers)) == ([7], ["anna"])


def test_the_first_that_knows_a_thing_says_it() -> None:
    found = together([_one(2, 9, has_vector=True), _one(5, 3, has_vector=True)])

    assert (found.counts.tolist(), found.lengths.tolist()) == ([[2]], [9])
