"""Among many vectors what is very near is found by a bit a number, as well as by whole ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from palimpsest.adapters.embedded.sketches import Sketches
from palimpsest.adapters.embedded.snapshot import quantised

DIMENSIONS = 384
Numbers = npt.NDArray[np.float32]


def unit(vectors: npt.NDArray[np.floating]) -> Numbers:
    units: Numbers = (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)
    return units


def vectors_like_a_models(count: int, seed: int = 1) -> Numbers:
    """Far from the middle of all directions, as those of E5: two of them have a cosine of about .77."""
    random = np.random.default_rng(seed)
    common = unit(random.standard_normal(DIMENSIONS))
    return unit(common * 1.83 + unit(random.standard_normal((count, DIMENSIONS))))


def near(vectors: Numbers, cosine: float, seed: int = 2) -> Numbers:
    aside = unit(np.random.default_rng(seed).standard_normal(vectors.shape))
    aside = unit(aside - (aside * vectors).sum(axis=1, keepdims=True) * vectors)
    return unit(vectors * cosine + aside * np.sqrt(1 - cosine**2))


def test_what_is_near_is_always_among_the_likely() -> None:
    vectors = vectors_like_a_models(20_000)
    sketched = Sketches().sketched(*quantised(vectors))
    assert sketched is not None
    everything = np.ones(len(vectors), np.bool_)

    places = range(0, len(vectors), 200)
    found = [sketched.likely(query, everything, 200) for query in near(vectors[::200], 0.9)]

    assert [place for place, rows in zip(places, found, strict=True) if place not in rows] == []


def test_most_of_what_reaches_furthest_in_a_direction_is_among_the_likely() -> None:
    random = np.random.default_rng(3)
    themes = unit(random.standard_normal((40, DIMENSIONS)))
    mixed = random.standard_normal((10_000, 40)) ** 3 @ themes  # few themes weigh in a text
    vectors = unit(2.0 * unit(random.standard_normal(DIMENSIONS)) + unit(mixed))
    sketched = Sketches().sketched(*quantised(vectors))
    assert sketched is not None
    everything = np.ones(len(vectors), np.bool_)

    kept = []
    for direction in unit(random.standard_normal((20, 40)) @ themes):
        nearest = np.argsort(-(vectors @ direction))[:100]
        kept.append(np.isin(nearest, sketched.likely(direction, everything, 1_000)).mean())

    assert np.mean(kept) > 0.7  # by the side of each axis alone it was .29


def test_only_what_is_wanted_is_likely_and_rows_rise() -> None:
    vectors = vectors_like_a_models(5_000)
    sketched = Sketches().sketched(*quantised(vectors))
    assert sketched is not None
    wanted = np.zeros(len(vectors), np.bool_)
    wanted[[5, 3_000, 7]] = True

    assert sketched.likely(vectors[9], wanted, 1_000).tolist() == [5, 7, 3_000]
    assert sketched.likely(vectors[9], wanted, 9_000).tolist() == [5, 7, 3_000]


def test_few_vectors_need_no_sketches() -> None:
    sketches = Sketches()

    assert sketches.sketched(*quantised(vectors_like_a_models(4_000))) is None
    assert sketches.nbytes == 0


@pytest.mark.parametrize("steps", [(4_096, 4_097, 8_000), (5_000, 9_000, 30_000)])
def test_what_is_added_later_is_found_and_older_snapshots_stay_as_they_were(steps: tuple[int, ...]) -> None:
    vectors = vectors_like_a_models(30_000)
    codes, scales = quantised(vectors)
    sketches = Sketches()

    seen = [sketches.sketched(codes[:count], scales[:count]) for count in steps]

    for count, sketched in zip(steps, seen, strict=True):
        assert sketched is not None
        wanted = np.ones(count, np.bool_)
        assert [len(column) for column in sketched.columns] == [count] * 3
        assert count - 1 in sketched.likely(vectors[count - 1], wanted, 10)
