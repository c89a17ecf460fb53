"""Texts to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Model:
    """Which model made a vector; two vectors can be compared only when all three are equal."""

    name: str
    revision: str
    dimensions: int


class Embedder(Protocol):
    """Every method may raise `domain.errors.EmbedderUnavailable`. Any number of threads may call it at once."""

    @property
    def model(self) -> Model:
        """The model behind it; costs nothing."""
        ...

    def query(self, text: str) -> Vector:
        """The unit vector of a search query, shape (dimensions,)."""
        ...

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """For each text, the unit vectors of its passages, shape (n, dimensions) with n >= 1.

        A text within the model's window has one; a longer one is cut at sentences into several, in order.
        """
        ...
