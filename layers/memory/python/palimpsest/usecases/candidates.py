"""What the arms of one space propose, made one pool and scored by our own formulas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from palimpsest.domain import ranking
from palimpsest.domain.ids import RootId
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Candidate, Kind, Statistics
from palimpsest.stores.changes import Change, Effect, Features


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score, the parts of it, and the arms that proposed it."""

    root: RootId
    number: int
    score: float
    similarity: float | None
    parts: Mapping[str, float]
    why: tuple[str, ...]

    @property
    def ref(self) -> tuple[RootId, int]:
        return self.root, self.number


@dataclass(frozen=True, slots=True)
class Question:
    """A query's terms: for each word the forms that it may have in a text."""

    words: tuple[tuple[str, ...], ...]

    @property
    def terms(self) -> tuple[str, ...]:
        """The distinct terms, in order."""
        return tuple(dict.fromkeys(term for forms in self.words for term in forms))

    @property
    def alternatives(self) -> list[list[int]]:
        """For each word the positions of its forms in `terms`."""
        position = {term: i for i, term in enumerate(self.terms)}
        return [[position[term] for term in forms] for forms in self.words]


@dataclass(slots=True)
class Pool:
    """Candidates of one space by entry key; the tail's word on a belief is the last one."""

    candidates: dict[str, Candidate] = field(default_factory=dict)
    proposed: dict[str, set[str]] = field(default_factory=dict)

    def add(self, arm: str, candidates: Sequence[Candidate]) -> None:
        """Put in what an arm proposes; of two with the same key the first that has a similarity stays."""
        given = {candidate.key: candidate for candidate in candidates}
        better = {
            key: given[key]
            for key in given.keys() & self.candidates.keys()
            if self.candidates[key].similarity is None and given[key].similarity is not None
        }
        self.candidates = given | self.candidates | better
        self.proposed[arm] = set(given)

    def correct(self, tail: Mapping[RootId, Change]) -> None:
        """Take out what the tail says is hidden."""
        hidden = {root for root, change in tail.items() if change.effect is Effect.HIDE}
        if not hidden:
            return
        for key in [key for key in self.candidates if parse_entry_key(key)[0] in hidden]:
            del self.candidates[key]

    def ranked(self, statistics: Statistics, question: Question) -> Ranking:
        """All candidates, best first; equal scores by key."""
        pool = list(self.candidates.values())
        if not pool:
            return Ranking({}, (), {}, self)
        scores = {"vector": np.array([np.nan if c.similarity is None else c.similarity for c in pool], np.float64)}
        if question.terms:
            scores["keyword"] = ranking.bm25_all(
                [c.counts for c in pool],
                [c.length for c in pool],
                [statistics.frequencies.get(term, 0) for term in question.terms],
                statistics.entries,
                statistics.mean_length,
                question.alternatives,
            )
        fused = ranking.fuse(scores)
        keys = list(self.candidates)
        order = ranking.by_score(fused.total, keys)
        parts = {arm: part.tolist() for arm, part in fused.parts.items()}
        return Ranking({keys[place]: place for place in order}, fused.total.tolist(), parts, self)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A pool in order; what is said of a candidate is put together only for those that somebody looks at.

    Attributes:
        places: Each key's place in the pool, best first.
        totals: Scores by place.
        parts: What each arm gave, by place.
    """

    places: Mapping[str, int]
    totals: Sequence[float]
    parts: Mapping[str, Sequence[float]]
    pool: Pool

    def __len__(self) -> int:
        return len(self.places)

    def has(self, root: RootId, number: int) -> bool:
        """That version is among the candidates."""
        return entry_key(root, number) in self.places

    def part(self, start: int, stop: int) -> list[Scored]:
        """The candidates from rank `start` to before rank `stop`."""
        return [self._scored(key, place) for key, place in islice(self.places.items(), start, stop)]

    def _scored(self, key: str, place: int) -> Scored:
        root, number = parse_entry_key(key)
        parts = {arm: scores[place] for arm, scores in self.parts.items()}
        similarity = self.pool.candidates[key].similarity
        why = tuple(arm for arm, keys in self.pool.proposed.items() if key in keys)
        return Scored(root, number, self.totals[place], similarity, parts, why)


def entry_key(root: RootId, number: int) -> str:
    """The key of a memory's version in the index."""
    return f"{root}#{number:08d}"


def parse_entry_key(key: str) -> tuple[RootId, int]:
    """The version that `entry_key` names."""
    root, _, number = key.partition("#")
    return RootId(root), int(number)


def from_tail(
    tail: Mapping[RootId, Change], terms: Sequence[str], vector: Vector | None, model: str
) -> list[Candidate]:
    """The changes that can answer, as candidates: at least one term, or a vector of `model` (a digest) to compare."""
    candidates = []
    for change in tail.values():
        if change.features is not None:
            comparable = vector if change.model == model else None
            candidate = _candidate(entry_key(change.root, change.number), change.features, terms, comparable)
            if any(candidate.counts) or candidate.similarity is not None:
                candidates.append(candidate)
    return candidates


def _candidate(key: str, features: Features, terms: Sequence[str], vector: Vector | None) -> Candidate:
    counted = Counter(features.terms)
    similarity = None
    if vector is not None and len(features.vectors):
        similarity = float((features.vectors @ vector).max())
    return Candidate(key, Kind.MEMORY, tuple(counted[term] for term in terms), features.length, similarity)


def tail_statistics(tail: Mapping[RootId, Change]) -> Statistics:
    """Figures of the tail alone, for when the index can't give the space's."""
    features = [change.features for change in tail.values() if change.features is not None]
    frequencies: Counter[str] = Counter()
    for each in features:
        frequencies.update(set(each.terms))
    mean = sum(each.length for each in features) / len(features) if features else 0.0
    return Statistics(len(features), mean, frequencies)
