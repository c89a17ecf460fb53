"""How the embedded index grows with a space: time of its two searches in this process, memory, and what it passes over.

The folder is seeded by the product's own saves, with made-up talk and vectors. `found` is the part of the exactly
nearest hundred, by whole vectors, that the vector search gives, which looks at sketches and eight-bit codes first.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from harness import command, folders, machine, report, seeding
from harness.talk import Talk
from harness.timing import Spread
from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.search_index import EmbeddedIndex, EmbeddedIndexes
from palimpsest.domain.analysis import query_words
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.matching import Vectors
from palimpsest.ports.search_index import Search
from palimpsest.wiring.wired import Wired

SPACE = "bench"
LIMIT = 100
_SEED = 5
_READ_AT_ONCE = 8_192


@dataclass(frozen=True, slots=True)
class Grown:
    """One size. `found`: 0 to 1."""

    memories: int
    keyword: Spread
    vector: Spread
    found: float
    memory_mb: float
    file_mb: float


def measure(folder: Path, memories: int, queries: int) -> Grown:
    """The figures of a seeded folder."""
    with seeding.opened(folder) as wired:
        index, searches = _searches(wired, queries)
        indexes = wired.service.recall.search_spaces.searching.indexes
        for search in searches:
            index.keyword(search)
            index.vector(search)
        keyword, vector = (_timed(ask, searches) for ask in (index.keyword, index.vector))
        found = _found(index, searches)
        memory = indexes.cached_bytes if isinstance(indexes, EmbeddedIndexes) else 0
    file = sum(each.stat().st_size for each in (folder / "index").iterdir())
    return Grown(memories, keyword, vector, found, memory / 2**20, file / 2**20)


def main() -> None:
    options = _options()
    grown = []
    for memories in options.sizes:
        with folders.seeded(memories, options.folders, SPACE, has_extra=False) as folder:
            grown.append(measure(folder, memories, options.queries))
    rows = [(g.memories, g.keyword.p50, g.keyword.p95, g.vector.p50, g.vector.p95, g.found, g.memory_mb, g.file_mb)
            for g in grown]  # fmt: skip
    head = ("memories", "keyword p50", "p95", "vector p50", "p95", "found", "in memory, MB", "file, MB")
    report.table("the embedded index, milliseconds", head, rows)
    report.facts(machine.facts("made-up vectors"))
    report.write(options.out, {"sizes": [asdict(each) for each in grown]})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--sizes", type=folders.sizes, default=folders.sizes("10000,100000"), metavar="N,N")
    parser.add_argument("--queries", type=int, default=100, metavar="N")
    parser.add_argument("--folders", type=Path, metavar="FOLDER", help="keep seeded folders there for another time")
    return parser.parse_args()


def _searches(wired: Wired, queries: int) -> tuple[EmbeddedIndex, list[Search]]:
    """What recalls of questions nobody asked before ask the index for."""
    recall = wired.service.recall
    searching, understand = recall.search_spaces.searching, recall.understand
    index = searching.open(searching.answering()).index
    (space,) = (each.id for each in wired.build_index.spaces.every() if each.name == SPACE)
    whitening = recall.search_spaces.surveys.read(space, recall.search_spaces.model).whitening
    searches = []
    for question in Talk(_SEED).questions(queries):
        words = query_words(question, understand.linguist)
        terms = tuple(dict.fromkeys(term for forms in words for term in forms))
        vector = understand.embedder.query(question)
        searches.append(Search(space, terms, _giving(vector), limit=LIMIT, whitening=whitening))
    if not isinstance(index, EmbeddedIndex):
        raise TypeError("the folder's index is no embedded one")
    return index, searches


def _giving(vector: Vectors) -> Callable[[], Vectors]:
    return lambda: vector


def _timed(ask: Callable[[Search], object], searches: Sequence[Search]) -> Spread:
    taken = []
    for search in searches:
        begun = time.perf_counter()
        ask(search)
        taken.append(time.perf_counter() - begun)
    return Spread.of(taken)


def _found(index: EmbeddedIndex, searches: Sequence[Search]) -> float:
    exact = _nearest(index, searches[0].space, searches)
    given = [frozenset(index.vector(replace(search, limit=LIMIT)).keys) for search in searches]
    return float(np.mean([len(one & other) / max(len(one), 1) for one, other in zip(exact, given, strict=True)]))


def _nearest(index: EmbeddedIndex, space: SpaceId, searches: Sequence[Search]) -> list[frozenset[str]]:
    """The keys of the nearest entries by their whole vectors, each compared with each query."""
    dimensions = index.generation.model.dimensions
    queries = np.stack([search.along(vector) for search in searches if (vector := search.vector()) is not None])
    scores = np.full((len(queries), 0), 0.0, np.float32)
    numbers = np.empty((len(queries), 0), np.int64)
    with index.file.reading() as connection:
        state = index_reads.space_state(connection, space)
        after = 0
        while state is not None and (new := index_reads.entries_after(connection, state.id, after, _READ_AT_ONCE)):
            vectors = np.frombuffer(new.vectors, "<f2").reshape(-1, dimensions).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            owners = np.broadcast_to(np.repeat(new.ids, new.passages), (len(queries), len(vectors)))
            scores, numbers = np.hstack([scores, queries @ vectors.T]), np.hstack([numbers, owners])
            best = np.argsort(-scores, axis=1)[:, :LIMIT]
            scores, numbers = np.take_along_axis(scores, best, 1), np.take_along_axis(numbers, best, 1)
            after = int(new.ids[-1])
        return [frozenset(index_reads.rows(connection, np.sort(row), (), dimensions).keys) for row in numbers]


if __name__ == "__main__":
    main()
