"""One generation in OpenSearch: the server proposes, features come back with its hits, the scores are ours."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from palimpsest.adapters.aws import opensearch_features, opensearch_mapping, opensearch_queries
from palimpsest.adapters.aws.opensearch_capabilities import Capabilities
from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json
from palimpsest.adapters.aws.opensearch_errors import readable
from palimpsest.adapters.aws.opensearch_hits import Hits, Main
from palimpsest.adapters.aws.opensearch_queries import WINDOW
from palimpsest.adapters.aws.opensearch_writes import Writes
from palimpsest.domain import ranking
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.matching import Integers
from palimpsest.domain.talk import Place, Sayings
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import (
    NO_CANDIDATES,
    Candidates,
    Entry,
    Generation,
    Gone,
    Matches,
    Removal,
    Search,
    Statistics,
    Swept,
)

_SPARE: Final = 50
_WORDS_MORE: Final = 3.0
_NEAREST_MORE: Final = 1.5
"""Hits for each that is wanted, at least `_SPARE` more, since the server's order is not ours: it weighs words by the
whole index's count and mean length, and may compress vectors. Fitted on LoCoMo (docs/benchmarks.md)."""


class OpenSearchIndex:
    """One generation. Any number of threads and processes may use it at once."""

    def __init__(self, generation: Generation, cluster: Cluster, name: str) -> None:
        self._capabilities = capabilities = Capabilities.of(generation.capabilities)
        self.generation = generation
        self.name = name
        self._cluster = cluster
        self._hits = Hits(cluster, name, capabilities)
        self._writes = Writes(cluster, name, capabilities, self.check)

    def check(self) -> None:
        """IndexUnavailable ``index_missing`` when it is gone, ``index_mapping`` when it has another form."""
        answer = self._cluster.call("GET", f"/{self.name}/_mapping")
        found: Json = next(iter(answer.values()), {})
        opensearch_mapping.require_form(found.get("mappings", {}), self.generation.model.dimensions)

    def upsert(self, entries: Iterable[Entry]) -> None:
        """Make these entries be there. Raises `EntriesRefused` when the server took all but some."""
        self._writes.upsert(self._checked(entry) for entry in entries)

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        """Make these entries be gone; keys that are not there are fine."""
        self._writes.remove(space, removals)

    def held(self, space: SpaceId, keys: Sequence[str]) -> Collection[str]:
        """Which of these entries have documents that show, or that this process wrote a moment ago."""
        return self._writes.held(space, keys)

    def wipe(self) -> bool:
        """True: the server takes deleted documents out of its files in its own time."""
        return True

    @property
    def needs_sweeps(self) -> bool:
        """Whether documents can be deleted. Some may be left where versions are known, too: those that did not show."""
        return self._capabilities.has_deletes

    def sweep(self, space: SpaceId, gone: Gone, after: str = "") -> Swept:
        """Delete doubles, what newer documents replace, and all of what is gone, of the next hundred entries."""
        return self._writes.sweep(space, gone, after)

    def keyword(self, search: Search) -> Matches:
        """Entries with at least one of the terms that pass the filters, best first by BM25 of the space."""
        if not search.terms or not search.kinds:
            with readable():
                return Matches(NO_CANDIDATES, self._statistics_in_time(search))
        with readable():
            return self._keyword(search)

    def _statistics_in_time(self, search: Search) -> Statistics:
        body = opensearch_queries.statistics(search.space, search.terms)
        return _statistics(self._cluster.search(self.name, body)[0], search.terms)

    def _keyword(self, search: Search) -> Matches:
        figures = opensearch_queries.statistics(search.space, search.terms)
        found: list[Statistics] = []
        faults: list[IndexUnavailable] = []

        def ask(size: int) -> Sequence[Json]:
            hits, counted = self._cluster.search(
                self.name, opensearch_queries.keyword(search, size), figures, faults=faults
            )
            found[:] = [_statistics(counted, search.terms)]
            return _listed(hits)

        mains = self._enough(search, _WORDS_MORE, ask, faults)
        counts = self._counts(search, mains)
        known = found[0]
        frequencies = [known.frequencies.get(term, 0) for term in search.terms]
        lengths = [main.features.length for main in mains]
        scores = ranking.bm25_all(counts, lengths, frequencies, known.entries, known.mean_length)
        return Matches(_as_whole(self._candidates(mains, counts).best(scores, search.limit), faults), known)

    def vector(self, search: Search) -> Candidates:
        """The entries that pass the filters and lie nearest to the vector as they are seen; empty without a vector."""
        query = self._query(search)
        if query is None or not search.kinds:
            return NO_CANDIDATES
        with readable():
            return self._vector(search, query)

    def _vector(self, search: Search, query: Vector) -> Candidates:
        faults: list[IndexUnavailable] = []
        along = search.along(query)

        def ask(size: int) -> Sequence[Json]:
            body = opensearch_queries.vector(search, along, size)
            return _listed(self._cluster.search(self.name, body, faults=faults)[0])

        mains = self._enough(search, _NEAREST_MORE, ask, faults)
        return _as_whole(self._candidates(mains, self._counts(search, mains)).along(along, search.limit), faults)

    def around(self, search: Search, places: Sequence[Place]) -> Candidates:
        """What was said within reach of these places."""
        if not places:
            return NO_CANDIDATES
        faults: list[IndexUnavailable] = []
        with readable():
            body = opensearch_queries.around(search, places)
            hits = _listed(self._cluster.search(self.name, body, faults=faults)[0])
            mains = self._hits.entries(search.space, hits, faults)
            return _as_whole(self._candidates(mains, self._counts(search, mains)), faults)

    def sample(self, space: SpaceId, limit: int) -> Candidates:
        """At most so many entries; nobody waits for them."""
        with readable():
            hits = _listed(self._cluster.collect(self.name, opensearch_queries.some(space, limit)))
            mains = self._hits.entries(space, hits, None)
            return self._candidates(mains, np.zeros((len(mains), 0), np.int64))

    def statistics(self, space: SpaceId, terms: Sequence[str]) -> Statistics:
        """The space's own figures for these terms; until a sweep, doubles count twice where the server makes ids.

        A recall has them with its matches; nobody waits for these.
        """
        body = opensearch_queries.statistics(space, terms)
        with readable():
            return _statistics(self._cluster.collect(self.name, body), terms)

    def _enough(
        self,
        search: Search,
        more: float,
        ask: Callable[[int], Sequence[Json]],
        faults: list[IndexUnavailable],
    ) -> list[Main]:
        """As many entries as the search wants; more hits are asked for when several of them are of one entry."""
        size = min(WINDOW, max(search.limit + _SPARE, round(search.limit * more)))
        while True:
            hits = ask(size)
            mains = self._hits.entries(search.space, hits, faults) if hits else []
            if len(mains) >= search.limit or len(hits) < size or size == WINDOW:
                return mains
            size = min(WINDOW, size * 4)

    def _counts(self, search: Search, mains: Sequence[Main]) -> Integers:
        numbers = [opensearch_features.term_number(search.space, term) for term in search.terms]
        return opensearch_features.counts([main.features for main in mains], numbers)

    def _query(self, search: Search) -> Vector | None:
        vector = search.vector()
        if vector is None:
            return None
        self._require_dimensions(vector.shape)
        return np.ascontiguousarray(vector, np.float32)

    def _candidates(self, mains: Sequence[Main], counts: Integers) -> Candidates:
        features = [main.features for main in mains]
        return Candidates(
            [main.key for main in mains],
            [main.kind for main in mains],
            counts,
            np.array([each.length for each in features], np.int64),
            np.array([main.dated for main in mains], np.int64),
            opensearch_features.passages(features, self._dimensions),
            Sayings.of([each.said for each in features]),
        )

    def _checked(self, entry: Entry) -> Entry:
        self._require_dimensions(entry.vectors.shape[1:])
        return entry

    def _require_dimensions(self, shape: tuple[int, ...]) -> None:
        if shape != (self._dimensions,):
            raise ValueError(f"a vector of {shape} numbers does not belong into an index of {self._dimensions}")

    @property
    def _dimensions(self) -> int:
        return self.generation.model.dimensions


def _as_whole(candidates: Candidates, faults: Sequence[IndexUnavailable]) -> Candidates:
    """What there is, with the reason why there may be more; the first of the faults when there is nothing."""
    if faults and not len(candidates):
        raise faults[0]
    return replace(candidates, lacking=faults[0].reason) if faults else candidates


def _listed(answer: Json) -> Sequence[Json]:
    hits: Sequence[Json] = answer["hits"]["hits"]
    return hits


def _statistics(answer: Json, terms: Sequence[str]) -> Statistics:
    entries = answer["hits"]["total"]["value"]
    figures = answer["aggregations"]
    having = figures.get("having", {}).get("buckets", {})
    frequencies = {term: having[str(place)]["doc_count"] for place, term in enumerate(dict.fromkeys(terms))}
    mean = figures["length"]["value"] / entries if entries else 0.0
    return Statistics(entries, mean, {term: count for term, count in frequencies.items() if count})
