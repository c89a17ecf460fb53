"""One state of one space in memory: filters, postings and the vector scan over arrays that never change.

Vectors are kept as eight bits a number and a scale, a quarter of float32. A scan is bound by memory, so it is faster
as well: 100,000 vectors of 384 numbers took 14 ms and 38 MB in place of 25 ms and 154 MB on the same busy machine. The
scan only chooses; similarities are computed from the stored vectors. Of the 200 nearest all were among the 250 nearest
by eight bits, for each of 98 questions of LoCoMo over 100,000 vectors.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.index_reads import Integers
from palimpsest.adapters.embedded.index_writes import microseconds
from palimpsest.domain.filters import Filters

Mask: TypeAlias = npt.NDArray[np.bool_]
Codes: TypeAlias = npt.NDArray[np.int8]
Scores: TypeAlias = npt.NDArray[np.float32]
Small: TypeAlias = npt.NDArray[np.int32]

_SCANNED_AT_ONCE = 1_024
"""Vectors expanded at a time: few enough for the cache, enough to give up Python's lock rarely."""

_FEW = 8
"""With less than one in so many vectors wanted, those are taken out before they are compared."""

_MANY_GONE = 1_000


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Entries by position, in the order of their numbers in the file.

    Attributes:
        changes: Of the space, when this was read.
        removal: The last removal in the file that is accounted for.
        alive: False for entries that are gone.
        owners: For each vector the position of its entry, rising.
        codes, scales: The vectors, by `quantised`.
        postings: Positions of the entries that have a term, as far as they were looked up, and up to which number.
    """

    changes: int
    removal: int
    ids: Integers
    facets: Small
    dated: Integers
    lengths: Small
    alive: Mask
    owners: Small
    codes: Codes
    scales: Scores
    postings: dict[tuple[int, bool], tuple[int, Small]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The number of the newest entry."""
        return int(self.ids[-1]) if len(self.ids) else 0

    @property
    def is_mostly_gone(self) -> bool:
        """More than half of many entries are gone, so that reading anew pays."""
        gone = len(self.alive) - np.count_nonzero(self.alive)
        return bool(gone > _MANY_GONE and 2 * gone > len(self.alive))

    def positions(self, ids: Integers) -> Integers:
        """Where entries stand; numbers that are not here are left out."""
        if not len(self.ids):
            return np.empty(0, np.int64)
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        found: Integers = at[self.ids[at] == ids]
        return found

    def passing(self, filters: Filters, facets: Sequence[int], tagged: Integers | None) -> Mask:
        """The entries of these facets that pass the rest of the filters; `tagged`: those with the tags, if asked."""
        mask = self.alive & np.isin(self.facets, facets)
        if filters.dated_from is not None:
            mask &= self.dated >= microseconds(filters.dated_from)
        if filters.dated_until is not None:
            mask &= self.dated <= microseconds(filters.dated_until)
        if tagged is not None:
            has_tags = np.zeros(len(mask), np.bool_)
            has_tags[self.positions(tagged)] = True
            mask &= has_tags
        return mask

    def having(self, connection: sqlite3.Connection, term: int, *, is_repeated: bool, keep: bool) -> Small:
        """Positions of the entries that have a term (more than once), some of which may be gone.

        Entries never change, so what was looked up stays right and only newer entries are asked for. It is kept only if
        the connection sees the same state as this snapshot.
        """
        seen, positions = self.postings.get((term, is_repeated), (0, np.empty(0, np.int32)))
        if seen < self.last:
            new = index_reads.having(connection, term, is_repeated=is_repeated, after=seen, until=self.last)
            positions = np.concatenate([positions, self.positions(new).astype(np.int32)])
            if keep:
                self.postings[term, is_repeated] = (self.last, positions)
        return positions

    def nearest(self, query: npt.NDArray[np.float32], passing: Mask, limit: int) -> Integers:
        """Positions of about the nearest entries that pass and have vectors; in no order."""
        rows = np.flatnonzero(passing[self.owners])
        if not len(rows):
            return rows
        if len(rows) * _FEW < len(self.owners):
            scores = _scan(self.codes[rows], self.scales[rows], query)
        else:
            scores = _scan(self.codes, self.scales, query)[rows]
        owners = self.owners[rows]
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        best = np.maximum.reduceat(scores, starts)
        return owners[starts][highest(best, limit)].astype(np.int64)


def highest(scores: npt.NDArray[np.floating], limit: int) -> Integers:
    """Positions of the highest scores; of equal ones at the edge those that come last, which are the newest entries."""
    if len(scores) <= limit:
        return np.arange(len(scores))
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    over = np.flatnonzero(scores > edge)
    level = np.flatnonzero(scores == edge)
    return np.concatenate([over, level[len(level) - (limit - len(over)) :]])


def quantised(vectors: npt.NDArray[np.float32]) -> tuple[Codes, Scores]:
    """Vectors, shape (n, dimensions), as whole numbers from -127 to 127 and a scale each."""
    scales = np.abs(vectors).max(axis=1, initial=0.0) / np.float32(127)
    divisors = np.where(scales > 0, scales, np.float32(1))[:, None]
    return np.rint(vectors / divisors).astype(np.int8), scales


def _scan(codes: Codes, scales: Scores, query: npt.NDArray[np.float32]) -> Scores:
    scores = np.empty(len(codes), np.float32)
    expanded = np.empty((min(len(codes), _SCANNED_AT_ONCE), codes.shape[1]), np.float32)
    for at in range(0, len(codes), _SCANNED_AT_ONCE):
        part = codes[at : at + _SCANNED_AT_ONCE]
        rows = expanded[: len(part)]
        np.copyto(rows, part)
        np.dot(rows, query, out=scores[at : at + len(part)])
    scores *= scales
    return scores
