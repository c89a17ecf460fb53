"""How texts match a query: which of its terms they have, and how near their passages are to its vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.integer[Any]]
Vectors: TypeAlias = npt.NDArray[np.float32]

_TINY: Final = 1e-12


def occurrences(asked: Numbers, held: Numbers, counts: Numbers, sizes: Sequence[int] | Integers) -> Integers:
    """How often each asked term occurs in each text, shape (texts, terms).

    Args:
        asked: The terms' numbers, at least one; those that any text holds are all different.
        held: The numbers of the terms that the texts hold, text after text.
        counts: How often each of those occurs in its text.
        sizes: How many different terms each text holds, shape (texts,).
    """
    found = np.zeros((len(sizes), len(asked)), np.int64)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    order = np.argsort(asked)
    ordered = asked[order]
    at = np.minimum(np.searchsorted(ordered, held), len(ordered) - 1)
    hits = ordered[at] == held
    found[owners[hits], order[at[hits]]] = counts[hits]
    return found


@dataclass(frozen=True, slots=True)
class Passages:
    """The vectors of some texts' passages, ready to be compared.

    Attributes:
        vectors: Of all passages, text after text, shape (passages, dimensions).
        norms: Their Euclidean lengths, shape (passages,).
        starts: For each text that has passages the place of its first.
        owners: Which of the texts those are.
        texts: How many texts there are, with passages or without.
    """

    vectors: Vectors
    norms: Vectors
    starts: Integers
    owners: Integers
    texts: int

    @classmethod
    def of(cls, packed: Sequence[bytes | None], dimensions: int) -> Self:
        """From each text's vectors, end to end as float16; empty or None while there are none."""
        sizes = np.array([len(blob) if blob else 0 for blob in packed], np.int64) // (2 * dimensions)
        vectors = np.frombuffer(b"".join(filter(None, packed)), "<f2").reshape(-1, dimensions).astype(np.float32)
        owners = np.flatnonzero(sizes)
        starts = (np.cumsum(sizes) - sizes)[owners]
        return cls(vectors, np.sqrt((vectors * vectors).sum(axis=1)), starts, owners, len(packed))

    def cosines(self, query: Vectors | None) -> Floats:
        """The cosine of each text's best passage with the query, shape (texts,); NaN without either."""
        found = np.full(self.texts, np.nan)
        if query is not None and len(self.owners):
            # Sums along a row, not a matrix product: the result must not depend on which other rows stand beside it.
            dots = (self.vectors * query).sum(axis=1)
            cosines = dots / np.maximum(self.norms * np.linalg.norm(query), _TINY)
            found[self.owners] = np.clip(np.maximum.reduceat(cosines, self.starts), -1.0, 1.0)
        return found
