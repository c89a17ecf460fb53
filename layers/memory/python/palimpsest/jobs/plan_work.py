"""Look in the table for work that is due, and ask for it: what was asked for before and got lost goes on so.

It touches the table alone, never the index, so that a sleeping index is not woken by a schedule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.jobs.asking import Asking
from palimpsest.jobs.build_index import BuildIndex
from palimpsest.jobs.catch_up import FOLLOWED_AGAIN
from palimpsest.jobs.drop_index import DROPPED_AFTER
from palimpsest.jobs.migrate import Migrate
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.canaries import Canaries
from palimpsest.stores.changes import SURELY_KEPT
from palimpsest.stores.documents import Documents
from palimpsest.stores.dues import Dues
from palimpsest.stores.erasures import Erasures
from palimpsest.stores.generations import Generations
from palimpsest.stores.lagging import Lagging
from palimpsest.stores.learnings import Learnings
from palimpsest.stores.pending import Pending
from palimpsest.stores.runs import Runs
from palimpsest.stores.sweeps import Sweeps
from palimpsest.stores.unextracted import Unextracted
from palimpsest.stores.unjudged import Unjudged
from palimpsest.stores.unreinforced import Unreinforced
from palimpsest.stores.uploads import Uploads
from palimpsest.usecases.serving import Serving, Standing

_DROPPED_AGAIN = timedelta(hours=1)
_RUNS = 50
"""Runs that one plan asks for; those that move make room for the others."""
_ERASURES = 20
_DOCUMENTS = 50
_SPACES = 50
"""Asked for by one plan, at most."""


@dataclass(frozen=True, slots=True)
class PlanWork:
    """Asks for work that nobody does or was asked for. Twice is as good as once. `unjudged`: None without a model."""

    build_index: BuildIndex
    migrate: Migrate
    pending: Pending
    lagging: Lagging
    sweeps: Sweeps
    runs: Runs
    dues: Dues
    erasures: Erasures
    documents: Documents
    unextracted: Unextracted
    learnings: Learnings
    unreinforced: Unreinforced
    asking: Asking
    clock: Clock
    serving: Serving
    uploads: Uploads
    canaries: Canaries
    unjudged: Unjudged | None = None

    def __call__(self) -> int:
        """How much was asked for."""
        return sum(self._ask(work) for work in self._due(self.clock.now()))

    def start_over(self) -> None:
        """For the start of a machine whose queue is empty: ask for all that is due."""
        self.asking.start_over()
        self()

    def _ask(self, work: Work) -> bool:
        after = DROPPED_AFTER if work.job is Job.DROP_INDEX else timedelta(0)
        return self.asking(work, after=after)

    def _due(self, now: datetime) -> Iterator[Work]:
        standing = self.serving.standing()
        if standing in (Standing.BEHIND, Standing.UNMARKED):
            yield Work(Job.APPLY_LEDGER)
        yield from (Work(Job.ERASE, erasure) for erasure in self.erasures.due(now, _ERASURES))
        if standing.may_be_served:
            yield from self._of_the_table(now)

    def _of_the_table(self, now: datetime) -> Iterator[Work]:
        if self.pending.listed(1):
            yield Work(Job.EMBED_PENDING)
        if self.unjudged is not None and self.unjudged.due(now, 1):
            yield Work(Job.JUDGE)
        if self.dues.due(now, 1) or self.documents.ended(now, 1):
            yield Work(Job.EXPIRE)
        yield from (Work(Job.INGEST, document) for document in self.documents.arrived(_DOCUMENTS))
        yield from (Work(Job.INGEST, document) for document in self.documents.to_be_fetched(now, _DOCUMENTS))
        yield from (Work(Job.EXTRACT, space) for space in self.unextracted.listed(_SPACES))
        yield from (Work(Job.REINFORCE, space) for space in self.unreinforced.due(now, _SPACES))
        yield from (Work(Job.LEARN, document) for document in self.learnings.waiting(_DOCUMENTS))
        yield from (Work(Job.RECEIVE, upload) for upload in self.uploads.ended(now, _DOCUMENTS))
        if self.migrate.is_due():
            yield Work(Job.MIGRATE)
        for run in self.runs.working(_RUNS):
            yield Work(Job.RUN, run)
        yield from self._of_the_index(now)
        for retired in self.build_index.generations.retired():
            if retired.tried_at is None or now - retired.tried_at >= _DROPPED_AGAIN:
                yield Work(Job.DROP_INDEX, retired.generation.id)

    def _of_the_index(self, now: datetime) -> Iterator[Work]:
        build = self.build_index
        state = build.generations.read()
        if build.fill.searching.indexes.is_off:
            self._note_off(state, now)
            return
        is_behind = state.off_since is not None and now - state.off_since >= SURELY_KEPT
        if is_behind or (state.building is None and build.is_wanted(state, now)):
            build.renew()
            return
        if state.off_since is not None:
            build.generations.turn_on(state)
        if state.building is not None:
            yield Work(Job.BUILD_INDEX, state.building.id)
        if state.active is not None:
            yield from self._of_the_active(state.active, now)
            if state.is_surely_awake(now) and self.sweeps.due(now, 1):
                yield Work(Job.SWEEP_INDEX)
            if state.building is None and build.fill.searching.is_surely_awake(state):
                yield from (Work(Job.CANARY, space) for space in self.canaries.due(now, _SPACES))

    def _of_the_active(self, generation: Generation, now: datetime) -> Iterator[Work]:
        if self.build_index.builds.read(generation.id) is not None:
            yield Work(Job.BUILD_INDEX, generation.id)
        if self.lagging.listed(now - FOLLOWED_AGAIN, 1):
            yield Work(Job.CATCH_UP)
        yield Work(Job.CHECK_LOGS)

    def _note_off(self, state: Generations, now: datetime) -> None:
        """Since when there is no index; the logs are looked through as soon as there is one again."""
        if state.off_since is None and state.active is not None:
            self.build_index.generations.turn_off(state, now)
            self.asking.leases.forget(Work(Job.CHECK_LOGS))
