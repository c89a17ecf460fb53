"""One space of an index as one search sees it, and the choice of the entries that are worth to be scored."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.index_reads import Facets, SpaceState, Term, TermOrLabel
from palimpsest.adapters.embedded.index_writes import TIMES, posting
from palimpsest.adapters.embedded.snapshot import Mask, Scores, Snapshot, highest
from palimpsest.domain import ranking
from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.matching import Integers
from palimpsest.ports.search_index import Search

_POSTINGS_ENOUGH = 300_000
"""Postings after which a search looks at no more frequent terms, if it has as many entries as it wants."""

_SPARSE = 16
"""With less than one in so many entries, those that have a term are taken one by one, not looked for among all."""


@dataclass(frozen=True)
class View:
    """A space in one transaction: its state, its entries in memory, its facets, and what was read for this search."""

    connection: sqlite3.Connection
    state: SpaceState
    snapshot: Snapshot
    facets: Facets
    _read: dict[Hashable, Mask] = field(default_factory=dict)
    _placed: dict[Hashable, Integers] = field(default_factory=dict)

    def passing(self, search: Search) -> Mask:
        """The entries that pass the search's filters and are of its kinds."""
        filters = search.filters
        facets = {facet.id: facet.passes(filters, search.kinds) for facet in self.facets.each}
        mask = self.snapshot.passing(filters, facets)
        if search.only is not None:
            numbers = index_reads.numbers(self.connection, self.state.id, search.only)
            chosen = np.zeros(len(mask), np.bool_)
            chosen[self.snapshot.positions(numbers)] = True
            mask = mask & chosen
        words = frozenset[str]().union(*search.words)
        held = index_reads.known_terms(self.connection, self.state.id, sorted(words)) if words else {}
        for forms in search.words:
            mask = mask & self._having_one(held, forms)
        wanted = filters.wanted
        labels = frozenset[bytes]().union(wanted.none_of, *wanted.any_of)
        known = index_reads.known_terms(self.connection, self.state.id, sorted(labels)) if labels else {}
        for group in wanted.any_of:
            mask = mask & self._having_one(known, group)
        if wanted.none_of:
            mask = mask & ~self._having_one(known, wanted.none_of)
        return mask

    def _having_one(self, known: Mapping[TermOrLabel, Term], wanted: Iterable[TermOrLabel]) -> Mask:
        """The entries with one of the terms, or labels."""
        found = np.zeros(len(self.snapshot.ids), np.bool_)
        for each in wanted:
            if each in known:
                found |= self._having(known[each])
        return found

    def standing(self, statuses: Collection[Status]) -> Mask:
        """The entries of these statuses, or of any, that are there."""
        facets = {facet.id: not statuses or facet.status in statuses for facet in self.facets.each}
        return self.snapshot.passing(Filters(), facets)

    def likely(self, terms: Sequence[Term], passing: Mask, wanted: int) -> Integers:
        """Positions of the entries that pass and are likely the best by BM25; all that pass when they are few.

        Terms are taken from the rarest on until those that are left could lift no other entry among the best (MaxScore,
        Turtle and Flood 1995). Counts of more than two are rounded.
        """
        if np.count_nonzero(passing) <= wanted:
            return np.flatnonzero(passing)
        ordered = sorted(terms, key=lambda term: (term.entries, term.id))
        weights = ranking.idf([term.entries for term in ordered], self.facets.entries).astype(np.float32)
        found, needed = self._having_any(ordered, weights, passing, wanted)
        norm = self._norm(found)
        scores = np.zeros(len(found), np.float32)
        read = 0
        for number, (term, weight) in enumerate(zip(ordered, weights, strict=True)):
            scores += weight * self._saturation(term, found, norm, is_counted=number < needed)
            read += term.entries
            if number >= needed and read > _POSTINGS_ENOUGH:
                break
        chosen: Integers = found[highest(scores, wanted)]
        return chosen

    def _having_any(self, ordered: Sequence[Term], weights: Scores, passing: Mask, wanted: int) -> tuple[Integers, int]:
        """Positions of the entries with one of the first terms, and how many terms were needed for that."""
        sums = np.zeros(len(passing), np.float32)
        found = np.empty(0, np.int64)
        read = 0
        for number, term in enumerate(ordered, start=1):
            if self._is_in_many(term):
                sums += np.multiply(self._having(term), weights[number - 1], dtype=np.float32)
                found = np.flatnonzero((sums > 0) & passing)
            else:
                places = self._places(term)
                found = np.concatenate([found, places[(sums[places] == 0) & passing[places]]])
                sums[places] += weights[number - 1]
            read += term.entries
            if len(found) < wanted:
                continue
            # What the best get at least, with every term once; against what the other terms could add at most.
            least = np.partition(sums[found] / (1 + self._norm(found)), -wanted)[-wanted]
            if read > _POSTINGS_ENOUGH or weights[number:].sum() <= least:
                return np.sort(found), number
        return np.sort(found), len(ordered)

    def _saturation(self, term: Term, found: Integers, norm: Scores, *, is_counted: bool) -> Scores:
        """What the term adds to each entry by BM25, over its idf; where it is not counted, as if it occurred once."""
        has_it: Scores = self._have(term, found).astype(np.float32)
        counts = has_it
        if is_counted and term.repeated:
            for times in TIMES:
                reached = self._have(term, found, times)
                if not reached.any():
                    break
                # The middle of what lies between this and the next: of 3 to 4, of 5 to 8, and so on.
                counts = np.where(reached, np.float32(np.sqrt(times * (2 * times - 2))), counts)
        saturation: Scores = counts * (ranking.K1 + 1) / (counts + norm)
        return saturation

    def _norm(self, found: Integers) -> Scores:
        relative = self.snapshot.lengths[found].astype(np.float32) / np.float32(self.facets.mean_length or 1.0)
        norm: Scores = ranking.K1 * (1 - ranking.B + ranking.B * relative)
        return norm

    def _have(self, term: Term, found: Integers, times: int = 1) -> Mask:
        """Which of these entries have the term so many times."""
        if self._is_in_many(term, times):
            return self._having(term, times)[found]
        places = self._places(term, times)
        self._marks[places] = True
        has_it = self._marks[found]
        self._marks[places] = False
        return has_it

    @cached_property
    def _marks(self) -> Mask:
        """Room for a mark at each entry; nothing is marked between two calls."""
        return np.zeros(len(self.snapshot.ids), np.bool_)

    def _is_in_many(self, term: Term, times: int = 1) -> bool:
        return (term.entries if times == 1 else term.repeated) * _SPARSE > len(self.snapshot.ids)

    def _places(self, term: Term, times: int = 1) -> Integers:
        """The positions of the entries with the term, rising."""
        token = posting(term.id, times)
        if token not in self._placed:
            read = index_reads.having(self.connection, token, 0, self.snapshot.last)
            self._placed[token] = self.snapshot.positions(read)
        return self._placed[token]

    def _having(self, term: Term, times: int = 1) -> Mask:
        token = posting(term.id, times)
        return self._mask(token, partial(index_reads.having, self.connection, token))

    def _mask(self, what: Hashable, read: Callable[[int, int], Integers]) -> Mask:
        if what not in self._read:
            keep = self.snapshot.changes == self.state.changes
            self._read[what] = self.snapshot.having(what, read, keep=keep)
        return self._read[what]
