"""Synthetic vectors that lie as those of sentences do: a shared direction, clusters around it, noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from palimpsest.ports.embedder import Model, Vector

_WINDOW = 508
_CLUSTERS = 2_000
_SHARED, _CLUSTER, _NOISE = 1.0, 0.45, 0.35
"""Two texts have a cosine of about 0.76, of one cluster 0.91: the narrow band of E5."""


class ClusteredVectors:
    """An `Embedder` that gives each text the next made-up vector; `model` is what it passes for."""

    def __init__(self, model: Model, seed: int) -> None:
        self._model = model
        self._random = np.random.default_rng(seed)
        self._shared = _units(self._random, 1, model.dimensions)[0]
        self._centres = _units(self._random, _CLUSTERS, model.dimensions)

    @property
    def model(self) -> Model:
        return self._model

    @property
    def window(self) -> int:
        """As large as E5's."""
        return _WINDOW

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """One for each word."""
        return [len(text.split()) for text in texts]

    def query(self, text: str) -> Vector:
        """The next vector."""
        vector: Vector = self.passages([text])[0][0]
        return vector

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text."""
        centres = self._centres[self._random.integers(0, _CLUSTERS, len(texts))]
        noise = _units(self._random, len(texts), self._model.dimensions)
        vectors = _SHARED * self._shared + _CLUSTER * centres + _NOISE * noise
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.split(vectors.astype(np.float32), len(texts))


def _units(random: np.random.Generator, count: int, dimensions: int) -> Vector:
    vectors = random.standard_normal((count, dimensions), np.float32)
    units: Vector = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units
