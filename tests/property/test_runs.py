"""Law 6, and the limit of what runs may change without consent: slices, repetitions, crashes, runs side by side.

It answers the reports of background work that went through unasked: 87 % of a memory deleted by one call, 49 % of a
group retired by one ingestion.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.belief import Memory, State
from palimpsest.domain.errors import Conflict
from palimpsest.domain.ids import RootId, RunId, VersionRef
from palimpsest.domain.run import FREE, WINDOW, Run, RunEvent
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.domain.selection import Selection
from palimpsest.domain.version import Reason
from palimpsest.jobs.apply_run import ApplyRun
from palimpsest.ports.work_queue import Job
from palimpsest.usecases.drafts import Annotation, Draft, Saved
from palimpsest.usecases.runs import Scope
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.examples import examples
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import InterposingTable

MEMORIES = 36
TAGS = ("amber", "birch", "cobalt", "dune")
moments = st.none() | st.integers(0, 30)


def unlimited() -> float:
    return 1e9


def none() -> float:
    return 0.0


class Rounds(RuleBasedStateMachine):
    """People ask for runs, stop them and take them back; workers do them badly."""

    runs: Bundle[RunId] = Bundle("runs")

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.sqlite = SqliteTable(":memory:")
        self.interposing = InterposingTable(self.sqlite)
        self.crashing = CrashingTable(self.interposing)
        self.memory: Installation = install(Path(self.folder.name), table=self.crashing, sqlite=self.sqlite)
        drafts = [Draft(f"{TAGS[n % 4]} has {n} rings", tags=(TAGS[n % 4],)) for n in range(MEMORIES)]
        saved = self.memory.wired.service.remember_all(OWNER, drafts)
        self.roots = [each.memory.head.root for each in saved if isinstance(each, Saved)]
        self.before = {root: self.shown(root) for root in self.roots}
        self.begun: list[RunId] = []
        self.consented: set[RunId] = set()
        self.touched: set[RootId] = set()

    def teardown(self) -> None:
        if "begun" in self.__dict__:
            self.everything_can_be_taken_back()
            self.sqlite.close()
            self.folder.cleanup()

    # --- people ---

    @rule(target=runs, tags=st.lists(st.sampled_from(TAGS), max_size=1), many=st.integers(1, 24))
    def ask(self, tags: list[str], many: int) -> RunId:
        selection = Selection(tags=tuple(tags)) if tags else Selection(ids=tuple(self.roots[:many]))
        run = self.memory.wired.service.forget_many(OWNER, None, selection).run.id
        self.begun.append(run)
        return run

    @rule(run=runs)
    def stop(self, run: RunId) -> None:
        with contextlib.suppress(Conflict):
            self.memory.wired.service.runs.stop(OWNER, run)

    @rule(run=runs)
    def undo(self, run: RunId) -> None:
        with contextlib.suppress(Conflict):
            self.memory.wired.service.runs.undo(OWNER, run)

    @rule(run=runs)
    def approve(self, run: RunId) -> None:
        with contextlib.suppress(Conflict):
            self.memory.wired.service.runs.approve(OWNER, run, Scope.ONCE)
            self.consented.add(run)

    @rule(at=st.integers(0, MEMORIES - 1), how=st.sampled_from(["restore", "annotate", "forget"]))
    def touch(self, at: int, how: str) -> None:
        root, service = self.roots[at], self.memory.wired.service
        self.touched.add(root)
        with contextlib.suppress(Conflict):
            if how == "annotate":
                service.annotate(OWNER, VersionRef(root), Annotation(pinned=True))
            else:
                (service.restore if how == "restore" else service.forget)(OWNER, VersionRef(root))

    # --- workers ---

    @rule(run=runs, seconds=st.sampled_from([unlimited, none]), crash=moments, after=st.booleans(), twin=moments)
    def work(self, run: RunId, seconds: Callable[[], float], crash: int | None, after: bool, twin: int | None) -> None:
        """One slice, without any lease: it may be killed, and another worker may do the same in the midst of it."""
        if twin is not None:
            countdown = iter(range(twin, -1, -1))
            when = lambda name, call: next(countdown, 1) == 0  # noqa: E731
            self.interposing.interpose(when, lambda: self.engine(run, seconds))
        if crash is not None:
            self.crashing.crash_at(crash, is_after=after)
        with contextlib.suppress(Crashed):
            self.engine(run, seconds)
        self.crashing.live_on()
        self.interposing.interpose(lambda name, call: False, lambda: None)

    @rule(minutes=st.integers(1, 50))
    def wait(self, minutes: int) -> None:
        self.memory.clock.turn(timedelta(minutes=minutes))

    @rule(run=runs)
    def finish(self, run: RunId) -> None:
        """Workers get as far as they can."""
        self.engine(run, unlimited)

    # --- laws ---

    @invariant()
    def no_more_is_changed_without_consent_than_may_be(self) -> None:
        let_go = [
            (event.at, self.run_of(run).counts.planned)
            for run in self.__dict__.get("begun", ())
            for event in self.log(run)[0]
            if event.what == "let_go"
        ]
        for at, _ in let_go:
            assert sum(planned for other, planned in let_go if at <= other < at + WINDOW - timedelta(minutes=1)) <= FREE

    @invariant()
    def a_run_does_what_it_planned_and_nothing_else(self) -> None:
        if "begun" not in self.__dict__:
            return
        done = Counter(
            (event.run, root)
            for root in self.roots
            for event in self.memory.wired.service.remember.steps.beliefs.events_between(root, 2, 99, limit=99)
            if event.run is not None and event.reason is Reason.FORGOTTEN
        )
        assert set(done.values()) <= {1}
        for run in self.begun:
            planned = {item.subject for item in self.log(run)[1]}
            assert {root for by, root in done if by == run} <= planned

    def everything_can_be_taken_back(self) -> None:
        """Let all end, undo all from the last on: what nobody else touched is as people saved it."""
        for run in self.begun:
            with contextlib.suppress(Conflict):
                self.memory.wired.service.runs.stop(OWNER, run)
        for run in reversed(self.begun):
            with contextlib.suppress(Conflict):
                self.memory.wired.service.runs.undo(OWNER, run)
            while self.engine(run, none):
                pass
            self.counts_are_those_of_the_plan(run)
        for root in set(self.roots) - self.touched:
            assert self.shown(root) == self.before[root]
            assert self.shown(root).head.state is State.LIVE

    def counts_are_those_of_the_plan(self, run: RunId) -> None:
        counts = self.run_of(run).counts
        states = Counter(item.state for item in self.log(run)[1])
        told = {state: getattr(counts, state.value) for state in ItemState if state is not ItemState.PLANNED}
        assert {state: states[state] for state in told} == told
        assert sum(states.values()) == counts.planned

    # --- looking ---

    def engine(self, run: RunId, seconds: Callable[[], float]) -> bool:
        engine = self.memory.wired.worker.slices[Job.RUN]
        assert isinstance(engine, ApplyRun)
        return engine(run, seconds)

    def run_of(self, run: RunId) -> Run:
        return self.memory.wired.service.runs.show(OWNER, run).run

    def log(self, run: RunId) -> tuple[list[RunEvent], list[PlanItem]]:
        lines = self.memory.wired.service.runs.lines(OWNER, run, limit=200).lines
        return [e for e in lines if isinstance(e, RunEvent)], [i for i in lines if isinstance(i, PlanItem)]

    def shown(self, root: RootId) -> Memory:
        """The memory, without what each step counts on."""
        found = self.memory.wired.service.read(OWNER, VersionRef(root), include_forgotten=True)
        return replace(found, head=replace(found.head, revision=0, changed_at=START))


TestRounds = Rounds.TestCase
TestRounds.settings = settings(max_examples=examples(8), stateful_step_count=25, deadline=None)
