"""What stands beside a text in its talk: a saying is understood with what was said before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from palimpsest.domain.matching import Floats, Integers
from palimpsest.domain.talk import REACH, Sayings

F = TypeVar("F", bound=np.floating[Any])

_TURNS: Final = 1 << 40
"""More than a talk has."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Texts and what stands at one offset of them.

    Attributes:
        shares: Of those that stand at one place together.
        is_single: None do.
    """

    texts: Integers
    others: Integers
    shares: Floats
    is_single: bool


@dataclass(frozen=True, slots=True)
class Windows:
    """Which of some texts stand beside which, by offset: -1 is what was said just before."""

    pairs: Mapping[int, _Pairs]

    @classmethod
    def of(cls, sayings: Sayings) -> Windows:
        """Of texts that are given with all that stands beside them, as far as that is known."""
        placed = np.flatnonzero(sayings.talks)
        _, talks = np.unique(sayings.talks[placed], return_inverse=True)
        places = talks.astype(np.int64) * _TURNS + sayings.turns[placed]
        order = np.argsort(places, kind="stable")
        sorted_places, sorted_rows = places[order], placed[order]
        pairs = {}
        for offset in range(-REACH, REACH + 1):
            if offset == 0:
                continue
            first = np.searchsorted(sorted_places, places + offset, "left")
            counts = np.searchsorted(sorted_places, places + offset, "right") - first
            within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            others = sorted_rows[np.repeat(first, counts) + within]
            shares = 1.0 / np.repeat(counts, counts)
            pairs[offset] = _Pairs(np.repeat(placed, counts), others, shares, bool(counts.max(initial=0) <= 1))
        return cls(pairs)

    def sums(self, values: npt.NDArray[F], weights: Mapping[int, float]) -> npt.NDArray[F]:
        """For each text what stands beside it, weighted by offset; `values` and the result of shape (texts, …)."""
        sums = np.zeros_like(values)
        for offset, weight in weights.items():
            pairs = self.pairs[offset]
            shares = (weight * pairs.shares).reshape(-1, *[1] * (values.ndim - 1)).astype(values.dtype)
            given = shares * values[pairs.others]
            if pairs.is_single:
                sums[pairs.texts] += given
            else:
                np.add.at(sums, pairs.texts, given)
        return sums
