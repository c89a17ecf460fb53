"""Search spaces: for each its arms, one pool, our scores."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, wait
from dataclasses import dataclass, field, replace
from datetime import timedelta

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import GONE, Generation, Search, Statistics
from palimpsest.stores.keys import model_digest
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail
from palimpsest.usecases import arms
from palimpsest.usecases.answers import ArmReport, ArmState
from palimpsest.usecases.arms import Arm, Degraded, Fared, Found, Skip
from palimpsest.usecases.candidates import Pool, Question, Ranking, from_tail, tail_statistics
from palimpsest.usecases.query_vector import QueryVector
from palimpsest.usecases.searching import ASLEEP, OFF, Searching

_ALONE_BOX = timedelta(milliseconds=400)
"""With the box of the arms before it a recall stays under two seconds."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The query as the arms take it."""

    question: Question
    vector: QueryVector


@dataclass(frozen=True, slots=True)
class Ranked:
    """The pool of one space, best first, and how its arms fared."""

    space: Space
    ranking: Ranking
    reports: tuple[ArmReport, ...]

    @property
    def has_searched(self) -> bool:
        """Every arm that does not stand still on purpose has searched, in its time."""
        return all(report.reason != arms.LATE and report.state != ArmState.FAILED for report in self.reports)


@dataclass(frozen=True, slots=True)
class SearchSpaces:
    """Searches some spaces at once. `model`: whose vectors a query has.

    Arms that wait for a network run side by side. Those that compute in this process take turns in one thread, since
    two would only take the interpreter from each other (10,000 memories: 8 ms in turn, 13 side by side). All begin
    while the query is still being embedded, and wait for its vector where they need it.
    """

    searching: Searching
    executor: Executor
    model: Model

    def __call__(self, searches: Mapping[Space, Search], understood: Understood, deadline: float) -> list[Ranked]:
        """Ask every arm of every space, wait for the last one or the deadline (of `arms.deadline`), and rank.

        Where no arm of the index has searched, the newest rows of the table answer alone, 0.4 s later at most.
        """
        runs = [self._begin(space, search, understood) for space, search in searches.items()]
        for run in runs:
            run.finish(deadline)
        if any(run.is_gone for run in runs) and self._has_moved(runs):
            runs = [self._begin(space, search, understood) for space, search in searches.items()]
            for run in runs:
                run.finish(deadline)
        self._fall_back([run for run in runs if run.is_unheard])
        return [run.ranked() for run in runs]

    def _begin(self, space: Space, search: Search, understood: Understood) -> _Run:
        work = _Work(self.searching, self.model, space, search, understood, *self._answering())
        tail, keyword, vector = Arm("tail", work.tail), Arm("keyword", work.keyword), Arm("vector", work.vector)
        lanes = [[keyword], [vector]] if self.searching.indexes.is_remote else [[keyword, vector]]
        arms.start(self.executor, [*lanes, [tail]])
        return _Run(work, [tail, keyword, vector])

    def _answering(self) -> tuple[Generation | None, str]:
        try:
            return self.searching.answering(), ""
        except IndexUnavailable as error:
            return None, error.reason

    def _has_moved(self, runs: Sequence[_Run]) -> bool:
        """Whether another generation answers by now than the one that was asked and is gone."""
        self.searching.forget()
        return self._answering()[0] != runs[0].work.generation

    def _fall_back(self, unheard: Sequence[_Run]) -> None:
        """What the newest rows of the table say by themselves; beside that it is noted what the index needs."""
        gone = {run.work.generation for run in unheard if run.is_gone and run.work.generation is not None}
        noting = [self.executor.submit(self.searching.found_gone, generation) for generation in gone]
        if any(run.is_asleep for run in unheard):
            noting.append(self.executor.submit(self.searching.found_asleep))
        alone = [(run, run.alone()) for run in unheard]
        arms.start(self.executor, [[arm] for _, arm in alone])
        ends = arms.deadline(_ALONE_BOX)
        for run, arm in alone:
            run.fared["tail"] = arm.finish(ends)
        wait(noting, timeout=max(0.0, ends - time.perf_counter()))


@dataclass(slots=True)
class _Run:
    """The arms of one space, and how each fared once they are finished."""

    work: _Work
    arms: Sequence[Arm]
    fared: dict[str, Fared] = field(default_factory=dict)

    def finish(self, deadline: float) -> None:
        """Wait until the last is done or the deadline is over."""
        self.fared = {arm.name: arm.finish(deadline) for arm in self.arms}

    def alone(self) -> Arm:
        """The tail again, as it is without an index."""
        self.work = replace(self.work, generation=None, tails=[])
        return Arm("tail", self.work.tail)

    def ranked(self) -> Ranked:
        """What the arms gave, made one pool and put in order."""
        return self.work.ranked(self.fared)

    @property
    def is_gone(self) -> bool:
        """The index that was asked seems to be gone."""
        return any(report.reason in GONE for report in self._asked)

    @property
    def is_asleep(self) -> bool:
        """The engine was found asleep, which nobody had noted yet."""
        return self.work.generation is not None and any(report.reason == ASLEEP for report in self._asked)

    @property
    def is_unheard(self) -> bool:
        """An index was asked and no arm of it has searched."""
        return self.work.generation is not None and not any(report.has_searched for report in self._asked)

    @property
    def _asked(self) -> list[ArmReport]:
        return [report for name, (_, report) in self.fared.items() if name != "tail"]


@dataclass(slots=True)
class _Work:
    """What the arms of one search do; `figures` and `tails` are what they learn by the way, one at most."""

    searching: Searching
    model: Model
    space: Space
    search: Search
    understood: Understood
    generation: Generation | None
    reason: str
    figures: list[Statistics] = field(default_factory=list)
    tails: list[Tail] = field(default_factory=list)

    def keyword(self) -> Found:
        generation = self._generation()
        if not self.search.terms:
            raise Skip("no_terms")
        index = self.searching.open(generation).index
        comparable = self.search if generation.model == self.model else replace(self.search, vector=_no_vector)
        matches = index.keyword(comparable)
        self.figures.append(matches.statistics)
        return Found(matches.candidates)

    def vector(self) -> Found:
        generation = self._generation()
        if generation.model != self.model:
            raise Degraded("other_model")
        index = self.searching.open(generation).index
        found = index.vector(self.search)
        if self.search.vector() is None:
            raise Degraded(self.understood.vector.reason or "no_vector")
        return Found(found)

    def tail(self) -> Found:
        tail = self.searching.tail(self.space, self.generation)
        self.tails.append(tail)
        candidates = from_tail(tail.changes, self.search.terms, self.search.vector(), model_digest(self.model))
        if tail.is_truncated:
            return Found(candidates, "tail_truncated", tail.lag)
        return Found(candidates, "unreadable_rows" if tail.unreadable else None)

    def ranked(self, done: Mapping[str, Fared]) -> Ranked:
        """What the arms gave, made one pool and put in order."""
        newest = self.tails[0].newest if self.tails else {}
        hiding = {} if self.search.filters.is_timed else newest  # retired since, it may have been believed then
        pool = Pool.of({name: candidates for name, (candidates, _) in done.items()}, hiding)
        figures = self.figures[0] if self.figures and self.figures[0].entries else tail_statistics(newest)
        ranking = pool.ranked(figures, self.understood.question)
        return Ranked(self.space, ranking, tuple(report for _, report in done.values()))

    def _generation(self) -> Generation:
        if self.reason == ASLEEP:
            raise Degraded(ASLEEP)
        if self.reason == OFF:
            raise Skip(OFF)
        if self.generation is None:
            raise IndexUnavailable(self.reason, "the search index does not answer")
        return self.generation


def _no_vector() -> None:
    """For an index whose vectors are not comparable."""
