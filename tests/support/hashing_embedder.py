"""An embedder without a model, for tests: texts that share words or parts of words have similar vectors."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from palimpsest.adapters.models.passages import passages, pooled
from palimpsest.ports.embedder import Model, Vector

_WINDOW_CHARACTERS = 1_500
_GRAM = 4
_WORD_WEIGHT = 2.0


class HashingEmbedder:
    """Sums a seeded random vector for each word and for each four letters within one; the same in every process."""

    def __init__(self, seed: int = 0, dimensions: int = 384, window: int = _WINDOW_CHARACTERS) -> None:
        self._seed = seed
        self._dimensions = dimensions
        self._window = window

    @property
    def model(self) -> Model:
        return Model("hashing", f"seed-{self._seed}", self._dimensions)

    @property
    def window(self) -> int:
        return self._window

    def tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def query(self, text: str) -> Vector:
        features = [("", 0.01), *_features(text)]  # the first one so that an empty text has a direction
        directions = np.stack([_direction(feature, self._seed, self._dimensions) for feature, _ in features])
        total = np.array([weight for _, weight in features], np.float32) @ directions
        unit: Vector = (total / np.linalg.norm(total)).astype(np.float32)
        return unit

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self._passages(passages(text, len, self._window)) for text in texts]

    def _passages(self, parts: list[str]) -> Vector:
        sums = pooled(
            np.stack([self.query(part) for part in parts]),
            [max(1, len(part)) for part in parts],
            self.model.most_passages,
        )
        units: Vector = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return units


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in re.findall(r"\w+", text.replace("\0", "").encode("utf-8", "replace").decode().casefold()):
        yield word, _WORD_WEIGHT
        framed = f"<{word}>"
        for at in range(len(framed) - _GRAM + 1):
            yield framed[at : at + _GRAM], 1.0


@lru_cache(maxsize=20_000)
def _direction(feature: str, seed: int, dimensions: int) -> Vector:
    """Plus and minus ones."""
    digest = hashlib.shake_128(f"{seed} {feature}".encode()).digest(-(-dimensions // 8))
    bits = np.unpackbits(np.frombuffer(digest, np.uint8))[:dimensions]
    return bits.astype(np.float32) * 2 - 1
