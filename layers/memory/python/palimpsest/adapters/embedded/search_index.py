"""The search index on one machine: a folder with one SQLite file a generation."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import numpy as np

from palimpsest.adapters.embedded import index_reads, index_schema
from palimpsest.adapters.embedded.index_file import IndexFile, translated
from palimpsest.adapters.embedded.index_reads import Facets, Rows, Term
from palimpsest.adapters.embedded.index_view import View
from palimpsest.adapters.embedded.index_writes import Batch
from palimpsest.adapters.embedded.space_matrix import CACHE_BYTES, MatrixCache
from palimpsest.domain import ranking
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.matching import Integers
from palimpsest.domain.talk import Place
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
    newest,
)

_WRITTEN_AT_ONCE = 500
"""Entries in a transaction: few enough that another writer waits for less than a second."""

_SPARE_BY_WORDS = 2
_SPARE_BY_VECTOR = 8
_LEAST_SPARE = 12
"""The share of the limit, as a divisor, that is scored exactly beyond it. The choice by words rounds counts; that by
vectors rounds to 8 bits, which moves far less."""


class EmbeddedIndexes:
    """The generations in a folder. `close` ends their connections.

    Args:
        folder: Where the files are; it is made at the first `create`.
        cache_bytes: Memory for the spaces that were searched last.
    """

    def __init__(self, folder: Path, *, cache_bytes: int = CACHE_BYTES) -> None:
        self._folder = folder
        self._cache = MatrixCache(cache_bytes)
        self._lock = threading.Lock()
        self._opened: dict[str, EmbeddedIndex] = {}

    @property
    def is_remote(self) -> bool:
        """It is not."""
        return False

    @property
    def cached_bytes(self) -> int:
        """Memory that spaces take now."""
        return self._cache.nbytes

    @property
    def is_off(self) -> bool:
        """False."""
        return False

    def create(self, generation: Generation) -> EmbeddedIndex:
        """An empty index; what an interrupted attempt left is replaced.

        Raises:
            IndexUnavailable: ``index_unreachable`` when the folder can't be written.
        """
        with self._lock:
            self._drop(generation)
            path = self._path(generation)
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            except OSError as error:
                raise _unreachable(path, error) from error
            with translated():
                connection = index_schema.connect(path)
                try:
                    index_schema.create(connection, generation)
                finally:
                    connection.close()
            return self._open(generation)

    def open(self, generation: Generation) -> EmbeddedIndex:
        """The index of a generation made before.

        Raises:
            IndexUnavailable: ``index_missing`` when its file is gone or of another release, ``index_corrupt`` when it
                is damaged or something else; either way it has to be rebuilt.
        """
        with self._lock:
            opened = self._opened.get(generation.id)
            if opened is not None and opened.generation == generation and opened.is_there:
                return opened
            return self._open(generation)

    def drop(self, generation: Generation) -> None:
        """Make the generation's file be gone; fine when it is not there."""
        with self._lock:
            self._drop(generation)

    def sweep(self, named: Collection[str]) -> int:
        """Delete the files of generations whose ids are not among `named`; how many generations that were.

        Only while nobody makes an index: one has its file before the table names it. What can't be deleted stays.
        """
        swept = 0
        with self._lock:
            for path in sorted(self._folder.glob("index-*.db")):
                name = path.name.removeprefix("index-").removesuffix(".db")
                if name in named or name in self._opened:
                    continue
                with suppress(OSError):
                    _unlink(path)
                    swept += 1
        return swept

    def close(self) -> None:
        """Close every file. The last process to do so leaves them without logs."""
        with self._lock:
            while self._opened:
                self._close(self._opened.popitem()[1])

    def _open(self, generation: Generation) -> EmbeddedIndex:
        self._forget(generation)
        file = IndexFile(self._path(generation), generation)
        opened = self._opened[generation.id] = EmbeddedIndex(generation, file, self._cache)
        return opened

    def _drop(self, generation: Generation) -> None:
        self._forget(generation)
        path = self._path(generation)
        try:
            _unlink(path)
        except OSError as error:
            raise _unreachable(path, error) from error

    def _forget(self, generation: Generation) -> None:
        opened = self._opened.pop(generation.id, None)
        if opened is not None:
            self._close(opened)

    def _close(self, opened: EmbeddedIndex) -> None:
        opened.file.close()
        self._cache.forget(opened.file)

    def _path(self, generation: Generation) -> Path:
        return self._folder / f"index-{generation.id}.db"


class EmbeddedIndex:
    """One generation. Any number of threads and processes may use it at once."""

    def __init__(self, generation: Generation, file: IndexFile, cache: MatrixCache) -> None:
        self.generation = generation
        self.file = file
        self._cache = cache

    @property
    def is_there(self) -> bool:
        """Whether its file still is."""
        return self.file.is_there

    def check(self) -> None:
        """Nothing: what `open` gives was looked at."""

    def upsert(self, entries: Iterable[Entry]) -> None:
        """Make these entries be there, some hundred in a transaction; visible when it returns."""
        rest = iter(entries)
        while some := list(islice(rest, _WRITTEN_AT_ONCE)):
            for entry in some:
                self._require_dimensions(entry.vectors.shape[1:])
            distinct = newest(some)
            with self.file.writing() as connection:
                batch = Batch(connection)
                batch.put(distinct)
                batch.finish()

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        """Make these entries be gone; keys that are not there are fine."""
        rest = iter(removals)
        while some := list(islice(rest, _WRITTEN_AT_ONCE)):
            with self.file.writing() as connection:
                batch = Batch(connection)
                batch.remove(space, some)
                batch.finish()

    def held(self, space: SpaceId, keys: Sequence[str]) -> Collection[str]:
        """Which of these entries are there."""
        with self.file.reading() as connection:
            return index_reads.present(connection, space, keys)

    def wipe(self) -> bool:
        """Merge away the postings of what was removed, and let no log of SQLite hold it."""
        return self.file.wipe()

    @property
    def needs_sweeps(self) -> bool:
        """False: a file never holds an entry twice, and each write is whole."""
        return False

    def sweep(self, space: SpaceId, gone: Gone, after: str = "") -> Swept:
        """Nothing."""
        return Swept(0)

    def keyword(self, search: Search) -> Matches:
        """Entries with at least one of the terms that pass the filters, best first by BM25 of the space."""
        with self._view(search.space) as view:
            if view is None:
                return Matches(NO_CANDIDATES, Statistics(0, 0.0, {}))
            known = index_reads.known_terms(view.connection, view.state.id, search.terms)
            figures = _statistics(view.facets, known)
            if not known:
                return Matches(NO_CANDIDATES, figures)
            positions = view.likely(
                list(known.values()), view.passing(search), _more_than(search.limit, _SPARE_BY_WORDS)
            )
            asked = [known.get(term) for term in search.terms]
            rows = self._rows(view, positions, asked)
            frequencies = [term.entries if term else 0 for term in asked]
            facets = view.facets
            scores = ranking.bm25_all(rows.counts, rows.lengths, frequencies, facets.entries, facets.mean_length)
            scores[~rows.counts.any(axis=1)] = np.nan
            return Matches(_candidates(view, rows).best(scores, search.limit), figures)

    def vector(self, search: Search) -> Candidates:
        """The entries that pass the filters and lie nearest to the vector as they are seen; empty without a vector."""
        with self._view(search.space) as view:
            if view is None:
                return NO_CANDIDATES
            passing, known = view.passing(search), index_reads.known_terms(view.connection, view.state.id, search.terms)
            query = self._query(search)  # as late as can be, since it may be waited for
            if query is None:
                return NO_CANDIDATES
            along = search.along(query)
            positions = view.snapshot.nearest(along, passing, _more_than(search.limit, _SPARE_BY_VECTOR))
            rows = self._rows(view, positions, [known.get(term) for term in search.terms])
            return _candidates(view, rows).along(along, search.limit)

    def around(self, search: Search, places: Sequence[Place]) -> Candidates:
        """What was said within reach of these places."""
        with self._view(search.space) as view:
            if view is None or not places:
                return NO_CANDIDATES
            known = index_reads.known_terms(view.connection, view.state.id, search.terms)
            positions = view.snapshot.positions(index_reads.around(view.connection, view.state.id, places))
            standing = positions[view.standing(search.filters.statuses)[positions]]
            return _candidates(view, self._rows(view, standing, [known.get(term) for term in search.terms]))

    def sample(self, space: SpaceId, limit: int) -> Candidates:
        """At most so many entries, at equal distances."""
        with self._view(space) as view:
            if view is None:
                return NO_CANDIDATES
            there = np.flatnonzero(view.snapshot.alive)
            return _candidates(view, self._rows(view, there[:: max(1, -(-len(there) // limit))], ()))

    def statistics(self, space: SpaceId, terms: Sequence[str]) -> Statistics:
        """The space's own figures for these terms."""
        with self.file.reading() as connection:
            state = index_reads.space_state(connection, space)
            if state is None:
                return Statistics(0, 0.0, {})
            facets = index_reads.facets(connection, state.id)
            known = index_reads.known_terms(connection, state.id, terms)
        return _statistics(facets, known)

    @contextmanager
    def _view(self, space: SpaceId) -> Iterator[View | None]:
        """The space as it is now; None when nothing was ever put into it."""
        with self.file.reading() as connection:
            state = index_reads.space_state(connection, space)
            if state is None:
                yield None
                return
            matrix = self._cache.get(self.file, state.id, self.generation.model.dimensions)
            yield View(connection, state, matrix.at(connection, state), index_reads.facets(connection, state.id))
            self._cache.weigh(self.file, state.id)

    def _rows(self, view: View, positions: Integers, terms: Sequence[Term | None]) -> Rows:
        dimensions = self.generation.model.dimensions
        return index_reads.rows(view.connection, view.snapshot.ids[positions], terms, dimensions)

    def _query(self, search: Search) -> Vector | None:
        vector = search.vector()
        if vector is None:
            return None
        self._require_dimensions(vector.shape)
        return np.ascontiguousarray(vector, np.float32)

    def _require_dimensions(self, shape: tuple[int, ...]) -> None:
        expected = self.generation.model.dimensions
        if shape != (expected,):
            raise ValueError(f"a vector of {shape} numbers does not belong into an index of {expected}")


def _unlink(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _statistics(facets: Facets, known: Mapping[str, Term]) -> Statistics:
    return Statistics(facets.entries, facets.mean_length, {term: found.entries for term, found in known.items()})


def _more_than(limit: int, divisor: int) -> int:
    return limit + max(limit // divisor, _LEAST_SPARE)


def _candidates(view: View, rows: Rows) -> Candidates:
    kinds = {number: view.facets.kind(number) for number in set(rows.facets)}
    of_each = [kinds[facet] for facet in rows.facets]
    return Candidates(rows.keys, of_each, rows.counts, rows.lengths, rows.dated, rows.passages, rows.sayings)


def _unreachable(path: Path, error: OSError) -> IndexUnavailable:
    return IndexUnavailable("index_unreachable", f"the search index {path} can't be written ({error.strerror})")
