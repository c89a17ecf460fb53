"""Search one space: its arms side by side, one pool, our scores."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import timedelta

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import Search, Statistics
from palimpsest.stores.keys import model_digest
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail
from palimpsest.usecases import arms
from palimpsest.usecases.answers import ArmReport
from palimpsest.usecases.arms import LATE, Arm, Degraded, Fared, Found, Skip
from palimpsest.usecases.candidates import Pool, Question, Ranking, from_tail, tail_statistics
from palimpsest.usecases.searching import ASLEEP, OFF, Opened, Searching

_ALONE_BOX = timedelta(milliseconds=400)
"""With the box of the arms before it a recall stays under two seconds."""

_SILENCE = frozenset({LATE, "index_timeout", ASLEEP})
"""Reasons of arms that may have met an engine that sleeps."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The query as the arms take it. `vector_reason`: why there is no vector."""

    question: Question
    vector: Vector | None
    vector_reason: str | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """The pool of one space, best first, and how its arms fared."""

    space: Space
    ranking: Ranking
    reports: tuple[ArmReport, ...]


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """Searches. `model`: whose vectors a query has.

    Arms that wait for a network run side by side. Those that compute in this process take turns in one thread, since
    two would only take the interpreter from each other (10,000 memories: 8 ms in turn, 13 side by side).
    """

    searching: Searching
    executor: Executor
    model: Model

    def __call__(self, space: Space, search: Search, understood: Understood, deadline: float) -> Ranked:
        """Ask every arm, wait until the last is done or the deadline (of `arms.deadline`) is over, and rank."""
        opened, reason = self._open()
        work = _Work(self.searching, self.model, space, search, understood, opened, reason)
        started = [Arm("tail", work.tail), Arm("keyword", work.keyword), Arm("vector", work.vector)]
        arms.start(self.executor, started, side_by_side=self.searching.indexes.is_remote)
        done = {arm.name: arm.finish(deadline) for arm in started}
        asked = [report for name, (_, report) in done.items() if name != "tail"]
        if opened is not None and not any(report.has_searched for report in asked):
            if self.searching.indexes.is_remote and any(report.reason in _SILENCE for report in asked):
                self.searching.found_asleep()
            work = replace(work, opened=None, tails=[])
            done["tail"] = self._alone(work)
        return work.ranked(done)

    def _alone(self, work: _Work) -> Fared:
        """What the newest rows of the table say by themselves, since no arm of the index has said anything."""
        arm = Arm("tail", work.tail)
        arms.start(self.executor, [arm], side_by_side=True)
        return arm.finish(arms.deadline(_ALONE_BOX))

    def _open(self) -> tuple[Opened | None, str]:
        try:
            return self.searching.active(), ""
        except IndexUnavailable:
            self.searching.forget()  # another generation may answer by now
        try:
            return self.searching.active(), ""
        except IndexUnavailable as error:
            return None, error.reason


@dataclass(slots=True)
class _Work:
    """What the arms of one search do; `figures` and `tails` are what they learn by the way, one at most."""

    searching: Searching
    model: Model
    space: Space
    search: Search
    understood: Understood
    opened: Opened | None
    reason: str
    figures: list[Statistics] = field(default_factory=list)
    tails: list[Tail] = field(default_factory=list)

    def keyword(self) -> Found:
        opened = self._opened()
        if not self.search.terms:
            raise Skip("no_terms")
        candidates = opened.index.keyword(self.search)
        self.figures.append(opened.index.statistics(self.space.id, self.search.terms))
        return Found(candidates)

    def vector(self) -> Found:
        opened = self._opened()
        if opened.generation.model != self.model:
            raise Degraded("other_model")
        if self.search.vector is None:
            raise Degraded(self.understood.vector_reason or "no_vector")
        return Found(opened.index.vector(self.search))

    def tail(self) -> Found:
        tail = self.searching.tail(self.space, self.opened)
        self.tails.append(tail)
        candidates = from_tail(tail.newest, self.search.terms, self.search.vector, model_digest(self.model))
        if tail.is_truncated:
            return Found(candidates, "tail_truncated", tail.lag)
        return Found(candidates, "unreadable_rows" if tail.unreadable else None)

    def ranked(self, done: Mapping[str, Fared]) -> Ranked:
        """What the arms gave, made one pool and put in order."""
        pool = Pool()
        for name, (candidates, _) in done.items():
            pool.add(name, candidates)
        newest = self.tails[0].newest if self.tails else {}
        pool.correct(newest)
        figures = self.figures[0] if self.figures and self.figures[0].entries else tail_statistics(newest)
        ranking = pool.ranked(figures, self.understood.question)
        return Ranked(self.space, ranking, tuple(report for _, report in done.values()))

    def _opened(self) -> Opened:
        if self.reason == ASLEEP:
            raise Degraded(ASLEEP)
        if self.reason == OFF:
            raise Skip(OFF)
        if self.opened is None:
            raise IndexUnavailable(self.reason, "the search index does not answer")
        return self.opened
