"""One state of one space in memory: filters, postings and the vector scan over arrays that never change.

Vectors are kept as eight bits a number and a scale, a quarter of float32. A scan is bound by memory, so it is faster
as well: 100,000 vectors of 384 numbers took 14 ms and 38 MB in place of 25 ms and 154 MB on the same busy machine. The
scan only chooses; similarities are computed from the stored vectors. Of the 200 nearest all were among the 250 nearest
by eight bits, for each of 98 questions of LoCoMo over 100,000 vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from palimpsest.adapters.embedded.sketches import Sketched
from palimpsest.domain.filters import Filters
from palimpsest.domain.instants import microseconds
from palimpsest.domain.matching import Integers

Mask: TypeAlias = npt.NDArray[np.bool_]
Codes: TypeAlias = npt.NDArray[np.int8]
Scores: TypeAlias = npt.NDArray[np.float32]
Small: TypeAlias = npt.NDArray[np.int32]

_SCANNED_AT_ONCE = 1_024
"""Vectors expanded at a time: few enough for the cache, enough to give up Python's lock rarely."""

_FEW = 8
"""With less than one in so many vectors wanted, those are taken out before they are compared."""

_DENSE = 32
"""What more than one in so many entries have is kept in memory: a byte an entry, and slow to read."""

_CHOSEN = 512
_LIKELY = 1_024
_LIKELY_EACH = 16
"""Up to so many are chosen from those whose sketches differ in the fewest bits: so many, and so many for each."""

_PASSED_KEPT = 4
"""Most searches ask for the same facets, and one asks several times; a byte an entry each."""

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
        sketched: The vectors by a bit a number, where there are many.
        has_passages: Some entry has several vectors.
        known: Which entries have a term or a label that many have, and up to which number, as far as somebody asked.
        passed: Which entries are of the facets that a search asked for, whenever they are dated.
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
    sketched: Sketched | None
    has_passages: bool
    known: dict[Hashable, tuple[int, Mask]] = field(default_factory=dict)
    passed: dict[frozenset[int], Mask] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The number of the newest entry."""
        return int(self.ids[-1]) if len(self.ids) else 0

    @property
    def is_mostly_gone(self) -> bool:
        """More than half of many entries are gone, so that reading anew pays."""
        gone = len(self.alive) - np.count_nonzero(self.alive)
        return bool(gone > _MANY_GONE and 2 * gone > len(self.alive))

    @property
    def _has_one_each(self) -> bool:
        """Every entry has one vector."""
        return not self.has_passages and len(self.owners) == len(self.ids)

    def positions(self, ids: Integers) -> Integers:
        """Where entries stand; numbers that are not here are left out."""
        if not len(self.ids):
            return np.empty(0, np.int64)
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        found: Integers = at[self.ids[at] == ids]
        return found

    def passing(self, filters: Filters, facets: Mapping[int, bool]) -> Mask:
        """The entries of these facets, as far as those pass, that are dated as the filters ask; not to be changed."""
        mask = self._of_facets(frozenset(number for number, passes in facets.items() if passes))
        if filters.dated_from is not None:
            mask = mask & (self.dated >= microseconds(filters.dated_from))
        if filters.dated_until is not None:
            mask = mask & (self.dated <= microseconds(filters.dated_until))
        return mask

    def _of_facets(self, wanted: frozenset[int]) -> Mask:
        """Those of these facets. Others may have come since they were read, and do not pass."""
        known = self.passed.get(wanted)
        if known is not None:
            return known
        allowed = np.zeros(max(max(wanted, default=0), int(self.facets.max(initial=0))) + 1, np.bool_)
        allowed[list(wanted)] = True
        mask: Mask = self.alive & allowed[self.facets]
        mask.flags.writeable = False
        while len(self.passed) >= _PASSED_KEPT:
            self.passed.pop(next(iter(self.passed)), None)
        self.passed[wanted] = mask
        return mask

    def having(self, what: Hashable, read: Callable[[int, int], Integers], *, keep: bool) -> Mask:
        """The entries that have something; some of them may be gone.

        Entries never change, so what was read stays right and only newer entries are asked for.

        Args:
            what: What they have.
            read: Gives the entries' numbers after the first and up to the second argument.
            keep: Whether `read` sees the same state of the file as this snapshot.
        """
        seen, known = self.known.get(what, (0, np.empty(0, np.bool_)))
        if seen == self.last:
            return known
        mask = np.zeros(len(self.ids), np.bool_)
        mask[: len(known)] = known
        new = self.positions(read(seen, self.last))
        mask[new] = True
        if keep and (len(known) or _DENSE * len(new) > len(mask)):
            self.known[what] = (self.last, mask)
        return mask

    def nearest(self, along: npt.NDArray[np.float32], passing: Mask, limit: int) -> Integers:
        """Positions of about the entries that pass and reach furthest in a direction; in no order."""
        owners = self.owners
        wanted = passing if self._has_one_each else passing[owners]
        if self.sketched is not None and limit <= _CHOSEN:
            rows = self.sketched.likely(along, wanted, max(_LIKELY, _LIKELY_EACH * limit))
            owners = owners[rows]
            scores = _scan(self.codes[rows], self.scales[rows], along)
        elif np.count_nonzero(wanted) * _FEW < len(wanted):
            rows = np.flatnonzero(wanted)
            owners = owners[rows]
            scores = _scan(self.codes[rows], self.scales[rows], along)
        else:
            scores = _scan(self.codes, self.scales, along)
            scores[~wanted] = -np.inf
        if self.has_passages and len(owners):
            starts = np.flatnonzero(np.diff(owners, prepend=-1))
            scores, owners = np.maximum.reduceat(scores, starts), owners[starts]
        chosen = highest(scores, limit)
        return owners[chosen[np.isfinite(scores[chosen])]].astype(np.int64)


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
