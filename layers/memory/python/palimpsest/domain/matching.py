"""How texts match a query: which of its terms they have, and how near their passages are to its vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Flags: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.integer[Any]]
Vectors: TypeAlias = npt.NDArray[np.float32]

F = TypeVar("F", bound=np.floating[Any])

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


@dataclass(frozen=True, slots=True, eq=False)
class Passages:
    """The vectors of some texts' passages, ready to be compared.

    Attributes:
        vectors: Of all passages, text after text, shape (passages, dimensions).
        sizes: How many each text has, 0 while it is not embedded; shape (texts,).
    """

    vectors: Vectors
    sizes: Integers

    @classmethod
    def of(cls, packed: Sequence[bytes | None], dimensions: int) -> Self:
        """From each text's vectors, end to end as float16; empty or None while there are none."""
        sizes = np.array([len(blob) if blob else 0 for blob in packed], np.int64) // (2 * dimensions)
        vectors = np.frombuffer(b"".join(filter(None, packed)), "<f2").reshape(-1, dimensions)
        return cls(vectors.astype(np.float32), sizes)

    @classmethod
    def given(cls, of_each: Sequence[Vectors | None], dimensions: int) -> Self:
        """From each text's vectors, shape (n, dimensions) each; None while there are none."""
        none = np.empty((0, dimensions), np.float32)
        held = [none if each is None else each for each in of_each]
        return cls(np.concatenate([none, *held]), np.array([len(each) for each in held], np.int64))

    @classmethod
    def none(cls, texts: int) -> Self:
        """Of texts that nothing can be compared with."""
        return cls(np.empty((0, 0), np.float32), np.zeros(texts, np.int64))

    @property
    def owners(self) -> Integers:
        """Of each passage its text, shape (passages,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def take(self, rows: Integers) -> Passages:
        """Those texts, in that order."""
        sizes = self.sizes[rows]
        starts = (np.cumsum(self.sizes) - self.sizes)[rows]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return Passages(self.vectors[np.repeat(starts, sizes) + within], sizes)

    def best(self, scores: Floats | Vectors) -> Floats:
        """For each text the highest of its passages' scores, shape (texts,); NaN where it has none."""
        found = np.full(len(self.sizes), np.nan)
        having = np.flatnonzero(self.sizes)
        if len(having):
            starts = (np.cumsum(self.sizes) - self.sizes)[having]
            found[having] = np.maximum.reduceat(scores, starts)
        return found

    def means(self, values: npt.NDArray[F]) -> npt.NDArray[F]:
        """For each text the mean of its passages' values, shape (texts, …); 0 where it has none."""
        sums = np.zeros((len(self.sizes), *values.shape[1:]), values.dtype)
        if self.sizes.max(initial=0) <= 1:
            sums[self.sizes > 0] = values
            return sums
        np.add.at(sums, self.owners, values)
        sums /= np.maximum(self.sizes, 1).astype(values.dtype)[:, None]
        return sums

    def cosines(self, query: Vectors | None) -> Floats:
        """The cosine of each text's best passage with the query, shape (texts,); NaN without either."""
        if query is None or not len(self.vectors):
            return np.full(len(self.sizes), np.nan)
        # Sums along a row, not a matrix product: the result must not depend on which other rows stand beside it.
        norms = np.sqrt((self.vectors * self.vectors).sum(axis=1)) * np.linalg.norm(query)
        return np.clip(self.best((self.vectors * query).sum(axis=1) / np.maximum(norms, _TINY)), -1.0, 1.0)


def joined(passages: Sequence[Passages]) -> Passages:
    """Those of all texts, one after the other."""
    held = [each.vectors for each in passages if len(each.vectors)]
    vectors = np.concatenate(held) if held else np.empty((0, 0), np.float32)
    return Passages(vectors, np.concatenate([np.empty(0, np.int64), *(each.sizes for each in passages)]))
