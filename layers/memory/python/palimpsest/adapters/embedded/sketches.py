"""Vectors as one bit an axis, to choose among many: 192 bits a vector, of which a scan of 100,000 takes a millisecond.

A bit tells on which side of the middle of the space's vectors one lies, along an axis on which these differ as much as
on any other (`domain.whitening`). Two vectors differ in as many bits as the angle between them, so seen, is a part of
180 degrees: what is near differs in few, the rest in about half (sign random projections, Charikar 2002). That chooses;
what is chosen is compared by whole vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from palimpsest.adapters.embedded.growing import Growing
from palimpsest.domain.matching import Integers
from palimpsest.domain.whitening import Whitening

_WORTH_IT = 4_096
"""With fewer vectors a scan of whole ones takes less than a millisecond."""

_GROWTH = 2
"""The axes are taken anew, and every sketch with them, when there are so many times the vectors they were taken of."""

_TAKEN_OF = 4_096
"""Vectors that the axes are taken of, spread over all."""

_AT_ONCE = 8_192

_LOOKED_AT_ONCE = 32_768
"""Sketches of which a column and what is made of it stay in the processor's cache."""

Bits = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sketched:
    """The sketches of a snapshot. `columns`: for each 64 bits of a sketch those of every vector."""

    whitening: Whitening
    columns: tuple[Bits, ...]

    def likely(self, query: Numbers, wanted: npt.NDArray[np.bool_], limit: int) -> Integers:
        """Rows of so many vectors, among those that are wanted, that differ least from the query; rising.

        A few more, where several differ as much as the last one.
        """
        if len(wanted) <= limit:
            return np.flatnonzero(wanted)
        sketch = _sketches(self.whitening.seen(query[None, :]))[0]
        out_of_reach = 64 * len(self.columns) + 1
        distances, counted = np.empty(len(wanted), np.uint8), np.zeros(out_of_reach + 1, np.int64)
        for at in range(0, len(wanted), _LOOKED_AT_ONCE):
            part = distances[at : at + _LOOKED_AT_ONCE]
            part[:] = 0
            for column, bits in zip(self.columns, sketch, strict=True):
                part += np.bitwise_count(column[at : at + len(part)] ^ bits)
            part[~wanted[at : at + len(part)]] = out_of_reach
            counted += np.bincount(part, minlength=len(counted))
        edge = min(int(np.searchsorted(np.cumsum(counted), limit)), out_of_reach - 1)
        return np.flatnonzero(distances <= edge)


class Sketches:
    """The sketches of one space, made once there are enough vectors for them to pay."""

    def __init__(self) -> None:
        self._columns: list[Growing[np.uint64]] = []
        self._whitening: Whitening | None = None
        self._taken_of = 0

    @property
    def nbytes(self) -> int:
        """Memory that they take."""
        return sum(column.nbytes for column in self._columns)

    def sketched(self, codes: npt.NDArray[np.int8], scales: Numbers) -> Sketched | None:
        """Those of all vectors so far, given by codes and scales; None while they are few, or all the same."""
        count = len(codes)
        if count < _WORTH_IT:
            return None
        if count >= _GROWTH * self._taken_of:
            self._begin(codes, scales)
        if self._whitening is None:
            return None
        known = len(self._columns[0].view())
        for at in range(known, count, _AT_ONCE):
            new = codes[at : at + _AT_ONCE] * scales[at : at + _AT_ONCE, None]
            for column, bits in zip(self._columns, _sketches(self._whitening.seen(new)).T, strict=True):
                column.add(bits)
        return Sketched(self._whitening, tuple(column.view() for column in self._columns))

    def _begin(self, codes: npt.NDArray[np.int8], scales: Numbers) -> None:
        """Take the axes, and begin new columns: snapshots go on with the old ones."""
        step = -(-len(codes) // _TAKEN_OF)
        self._whitening = Whitening.learn(codes[::step] * scales[::step, None])
        axes = 0 if self._whitening is None else self._whitening.axes.shape[1]
        self._columns = [Growing(np.uint64, room=len(codes)) for _ in range(-(-axes // 64))]
        self._taken_of = len(codes)


def _sketches(seen: Numbers) -> Bits:
    """Shape (vectors, words)."""
    packed = np.packbits(seen > 0, axis=1)
    words = -(-packed.shape[1] // 8)
    padded = np.zeros((len(packed), 8 * words), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)
