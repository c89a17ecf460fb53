"""Texts to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float32]

_NUMBERS = 122_880
"""Of one text's vectors together: 240 KiB as float16, so that they fit an item of the table with room to spare."""


@dataclass(frozen=True, slots=True)
class Model:
    """Which model made a vector; two vectors can be compared only when all three are equal."""

    name: str
    revision: str
    dimensions: int

    @property
    def most_passages(self) -> int:
        """How many vectors one text may have: 320 of 384 dimensions."""
        return max(1, _NUMBERS // self.dimensions)


class Embedder(Protocol):
    """Every method may raise `domain.errors.EmbedderUnavailable`. Any number of threads may call it at once."""

    @property
    def model(self) -> Model:
        """The model behind it; costs nothing."""
        ...

    @property
    def window(self) -> int:
        """How many tokens of one text the model reads at once, at least 1; costs nothing."""
        ...

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """What each text takes of the window: counted, or estimated on the safe side where the model is elsewhere.

        A paragraph that fits the window is one passage. Words with white space between them take at most what all of
        these take alone, so what was measured in parts can be put together without being measured again.
        """
        ...

    def query(self, text: str) -> Vector:
        """The unit vector of a search query, shape (dimensions,)."""
        ...

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """For each text, the unit vectors of its passages, shape (n, dimensions) with n >= 1.

        A text within the model's window has one; a longer one is cut at sentences into several, in order. A text that
        would have more than `Model.most_passages` has fewer and larger ones; nothing of it is left out.
        """
        ...
