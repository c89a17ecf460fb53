"""Vectors as one bit a number, to find what is very near among many: a scan of 100,000 takes 2 ms in place of 14.

A bit tells on which side of the middle of the space's vectors a number lies. Two vectors differ in as many bits as
the angle between them, seen from that middle, is a part of 180 degrees: what is near differs in few, the rest in about
half. That chooses; similarities are computed from whole vectors. Of the 322 pairs of `tests/corpora/judge` with a
cosine of .9 or more, among 4,068 texts with LoCoMo's and PoQuAD's (multilingual E5 small, 2026-11-30), one is always
among the three that differ in the fewest bits from the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from palimpsest.adapters.embedded.growing import Growing
from palimpsest.domain.matching import Integers

_WORTH_IT = 4_096
"""With fewer vectors a scan of whole ones takes less than a millisecond."""

_GROWTH = 2
"""The middle is taken anew, and every sketch with it, when there are so many times the vectors that it was taken of."""

_MIDDLE_OF = 8_192
"""Vectors that the middle is taken of, spread over all."""

Bits = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sketched:
    """The sketches of a snapshot. `columns`: for each 64 bits of a sketch those of every vector."""

    middle: Numbers
    columns: tuple[Bits, ...]

    def likely(self, query: Numbers, wanted: npt.NDArray[np.bool_], limit: int) -> Integers:
        """Rows of so many vectors, among those that are wanted, that differ least from the query; rising.

        A few more, where several differ as much as the last one.
        """
        sketch = _sketches(query[None, :] - self.middle)[0]
        distances = np.zeros(len(wanted), np.uint16)
        for column, bits in zip(self.columns, sketch, strict=True):
            distances += np.bitwise_count(column ^ bits)
        if len(distances) <= limit:
            return np.flatnonzero(wanted)
        out_of_reach = 64 * len(self.columns) + 1
        distances[~wanted] = out_of_reach
        counted = np.cumsum(np.bincount(distances, minlength=out_of_reach))
        edge = min(int(np.searchsorted(counted, limit)), out_of_reach - 1)
        return np.flatnonzero(distances <= edge)


class Sketches:
    """The sketches of one space, made once there are enough vectors for them to pay."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._columns: list[Growing[np.uint64]] = []
        self._middle: Numbers = np.zeros(dimensions, np.float32)
        self._taken_of = 0

    @property
    def nbytes(self) -> int:
        """Memory that they take."""
        return sum(column.nbytes for column in self._columns)

    def sketched(self, codes: npt.NDArray[np.int8], scales: Numbers) -> Sketched | None:
        """Those of all vectors so far, given by codes and scales; None while they are few."""
        count = len(codes)
        if count < _WORTH_IT:
            return None
        if count >= _GROWTH * self._taken_of:
            self._begin(codes, scales)
        known = len(self._columns[0].view())
        for at in range(known, count, _MIDDLE_OF):
            new = codes[at : at + _MIDDLE_OF] * scales[at : at + _MIDDLE_OF, None]
            for column, bits in zip(self._columns, _sketches(new - self._middle).T, strict=True):
                column.add(bits)
        return Sketched(self._middle, tuple(column.view() for column in self._columns))

    def _begin(self, codes: npt.NDArray[np.int8], scales: Numbers) -> None:
        """Take the middle, and begin new columns: snapshots go on with the old ones."""
        step = -(-len(codes) // _MIDDLE_OF)
        self._middle = (codes[::step] * scales[::step, None]).mean(axis=0, dtype=np.float32)
        words = -(-self._dimensions // 64)
        self._columns = [Growing(np.uint64, room=len(codes)) for _ in range(words)]
        self._taken_of = len(codes)


def _sketches(vectors: Numbers) -> Bits:
    """Shape (vectors, words)."""
    packed = np.packbits(vectors > 0, axis=1)
    words = -(-packed.shape[1] // 8)
    padded = np.zeros((len(packed), 8 * words), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)
