"""One space of an index as one search sees it, and the choice of the entries that are worth to be scored."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.index_reads import Facets, Integers, SpaceState, Term
from palimpsest.adapters.embedded.index_writes import TIMES, posting
from palimpsest.adapters.embedded.snapshot import Mask, Scores, Snapshot, highest
from palimpsest.domain import ranking
from palimpsest.ports.search_index import Search

_POSTINGS_ENOUGH = 300_000
"""Postings after which a search stops to look at more frequent terms, if it has as many entries as it wants."""

_NONE: Final = np.zeros(1, np.float32)


@dataclass(frozen=True, slots=True)
class View:
    """A space in one transaction: its state, its entries in memory, its facets."""

    connection: sqlite3.Connection
    state: SpaceState
    snapshot: Snapshot
    facets: Facets

    def passing(self, search: Search) -> Mask:
        """The entries that pass the search's filters and are of its kinds."""
        filters = search.filters
        facets = {facet.id: facet.passes(filters, search.kinds) for facet in self.facets.each}
        mask = self.snapshot.passing(filters, facets)
        for tag in filters.tags:
            mask &= self._tagged(tag)
        return mask

    def likely(self, terms: Sequence[Term], passing: Mask, wanted: int) -> Integers:
        """Positions of the entries that pass and are likely the best by BM25; all that pass when they are few.

        Which entries have a term is exact, and so are counts of one and two; higher ones are rounded. The rarest terms
        come first.
        """
        if np.count_nonzero(passing) <= wanted:
            return np.flatnonzero(passing)
        sums: dict[int, Scores] = {}
        read = 0
        for term in sorted(terms, key=lambda term: (term.entries, term.id)):
            weight = np.float32(ranking.idf([term.entries], self.facets.entries)[0])
            for times in (1, *TIMES) if term.repeated else (1,):
                has_it = self._having(posting(term.id, times))
                if times > 1 and not has_it.any():
                    break
                sums[times] = sums.get(times, _NONE) + np.multiply(has_it, weight, dtype=np.float32)
            read += term.entries
            if read >= _POSTINGS_ENOUGH and np.count_nonzero(sums[1][passing]) >= wanted:
                break
        found = np.flatnonzero(passing & (sums[1] > 0))
        chosen: Integers = found[highest(self._bm25(sums)[found], wanted)]
        return chosen

    def _having(self, token: str) -> Mask:
        return self._mask(token, partial(index_reads.having, self.connection, token))

    def _tagged(self, tag: str) -> Mask:
        return self._mask(("tag", tag), partial(index_reads.tagged, self.connection, self.state.id, tag))

    def _mask(self, what: Hashable, read: Callable[[int, int], Integers]) -> Mask:
        return self.snapshot.having(what, read, keep=self.snapshot.changes == self.state.changes)

    def _bm25(self, sums: Mapping[int, Scores]) -> Scores:
        """BM25 of each entry from the sums of the idf of the terms that it has at least so many times."""
        relative = self.snapshot.lengths.astype(np.float32) / np.float32(self.facets.mean_length or 1.0)
        norm = ranking.K1 * (1 - ranking.B + ranking.B * relative)
        scores = gain = _NONE
        for times, total in sums.items():
            frequency = np.float32(np.sqrt(times * max(times, 2 * times - 2)))  # the middle of 3 to 4, of 5 to 8, ...
            below, gain = gain, frequency * (ranking.K1 + 1) / (frequency + norm)
            scores = scores + total * (gain - below)
        return scores
