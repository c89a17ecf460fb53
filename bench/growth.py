"""How the embedded index grows with a space: time of its two searches in this process, memory, and what it passes over.

The folder is seeded by the product's own saves, with made-up talk and vectors. `found` is the part of the exactly
nearest hundred, by whole vectors, that the vector search gives, which looks at sketches and eight-bit codes first. Of
made-up vectors most of those are near by chance, so with ``--locomo`` the same is told of real ones: the questions of
LoCoMo among its turns and made-up texts, all embedded.
"""

from __future__ import annotations

import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from harness import command, folders, locomo_data, machine, report, seeding
from harness.talk import Talk
from harness.timing import Spread
from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.search_index import EmbeddedIndex, EmbeddedIndexes
from palimpsest.adapters.models.e5 import E5
from palimpsest.adapters.models.e5_engine import fastest_engine
from palimpsest.domain.analysis import query_words
from palimpsest.domain.belief import Status
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.matching import Vectors
from palimpsest.domain.whitening import SAMPLE, Whitening
from palimpsest.ports.search_index import Entry, Generation, Kind, Search
from palimpsest.wiring.wired import Wired

SPACE = "bench"
LIMIT = 100
_SEED = 5
_READ_AT_ONCE = 8_192
_QUESTIONS = 300
_SPACE = SpaceId("real")


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
    found = _found_of_real(options.locomo, options.among) if options.locomo else {}
    if found:
        report.table(
            f"real vectors, {options.among:,} of made-up texts", ("of the nearest", "found"), list(found.items())
        )
    report.facts(machine.facts("made-up vectors"))
    report.write(options.out, {"sizes": [asdict(each) for each in grown], "real": found})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--sizes", type=folders.sizes, default=folders.sizes("10000,100000"), metavar="N,N")
    parser.add_argument("--queries", type=int, default=100, metavar="N")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="in LoCoMo's format")
    parser.add_argument("--among", type=int, default=20_000, metavar="N", help="made-up texts beside its turns")
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


def _found_of_real(path: Path, among: int) -> dict[int, float]:
    """By how many are asked for: the part of the nearest turns and texts that is found, as recall asks."""
    conversations = locomo_data.read(path)
    texts = [turn.content for each in conversations for turn in each.turns] + list(Talk(_SEED).turns(among))
    questions = [question.text for each in conversations for question in each.questions][:_QUESTIONS]
    with tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as folder:
        embedder = E5(fastest_engine(Path(folder) / "model"))
        index = EmbeddedIndexes(Path(folder)).create(Generation("real", embedder.model, 1))
        index.upsert(_entry(number, each) for number, each in enumerate(embedder.passages(texts)))
        whitening = Whitening.learn(index.sample(_SPACE, SAMPLE).passages.vectors)
        asked = [
            Search(_SPACE, (), _giving(embedder.query(each)), limit=LIMIT, whitening=whitening) for each in questions
        ]
        return {most: _found(index, asked, most) for most in (10, LIMIT)}


def _entry(number: int, vectors: Vectors) -> Entry:
    said = "memory", "L0", frozenset[bytes](), datetime.now(UTC)
    return Entry(f"{number}", _SPACE, Kind.MEMORY, Status.CURRENT, *said, (), 1, vectors, 1)


def _found(index: EmbeddedIndex, searches: Sequence[Search], most: int = LIMIT) -> float:
    exact = _nearest(index, searches[0].space, searches, most)
    given = [frozenset(index.vector(search).keys) for search in searches]
    return float(np.mean([len(one & other) / max(len(one), 1) for one, other in zip(exact, given, strict=True)]))


def _nearest(index: EmbeddedIndex, space: SpaceId, searches: Sequence[Search], most: int) -> list[frozenset[str]]:
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
            best = np.argsort(-scores, axis=1)[:, :most]
            scores, numbers = np.take_along_axis(scores, best, 1), np.take_along_axis(numbers, best, 1)
            after = int(new.ids[-1])
        return [frozenset(index_reads.rows(connection, np.sort(row), (), dimensions).keys) for row in numbers]


if __name__ == "__main__":
    main()
