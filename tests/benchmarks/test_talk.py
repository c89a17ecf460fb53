from __future__ import annotations

import numpy as np

from harness.clusters import ClusteredVectors
from harness.talk import Talk
from palimpsest.ports.embedder import Model


def test_no_turn_and_no_question_comes_twice() -> None:
    talk = Talk(1)

    said = [*talk.turns(500), *talk.questions(500)]

    assert len(set(said)) == 1_000


def test_the_same_seed_gives_the_same_talk_and_another_one_another() -> None:
    assert list(Talk(1).turns(20)) == list(Talk(1).turns(20))
    assert set(Talk(1).turns(20)).isdisjoint(Talk(2).turns(20))


def test_synthetic_vectors_are_unit_vectors_in_a_narrow_band() -> None:
    vectors = np.concatenate(ClusteredVectors(Model("made-up", "1", 384), seed=1).passages([""] * 200))
    cosines = (vectors @ vectors.T)[np.triu_indices(200, 1)]

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert 0.70 < np.percentile(cosines, 1) < np.percentile(cosines, 99) < 0.95
