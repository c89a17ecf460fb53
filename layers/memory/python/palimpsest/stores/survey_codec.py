"""A survey of a space as items: as many as its axes need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from palimpsest.domain.matching import Vectors
from palimpsest.domain.whitening import AXES, Whitening
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader

_PART_BYTES: Final = 350_000
"""Of an item's 400 KB."""

_NUMBER_BYTES: Final = 2


@dataclass(frozen=True, slots=True)
class Survey:
    """What a space's entries have in common.

    Attributes:
        whitening: Of their vectors; None where these are too few or all the same.
        speakers: Who speaks in them, folded, the most frequent first.
    """

    whitening: Whitening | None = None
    speakers: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Bytes in memory, but for the speakers."""
        return 0 if self.whitening is None else self.whitening.mean.nbytes + self.whitening.axes.nbytes


UNKNOWN: Final = Survey()


@dataclass(frozen=True, slots=True)
class Standing:
    """What a survey is of.

    Attributes:
        entries: How many the space had; 0 while it was not surveyed.
        embedded: How many of them had vectors, as the sample tells.
    """

    entries: int = 0
    embedded: int = 0


def standing(r: Reader) -> Standing:
    """What a survey is of, as an item says."""
    return Standing(r.integer("entries"), r.integer("embedded"))


def parts(found: Survey) -> Sequence[Mapping[str, Value]]:
    """The survey as attributes of items; the first says how many there are. Those of a longer one before may stay."""
    if found.whitening is None:
        return [_first(found, 1)]
    mean, axes = found.whitening.mean, found.whitening.axes.reshape(-1)
    packed = _packed(mean) + _packed(axes)
    pieces = [packed[begin : begin + _PART_BYTES] for begin in range(0, len(packed), _PART_BYTES)]
    first = {**_first(found, len(pieces)), "count": found.whitening.count, "vectors": pieces[0]}
    return [first, *({"vectors": piece} for piece in pieces[1:])]


def _first(found: Survey, parts: int) -> Mapping[str, int | list[str]]:
    return {"parts": parts, "speakers": list(found.speakers)}


def most_parts(dimensions: int) -> int:
    """How many there may be of vectors so long."""
    return -(-dimensions * (AXES + 1) * _NUMBER_BYTES // _PART_BYTES)


def _packed(numbers: Vectors) -> bytes:
    return numbers.astype("<f2").tobytes()


def read(stored: Sequence[Reader], dimensions: int) -> Survey:
    """What the parts say together; `UNKNOWN` when they are not of one survey, which another one is just replacing."""
    if not stored or "parts" not in stored[0].item:
        return UNKNOWN
    first = stored[0]
    told = stored[: first.integer("parts")]
    if len(told) < first.integer("parts") or len({part.integer("number") for part in told}) > 1:
        return UNKNOWN
    if "vectors" not in first.item:
        return Survey(None, first.texts("speakers"))
    packed = b"".join(part.bytes("vectors") for part in told)
    numbers = np.frombuffer(packed, "<f2").astype(np.float32)
    whitening = Whitening(numbers[:dimensions], numbers[dimensions:].reshape(dimensions, -1), first.integer("count"))
    return Survey(whitening, first.texts("speakers"))
