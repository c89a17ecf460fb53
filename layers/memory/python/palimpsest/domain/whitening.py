"""Vectors seen from the middle of their own space, along axes on which they differ equally.

The vectors of a contrastive model lie in a narrow cone (multilingual E5: cosines from .70 to .95), so that a cosine
says mostly that two texts are texts. Centred and whitened by the space's own mean and covariance it says what sets them
apart (whitening of sentence vectors: Su et al. 2021; shrinkage of the covariance: Ledoit and Wolf 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from palimpsest.domain.matching import Floats, Vectors

AXES: Final = 192
"""Of 128 to 256 all rank alike (LoCoMo, docs/benchmarks/recall.md)."""

SHRINKAGE: Final = 0.9
"""How much of the covariance is taken for equal in all directions, since few vectors know little of most of them. From
.8 to .95 all rank alike."""

SAMPLE: Final = 512
"""Vectors that are enough: 50 rank as well as all."""

_DOUBT: Final = 4
"""Vectors whose own spread tells as much as nothing."""

FEWEST: Final = 3
"""Fewer say nothing of how they differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """What the vectors of a space have in common.

    Attributes:
        mean: Shape (dimensions,).
        axes: Directions of large variance, each divided by its standard deviation; shape (dimensions, axes).
        count: Of how many vectors that is known.
    """

    mean: Vectors
    axes: Vectors
    count: int

    @classmethod
    def learn(cls, vectors: Vectors) -> Self | None:
        """From unit vectors of the space, shape (n, dimensions); None when they are too few, or all the same."""
        if len(vectors) < FEWEST:
            return None
        given = vectors.astype(np.float64)
        mean = given.mean(axis=0)
        centred = given - mean
        spread = float((centred * centred).sum()) / centred.size
        if spread <= _TINY:
            return None
        variances, directions = _principal(centred)
        kept = variances > _TINY
        shrunk = (1 - SHRINKAGE) * variances[kept] + SHRINKAGE * spread
        axes = directions[:, kept] / np.sqrt(shrunk)
        return cls(mean.astype(np.float32), axes.astype(np.float32), len(vectors))

    @property
    def weight(self) -> float:
        """How far a cosine of what is seen tells something, 0 to 1: three vectors lie at right angles or worse."""
        return self.count / (self.count + _DOUBT)

    def seen(self, vectors: Vectors) -> Vectors:
        """Vectors as they are seen, shape (n, axes)."""
        return ((vectors - self.mean) @ self.axes).astype(np.float32, copy=False)

    def direction(self, query: Vectors) -> Vectors:
        """The direction of unit length in which plain vectors lie that are seen where `query` is, shape (dimensions,).

        The product of two whitened vectors is linear in one of them, so that an index of plain vectors can be searched.
        """
        along = self.axes @ self.seen(query[None, :])[0]
        direction: Vectors = along / max(float(np.linalg.norm(along)), _TINY)
        return direction


def _principal(centred: Floats) -> tuple[Floats, Floats]:
    """The largest variances, and their directions as columns; with few vectors by their products, which is faster."""
    count, dimensions = centred.shape
    if count < dimensions:
        squares, weights = np.linalg.eigh(centred @ centred.T)
        squares, weights = squares[-AXES:], weights[:, -AXES:]
        directions = centred.T @ weights / np.sqrt(np.maximum(squares, _TINY))
        return squares / count, directions
    variances, directions = np.linalg.eigh(centred.T @ centred / count)
    return variances[-AXES:], directions[:, -AXES:]


_TINY: Final = 1e-10
