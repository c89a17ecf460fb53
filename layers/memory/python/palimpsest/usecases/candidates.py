"""What the arms of one space propose, made one pool and scored by our own formulas."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import isnan, nan
from typing import Final

import numpy as np

from palimpsest.domain import ranking
from palimpsest.domain.asking import lifting
from palimpsest.domain.asking.dates import AskedDates
from palimpsest.domain.evidence import Texts
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.domain.scoring import Scores, share
from palimpsest.ports.search_index import Candidates, Kind, together
from palimpsest.stores.changes import Change, Effect
from palimpsest.usecases.question import Question

BESIDE = "talk"
"""Why something is found that no arm proposes: it stands beside in a talk."""

GRAPH = "graph"
"""Why something has the score that it has: a relation leads to it from something better."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The distinct candidates of one space.

    Attributes:
        candidates: What the arms propose, then what only stands beside that.
        proposed: What each arm has proposed.
    """

    candidates: Candidates
    proposed: Mapping[str, Collection[str]]

    @classmethod
    def of(cls, arms: Mapping[str, Candidates], tail: Mapping[RootId, Change]) -> Pool:
        """What the arms propose, of the same key the first that has vectors, without what the tail says is hidden.

        The tail's own candidates come first: its word on a belief is the last one.
        """
        proposed = {arm: frozenset(candidates.keys) for arm, candidates in arms.items()}
        return cls(_without(together(list(arms.values())), tail), proposed)

    def only(self, keys: Collection[str]) -> Pool:
        """Without all others."""
        rows = [row for row, key in enumerate(self.candidates.keys) if key in keys]
        return replace(self, candidates=self.candidates.take(np.array(rows, np.int64)))

    def beside(self, others: Sequence[Candidates], tail: Mapping[RootId, Change]) -> Pool:
        """With what stands beside the candidates."""
        if not any(map(len, others)):
            return self
        return replace(self, candidates=_without(together([self.candidates, *others]), tail))

    def texts(
        self, votes: Mapping[str, float], among: Collection[str] | None = None, asked_for: Collection[str] = ()
    ) -> Texts:
        """What scores are made of.

        Args:
            votes: Of the entity arm, by key.
            among: The keys of what may be a result; None: all.
            asked_for: Keys that the query names.
        """
        of_all = self.candidates
        given = np.array([votes.get(key, 0.0) for key in of_all.keys], np.float64)
        named = np.array([key in asked_for for key in of_all.keys], np.float64)
        answers = np.array([among is None or key in among for key in of_all.keys], np.bool_)
        return Texts(of_all.counts, of_all.lengths, of_all.passages, of_all.sayings, given, named, answers)

    def ranked(self, scores: Scores, question: Question, dates: AskedDates | None = None) -> Ranking:
        """Those that may be results, best first; equal scores by key. `dates`: the time that the query names."""
        keys, total = self.candidates.keys, share(scores.total)
        parts = {name: part.tolist() for name, part in scores.parts.items()} | {"covered": scores.covered.tolist()}
        if dates is not None:
            is_within = lifting.within(dates, self.candidates.dated) | question.tells_the_time(self.candidates.counts)
            total = lifting.lifted(total, is_within, lifting.share_of(dates))
            parts["date"] = is_within.astype(np.float64).tolist()
        order = ranking.by_score(np.where(scores.answers, total, np.nan), keys)
        places = {keys[place]: place for place in order}
        return Ranking(places, total.tolist(), scores.similarities.tolist(), parts, self.proposed)


def _without(candidates: Candidates, tail: Mapping[RootId, Change]) -> Candidates:
    """Without what the tail hides."""
    hidden = {root for root, change in tail.items() if change.effect is Effect.HIDE}
    if not hidden:
        return candidates
    kept = [row for row, key in enumerate(candidates.keys) if parse_entry_key(key)[0] not in hidden]
    return candidates.take(np.array(kept, np.int64))


@dataclass(frozen=True, slots=True)
class Ranking:
    """A pool in order; what is said of a candidate is put together only for those that somebody looks at.

    Attributes:
        places: Each key's place in the pool, best first.
        totals: Scores by place, 0 to 1.
        similarities: Cosines by place; NaN for none.
        parts: What each part of a score adds, by place.
        proposed: What each arm has proposed.
        given: By key the scores that the graph gives; what it alone brings has no parts.
    """

    places: dict[str, int]
    totals: Sequence[float]
    similarities: Sequence[float]
    parts: Mapping[str, Sequence[float]]
    proposed: Mapping[str, Collection[str]]
    given: Mapping[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.places)

    @property
    def lowest(self) -> float:
        """The score of the last of those that have it without the graph."""
        return next((self.totals[at] for key, at in reversed(self.places.items()) if key not in self.given), 0.0)

    def has(self, root: RootId, number: int) -> bool:
        """That version is among the candidates."""
        return entry_key(root, number) in self.places

    def of_kind(self, kind: Kind) -> Ranking:
        """Those that stand for this."""
        is_chunk = kind is Kind.CHUNK
        return replace(self, places={key: at for key, at in self.places.items() if is_of_chunk(key) == is_chunk})

    def giving(self, given: Mapping[str, float]) -> Ranking:
        """With the scores that the graph gives in place of lower ones, and what it alone brings."""
        if not given:
            return self
        fresh = [key for key in given if key not in self.places]
        places = dict(self.places) | {key: len(self.totals) + place for place, key in enumerate(fresh)}
        totals = [*self.totals, *(given[key] for key in fresh)]
        for key, score in given.items():
            totals[places[key]] = score
        keys = list(places)
        order = ranking.by_score(np.array([totals[place] for place in places.values()]), keys)
        return replace(
            self,
            places={keys[at]: places[keys[at]] for at in order},
            totals=totals,
            similarities=[*self.similarities, *(nan for _ in fresh)],
            given=given,
        )

    def part(self, start: int, stop: int) -> list[Scored]:
        """The candidates from rank `start` to before rank `stop`."""
        return [self._scored(key, place) for key, place in islice(self.places.items(), start, stop)]

    def _scored(self, key: str, place: int) -> Scored:
        root, number = parse_entry_key(key)
        parts = {arm: scores[place] for arm, scores in self.parts.items() if place < len(scores)}
        similarity = self.similarities[place]
        why = tuple(arm for arm, keys in self.proposed.items() if key in keys)
        if key in self.given:
            why, parts = (*why, GRAPH), parts | {GRAPH: self.given[key]}
        why = why or (BESIDE,)
        return Scored(root, number, self.totals[place], None if isnan(similarity) else similarity, parts, why)


NOTHING: Final = Ranking({}, (), (), {}, {})


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
