"""Entries and searches in few words, and what the port says about them, computed plainly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

import numpy as np

from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.instants import microseconds
from palimpsest.domain.talk import ALONE, Cue, Place, Said
from palimpsest.domain.traits import tag_labels
from palimpsest.domain.version import MemoryType
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import (
    Candidates,
    Entry,
    Generation,
    Kind,
    Removal,
    Search,
    SearchIndex,
    Statistics,
)

DIMENSIONS = 8
MODEL = Model("sample", "1", DIMENSIONS)
HERE = SpaceId("spc_here")
THERE = SpaceId("spc_there")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
EVERYTHING = Filters(statuses=())

T = TypeVar("T")


@dataclass
class Showing:
    """Makes what was written show, on the backend under test; its fixture says how."""

    now: Callable[[], object] = lambda: None


SHOWING = Showing()


def generation(number: int, model: Model = MODEL, schema: int = 1) -> Generation:
    return Generation(f"01J{number:023d}", model, schema)


def vectors(*seeds: int, dimensions: int = DIMENSIONS) -> Vector:
    """A unit vector for each seed, which the index can hold without rounding more than it does anyway."""
    rows = [np.random.default_rng(seed).standard_normal(dimensions) for seed in seeds]
    found = np.array(rows, np.float32).reshape(-1, dimensions)
    unit: Vector = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16).astype(np.float32)
    return unit


def entry(
    key: str,
    terms: str = "",
    *seeds: int,
    space: SpaceId = HERE,
    status: Status = Status.CURRENT,
    memory_type: MemoryType = MemoryType.FACT,
    level: str = "L0",
    tags: tuple[str, ...] = (),
    labels: frozenset[bytes] = frozenset(),
    dated_at: datetime = NOON,
    length: int | None = None,
    revision: int = 1,
    said: Said = ALONE,
) -> Entry:
    """`terms` apart by spaces; a passage for each seed."""
    words = tuple(terms.split())
    return Entry(
        key=key,
        space=space,
        kind=Kind.MEMORY,
        status=status,
        memory_type=memory_type,
        level=level,
        labels=tag_labels(tags) | labels,
        dated_at=dated_at,
        terms=words,
        length=len(words) if length is None else length,
        vectors=vectors(*seeds),
        revision=revision,
        said=said,
    )


def removals(*keys: str, revision: int = 1) -> list[Removal]:
    return [Removal(key, revision) for key in keys]


def search(
    terms: str = "", seed: int | None = None, *, space: SpaceId = HERE, filters: Filters = EVERYTHING, limit: int = 200
) -> Search:
    vector = None if seed is None else vectors(seed)[0]
    return Search(space, tuple(terms.split()), lambda: vector, filters, limit=limit)


class Row(NamedTuple):
    """What is told of one candidate. `similarity`: with the vector that is searched for, to four decimals."""

    key: str
    kind: Kind
    counts: tuple[int, ...]
    length: int
    similarity: float | None
    dated: int = microseconds(NOON)
    said: Said = ALONE


def keys(candidates: Candidates | Sequence[Row]) -> list[str]:
    if isinstance(candidates, Candidates):
        return list(candidates.keys)
    return [row.key for row in candidates]


def seen(look: Callable[[], T], expected: T) -> T:
    """What `look` gives when everything that was written shows; `expected`: what the test will want it to be."""
    SHOWING.now()
    return look()


def sweep(index: SearchIndex, *gone: Removal, space: SpaceId = HERE) -> int:
    """Sweep a space whole, part by part; how much that took out."""
    taken, after = index.sweep(space, lambda keys: [each for each in gone if each.key in keys])
    while after is not None:
        more, after = index.sweep(space, lambda keys: [each for each in gone if each.key in keys], after)
        taken += more
    return taken


def statistics_of(entries: Iterable[Entry], terms: Sequence[str]) -> Statistics:
    """The figures of these entries; terms that occur nowhere are left out."""
    held = list(entries)
    mean = sum(each.length for each in held) / len(held) if held else 0.0
    frequencies = {term: sum(term in each.terms for each in held) for term in terms}
    return Statistics(len(held), mean, {term: count for term, count in frequencies.items() if count})


def known(statistics: Statistics) -> Statistics:
    """The figures without the terms that occur nowhere, which an index may give or leave out."""
    found: Mapping[str, int] = {term: count for term, count in statistics.frequencies.items() if count}
    return Statistics(statistics.entries, statistics.mean_length, dict(found))


def candidate_of(each: Entry, asked: Search) -> Row:
    """The candidate that the entry makes for a search."""
    similarity = None
    vector = asked.vector()
    if vector is not None and len(each.vectors):
        held, query = each.vectors.astype(np.float64), vector.astype(np.float64)
        cosines = held @ query / np.linalg.norm(held, axis=1) / np.linalg.norm(query)
        similarity = round(float(cosines.max()), 4)
    counts = tuple(each.terms.count(term) for term in asked.terms)
    return Row(each.key, each.kind, counts, each.length, similarity, microseconds(each.dated_at), each.said)


def rows(candidates: Candidates, asked: Search) -> list[Row]:
    """As `candidate_of` gives them."""
    near = candidates.passages.cosines(asked.vector())
    sayings = candidates.sayings
    return [
        Row(
            key,
            candidates.kinds[i],
            tuple(candidates.counts[i].tolist()),
            int(candidates.lengths[i]),
            None if np.isnan(near[i]) else round(float(near[i]), 4),
            int(candidates.dated[i]),
            Said(
                Place(int(sayings.talks[i]), int(sayings.turns[i])) if sayings.talks[i] else None,
                sayings.speakers[i],
                Cue(int(sayings.cues[i])),
            ),
        )
        for i, key in enumerate(candidates.keys)
    ]
