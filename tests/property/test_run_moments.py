"""Law 6 at each moment: whatever happens at any operation of a worker, the run comes to an end that people expect.

At each operation in turn the worker is killed, another one does the same work, another run of the space is let go, or
somebody stops the run and takes it back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import Conflict
from palimpsest.domain.ids import RootId, RunId
from palimpsest.domain.run import Run, RunStatus
from palimpsest.domain.selection import Selection
from palimpsest.domain.version import Reason
from palimpsest.ports.work_queue import Job
from palimpsest.usecases.drafts import Draft, Saved
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import InterposingTable
from tests.support.run_driving import none, shown, unlimited

MANY = 2
MOST_OPERATIONS = 120


@dataclass
class Moments:
    """An installation in which the test acts at a chosen operation of the table."""

    memory: Installation
    crashing: CrashingTable
    interposing: InterposingTable

    def save(self, name: str, many: int = MANY, space: str = "default") -> list[RootId]:
        """Memories with a tag of that name, long after all that was before."""
        self.memory.clock.turn(timedelta(hours=2))
        drafts = [Draft(f"{name} {n}", tags=(name,), space=space) for n in range(many)]
        saved = self.memory.wired.service.remember_all(OWNER, drafts)
        return [each.memory.head.root for each in saved if isinstance(each, Saved)]

    def ask(self, name: str, space: str = "default") -> RunId:
        return self.memory.wired.service.forget_many(OWNER, space, Selection(tags=(name,))).run.id

    def work(self, run: RunId, seconds: Callable[[], float] = unlimited) -> bool:
        """One slice, without any lease, so that workers may come together."""
        return self.memory.wired.worker.slices[Job.RUN](run, seconds)

    def work_in_slices(self, run: RunId, many: int) -> None:
        """So many slices without time for more than a part."""
        for _ in range(many):
            self.work(run, none)

    def run(self, run: RunId) -> Run:
        return self.memory.wired.service.runs.show(OWNER, run).run

    def take_back(self, run: RunId) -> None:
        """Stop it if need be, undo it, and let all of that happen."""
        with contextlib.suppress(Conflict):
            self.memory.wired.service.runs.stop(OWNER, run)
        self.memory.wired.service.runs.undo(OWNER, run)
        while self.work(run):
            pass

    def reasons(self, root: RootId, run: RunId) -> list[Reason]:
        """What the run did to a memory."""
        beliefs = self.memory.wired.service.remember.steps.beliefs
        return [each.reason for each in beliefs.events_between(root, 2, 99, limit=99) if each.run == run]

    def meanwhile(self, at: int, act: Callable[[], object], work: Callable[[], object]) -> bool:
        """Do `work`, and before its operation number `at` do `act`; False when it has not so many."""
        seen = count()
        happened: list[bool] = []

        def note() -> None:
            happened.append(True)
            act()

        self.interposing.interpose(lambda name, call: next(seen) == at, note)
        work()
        self.interposing.interpose(lambda name, call: False, lambda: None)
        return bool(happened)


@pytest.fixture
def moments(tmp_path: Path) -> Iterator[Moments]:
    with SqliteTable(":memory:") as sqlite:
        interposing = InterposingTable(sqlite)
        crashing = CrashingTable(interposing)
        yield Moments(install(tmp_path, table=crashing, sqlite=sqlite), crashing, interposing)


def test_killed_at_any_operation_a_run_comes_to_the_same_end(moments: Moments) -> None:
    for at in range(2 * MOST_OPERATIONS):
        roots = moments.save(f"kill-{at}", 1)
        run = moments.ask(f"kill-{at}")
        moments.crashing.crash_at(at // 2, is_after=bool(at % 2))
        is_killed = False
        try:
            moments.work(run)
        except Crashed:
            is_killed = True
        moments.crashing.live_on()
        moments.work(run)

        assert (moments.run(run).status, moments.run(run).counts.applied) == (RunStatus.SUCCESS, 1)
        assert [moments.reasons(root, run) for root in roots] == [[Reason.FORGOTTEN]]
        if not is_killed:
            assert at > 10
            return
    pytest.fail("the run did not end")


def test_killed_at_any_operation_a_run_can_be_taken_back(moments: Moments) -> None:
    for at in range(0, 2 * MOST_OPERATIONS, 3):
        roots = moments.save(f"back-{at}", 2)
        before = shown(moments.memory, roots)
        run = moments.ask(f"back-{at}")
        moments.crashing.crash_at(at // 2, is_after=bool(at % 2))
        is_killed = False
        try:
            moments.work(run, none)
            while moments.work(run, none):
                pass
        except Crashed:
            is_killed = True
        moments.crashing.live_on()
        moments.take_back(run)

        assert moments.run(run).status is RunStatus.UNDONE
        assert shown(moments.memory, roots) == before
        if not is_killed:
            return
    pytest.fail("the run did not end")


def test_an_undo_that_is_killed_at_any_operation_comes_to_the_same_end(moments: Moments) -> None:
    for at in range(2 * MOST_OPERATIONS):
        roots = moments.save(f"undo-{at}", 1)
        before = shown(moments.memory, roots)
        run = moments.ask(f"undo-{at}")
        moments.work(run)
        moments.memory.wired.service.runs.undo(OWNER, run)
        moments.crashing.crash_at(at // 2, is_after=bool(at % 2))
        is_killed = False
        try:
            moments.work(run)
        except Crashed:
            is_killed = True
        moments.crashing.live_on()
        moments.work(run)

        assert (moments.run(run).status, moments.run(run).counts.undone) == (RunStatus.UNDONE, 1)
        assert shown(moments.memory, roots) == before
        if not is_killed:
            return
    pytest.fail("the undo did not end")


def test_two_workers_on_one_run_do_everything_once(moments: Moments) -> None:
    for at in range(MOST_OPERATIONS):
        roots = moments.save(f"twin-{at}")
        run = moments.ask(f"twin-{at}")

        came = moments.meanwhile(at, partial(moments.work, run), partial(moments.work, run))

        done = moments.run(run)
        assert (done.status, done.counts.applied, done.counts.planned) == (RunStatus.SUCCESS, MANY, MANY)
        assert [moments.reasons(root, run) for root in roots] == [[Reason.FORGOTTEN]] * MANY
        if not came:
            return
    pytest.fail("the run did not end")


def test_two_workers_that_take_turns_in_small_slices_do_everything_once(moments: Moments) -> None:
    for at in range(0, MOST_OPERATIONS, 3):
        roots = moments.save(f"turns-{at}")
        run = moments.ask(f"turns-{at}")

        came = moments.meanwhile(
            at,
            partial(moments.work_in_slices, run, 3),
            partial(moments.work_in_slices, run, 12),
        )
        moments.work(run)

        done = moments.run(run)
        assert (done.status, done.counts.applied, done.counts.planned) == (RunStatus.SUCCESS, MANY, MANY)
        assert [moments.reasons(root, run) for root in roots] == [[Reason.FORGOTTEN]] * MANY
        if not came:
            return
    pytest.fail("the run did not end")


def test_two_runs_side_by_side_never_change_more_than_one_may(moments: Moments) -> None:
    """Each alone is free to go; together they would change 22 of 22 memories. Within 20 operations one is let go."""
    for at in range(20):
        space = f"space-{at}"
        moments.save("one", 11, space)
        moments.save("other", 11, space)
        one, other = moments.ask("one", space), moments.ask("other", space)

        assert moments.meanwhile(at, partial(moments.work, other), partial(moments.work, one))
        moments.work(other)

        statuses = sorted(moments.run(run).status for run in (one, other))
        assert statuses == [RunStatus.AWAITING_APPROVAL, RunStatus.SUCCESS]


def test_taken_back_at_any_operation_of_a_worker_nothing_of_a_run_is_left(moments: Moments) -> None:
    for at in range(MOST_OPERATIONS):
        roots = moments.save(f"stop-{at}")
        before = shown(moments.memory, roots)
        run = moments.ask(f"stop-{at}")

        came = moments.meanwhile(at, partial(moments.take_back, run), partial(moments.work, run))

        if not came:
            assert moments.run(run).status is RunStatus.SUCCESS
            return
        assert moments.run(run).status is RunStatus.UNDONE
        assert shown(moments.memory, roots) == before
    pytest.fail("the run did not end")
