"""What the arms of one space propose, made one pool and scored by our own formulas."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import isnan

import numpy as np

from palimpsest.domain import ranking
from palimpsest.domain.asking import lifting
from palimpsest.domain.asking.dates import AskedDates
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.domain.instants import UNDATED
from palimpsest.domain.matching import Floats, Integers
from palimpsest.ports.search_index import Candidates, Statistics
from palimpsest.stores.changes import Change, Effect
from palimpsest.usecases.question import Question


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score, the parts of it, and the arms that proposed it. `number` is 0 of a chunk."""

    root: RootId
    number: int
    score: float
    similarity: float | None
    parts: Mapping[str, float]
    why: tuple[str, ...]

    @property
    def ref(self) -> tuple[RootId, int]:
        return self.root, self.number

    @property
    def chunk(self) -> ChunkId | None:
        """The chunk that it is; None for a version of a belief."""
        return None if self.number else ChunkId(self.root)


@dataclass(frozen=True, slots=True)
class Pool:
    """The distinct candidates of one space, column by column.

    Attributes:
        counts: How often each of the query's terms occurs, shape (candidates, terms).
        similarities: Cosines with the query's vector; NaN for none.
        dated: Event date, else asserted, in microseconds since 1970; `UNDATED` where no arm knows it.
        proposed: What each arm has proposed.
    """

    keys: Sequence[str]
    counts: Integers
    lengths: Sequence[int]
    similarities: Floats
    dated: Integers
    proposed: Mapping[str, Collection[str]]

    @classmethod
    def of(cls, arms: Mapping[str, Candidates], tail: Mapping[RootId, Change]) -> Pool:
        """What the arms propose, of the same key the first that has a similarity, without what the tail says is hidden.

        The tail's own candidates come first: its word on a belief is the last one.
        """
        given = [candidates for candidates in arms.values() if len(candidates)]
        proposed = {arm: frozenset(candidates.keys) for arm, candidates in arms.items()}
        if not given:
            return cls((), np.empty((0, 0), np.int64), (), np.empty(0), np.empty(0, np.int64), proposed)
        keys = list(chain.from_iterable(candidates.keys for candidates in given))
        lengths = list(chain.from_iterable(candidates.lengths for candidates in given))
        similarities = np.concatenate([candidates.similarities() for candidates in given])
        dated: dict[str, int] = {}
        for key, each in chain.from_iterable(zip(one.keys, one.dated, strict=True) for one in given):
            dated[key] = max(each, dated.get(key, UNDATED))
        hidden = {root for root, change in tail.items() if change.effect is Effect.HIDE}
        kept = _first_comparable(keys, np.isnan(similarities).tolist(), hidden)
        return cls(
            [keys[row] for row in kept],
            np.concatenate([candidates.counts for candidates in given])[kept],
            [lengths[row] for row in kept],
            similarities[kept],
            np.array([dated[keys[row]] for row in kept], np.int64),
            proposed,
        )

    def only(self, keys: Collection[str]) -> Pool:
        """Without all others."""
        rows = [row for row, key in enumerate(self.keys) if key in keys]
        kept, lengths = [self.keys[row] for row in rows], [self.lengths[row] for row in rows]
        return Pool(kept, self.counts[rows], lengths, self.similarities[rows], self.dated[rows], self.proposed)

    def ranked(
        self,
        statistics: Statistics,
        question: Question,
        votes: Mapping[str, float] | None = None,
        dates: AskedDates | None = None,
    ) -> Ranking:
        """All candidates, best first; equal scores by key.

        Args:
            statistics: The space's own figures.
            question: The query's terms.
            votes: Of the entity arm, by key.
            dates: The time that the query names.
        """
        if not self.keys:
            return Ranking({}, (), {}, self)
        scores = {"vector": self.similarities}
        if votes:
            scores["entity"] = np.array([votes.get(key, np.nan) for key in self.keys])
        if question.terms:
            scores["keyword"] = ranking.bm25_all(
                self.counts,
                self.lengths,
                question.counted(statistics.frequencies),
                statistics.entries,
                statistics.mean_length,
                question.alternatives,
                question.weights,
            )
        fused = ranking.fuse(scores)
        total, parts = fused.total, {arm: part.tolist() for arm, part in fused.parts.items()}
        if dates is not None:
            is_within = lifting.within(dates, self.dated) | question.tells_the_time(self.counts)
            total = lifting.lifted(total, is_within, lifting.share_of(dates))
            parts["date"] = is_within.astype(np.float64).tolist()
        order = ranking.by_score(total, self.keys)
        return Ranking({self.keys[place]: place for place in order}, total.tolist(), parts, self)


def _first_comparable(keys: Sequence[str], is_unknown: Sequence[bool], hidden: Collection[RootId]) -> list[int]:
    """The rows that stay: of each key the first with a similarity, else the first; none of what is hidden."""
    rows: dict[str, int] = {}
    for row, key in enumerate(keys):
        first = rows.setdefault(key, row)
        if is_unknown[first] and not is_unknown[row]:
            rows[key] = row
    if not hidden:
        return list(rows.values())
    return [row for key, row in rows.items() if parse_entry_key(key)[0] not in hidden]


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
        similarity = float(self.pool.similarities[place])
        why = tuple(arm for arm, keys in self.pool.proposed.items() if key in keys)
        return Scored(root, number, self.totals[place], None if isnan(similarity) else similarity, parts, why)


def entry_key(root: RootId, number: int) -> str:
    """The key of a memory's version in the index."""
    return f"{root}#{number:08d}"


def is_of_chunk(key: str) -> bool:
    """The entry stands for a chunk."""
    return "#" not in key


def parse_entry_key(key: str) -> tuple[RootId, int]:
    """The version that `entry_key` names; what is no version of a belief has the number 0."""
    root, _, number = key.partition("#")
    return RootId(root), int(number or 0)
