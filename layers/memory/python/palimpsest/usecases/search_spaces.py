"""Search spaces: for each its arms, one pool, our scores."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta

from palimpsest.domain.errors import IndexUnavailable, TableError
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import ASLEEP, GONE, Generation, Search
from palimpsest.stores.spaces import Space
from palimpsest.stores.surveys import Surveys
from palimpsest.usecases import arms
from palimpsest.usecases.answers import ArmReport
from palimpsest.usecases.arm_health import ArmHealth
from palimpsest.usecases.arms import Arm, Fared
from palimpsest.usecases.entity_arm import EntityArm
from palimpsest.usecases.exact_arm import ExactArm
from palimpsest.usecases.rank_space import Ranked, RankSpace
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.space_search import SpaceSearch, Understood

_ALONE_BOX = timedelta(milliseconds=400)
"""With the box of the arms before it a recall stays under two seconds."""


@dataclass(frozen=True, slots=True)
class SearchSpaces:
    """Searches some spaces at once. `model`: whose vectors a query has.

    Arms that wait for a network run side by side, and have threads of their own (`engine_executor`), so that an engine
    that hangs never keeps the table from answering. Those that compute in this process take turns in one thread, since
    two would only take the interpreter from each other (10,000 memories: a tenth more processor time side by side). All
    begin while the query is still being embedded, and wait for its vector where they need it.
    """

    searching: Searching
    executor: Executor
    model: Model
    entity_arm: EntityArm
    exact_arm: ExactArm
    engine_executor: Executor
    surveys: Surveys
    rank_space: RankSpace
    health: ArmHealth

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
        for run in runs:
            run.tell_mute(deadline)
        ranked = [self.rank_space(run.work, run.fared, deadline) for run in runs]
        for each in ranked:
            self.health.count(each.reports)
        return ranked

    def speakers(self, spaces: Iterable[Space]) -> list[str]:
        """Who speaks in what these spaces hold, folded, as far as that is known."""
        with suppress(TableError):
            return [speaker for space in spaces for speaker in self.surveys.read(space.id, self.model).speakers]
        return []

    def _begin(self, space: Space, search: Search, understood: Understood) -> _Run:
        work = SpaceSearch(
            self.searching,
            self.model,
            space,
            search,
            understood,
            *self._answering(),
            self.entity_arm,
            self.exact_arm,
            self.surveys,
        )
        mute = self.executor.submit(self.health.mute_in, space.id, work.generation)
        tail, keyword, vector = Arm("tail", work.tail), Arm("keyword", work.keyword), Arm("vector", work.vector)
        entity, exact = Arm("entity", work.entity), Arm("exact", work.exact)
        is_remote = self.searching.indexes.is_remote
        if is_remote:
            arms.start(self.executor, [[tail, entity]])
            arms.start(self.engine_executor, [[keyword], [vector], [exact]])
        else:
            arms.start(self.engine_executor, [[tail, entity, exact, keyword, vector]])
        return _Run(work, [tail, keyword, vector, entity, exact], mute)

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
    """The arms of one space, how each fared once they are finished, and which are known to be mute there."""

    work: SpaceSearch
    arms: Sequence[Arm]
    mute: Future[frozenset[str]]
    fared: dict[str, Fared] = field(default_factory=dict)

    def finish(self, deadline: float) -> None:
        """Wait until the last is done or the deadline is over."""
        self.fared = {arm.name: arm.finish(deadline) for arm in self.arms}

    def tell_mute(self, deadline: float) -> None:
        """In the reports of those that are, as far as that is known by the deadline."""
        with suppress(FutureTimeout):
            for name in self.mute.result(timeout=max(0.0, deadline - time.perf_counter())) & self.fared.keys():
                candidates, report = self.fared[name]
                self.fared[name] = candidates, report.found_mute()

    def alone(self) -> Arm:
        """The tail again, as it is without an index."""
        self.work = replace(self.work, generation=None, tails=[])
        return Arm("tail", self.work.tail)

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
        return [report for name, (_, report) in self.fared.items() if name not in ("tail", "entity", "exact")]
