"""One space of an index as one search sees it, and the choice of the entries that are worth to be scored."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.index_reads import Facet, Integers, SpaceState, Term
from palimpsest.adapters.embedded.snapshot import Mask, Scores, Small, Snapshot, highest
from palimpsest.domain import ranking
from palimpsest.ports.search_index import Search

_POSTINGS_ENOUGH = 300_000
"""Postings after which a search stops to look at more frequent terms, if it has as many entries as it wants."""


@dataclass(frozen=True, slots=True)
class View:
    """A space in one transaction: its state, its entries in memory, its facets."""

    connection: sqlite3.Connection
    state: SpaceState
    snapshot: Snapshot
    facets: dict[int, Facet]

    @property
    def entries(self) -> int:
        """How many entries the space has."""
        return sum(facet.entries for facet in self.facets.values())

    @property
    def mean_length(self) -> float:
        """Mean of their lengths; 0.0 when there are none."""
        return sum(facet.length for facet in self.facets.values()) / max(self.entries, 1)

    def passing(self, search: Search) -> Mask:
        """The entries that pass the search's filters and are of its kinds."""
        filters = search.filters
        facets = [facet.id for facet in self.facets.values() if facet.passes(filters, search.kinds)]
        tagged = index_reads.tagged(self.connection, self.state.id, filters.tags) if filters.tags else None
        return self.snapshot.passing(filters, facets, tagged)

    def likely(self, terms: Sequence[Term], passing: Mask, wanted: int) -> Integers:
        """Positions of the entries that pass and are likely the best by BM25; all that pass when they are few.

        Which entries have a term is exact; how often is taken for one, or for what is usual in a text of that length
        when it is more than one. The rarest terms come first.
        """
        if np.count_nonzero(passing) <= wanted:
            return np.flatnonzero(passing)
        scores = np.zeros(len(passing), np.float32)
        once, again = self._saturations()
        read = 0
        for term in sorted(terms, key=lambda term: (term.entries, term.id)):
            weight = np.float32(ranking.idf([term.entries], self.entries)[0])
            for is_repeated, share in ((False, once), (True, again)):
                positions = self._having(term, is_repeated=is_repeated)
                scores[positions] += weight * share[positions]
            read += term.entries
            if read >= _POSTINGS_ENOUGH and np.count_nonzero(scores[passing]) >= wanted:
                break
        scores[~passing] = 0
        found = np.flatnonzero(scores)
        chosen: Integers = found[highest(scores[found], wanted)]
        return chosen

    def _having(self, term: Term, *, is_repeated: bool) -> Small:
        keep = self.snapshot.changes == self.state.changes
        return self.snapshot.having(self.connection, term.id, is_repeated=is_repeated, keep=keep)

    def _saturations(self) -> tuple[Scores, Scores]:
        """What a term adds to each entry by BM25, over its idf, and what it adds on top when it is repeated."""
        relative = self.snapshot.lengths / np.float32(self.mean_length or 1.0)
        norm = ranking.K1 * (1 - ranking.B + ranking.B * relative)
        once = (ranking.K1 + 1) / (1 + norm)
        often = 2 * np.maximum(relative, 1)
        return once.astype(np.float32), (often * (ranking.K1 + 1) / (often + norm) - once).astype(np.float32)
