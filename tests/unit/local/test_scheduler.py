"""Periodic work, with the time in the test's hands."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from palimpsest.local.scheduler import Chore, Scheduler


@dataclass
class Clock:
    """Seconds that pass when told."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Work:
    """A chore that notes when it ran and does what it is told each time."""

    clock: Clock
    results: list[bool | Exception] = field(default_factory=list)
    ran_at: list[float] = field(default_factory=list)

    def __call__(self) -> bool:
        self.ran_at.append(self.clock.seconds)
        result = self.results.pop(0) if self.results else False
        if isinstance(result, Exception):
            raise result
        return result


def run_until(scheduler: Scheduler, clock: Clock, end: float) -> None:
    while clock.seconds <= end:
        clock.seconds += max(scheduler.run_due(), 0.001)


def test_each_chore_runs_at_its_own_pace() -> None:
    clock = Clock()
    often, seldom = Work(clock), Work(clock)
    scheduler = Scheduler([Chore("often", often, 2), Chore("seldom", seldom, 5)], monotonic=clock)

    run_until(scheduler, clock, 10)

    assert often.ran_at == [2, 4, 6, 8, 10]
    assert seldom.ran_at == [5, 10]


def test_a_chore_with_more_to_do_runs_again_at_once() -> None:
    clock = Clock()
    work = Work(clock, [True, True, False])
    scheduler = Scheduler([Chore("work", work, 60)], monotonic=clock)

    run_until(scheduler, clock, 61)

    assert [round(at) for at in work.ran_at] == [60, 60, 60]


def test_a_chore_that_fails_comes_again_later_each_time_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    bad, good = Work(clock, [ValueError("somebody's words")] * 3), Work(clock)
    scheduler = Scheduler([Chore("bad", bad, 1), Chore("good", good, 1)], monotonic=clock)

    run_until(scheduler, clock, 17)

    assert bad.ran_at == [1, 3, 7, 15, 16, 17]
    assert len(good.ran_at) == 17
    assert "somebody's words" not in caplog.text
    assert "chore bad failed, next try in 2 s: ValueError at test_scheduler.py:" in caplog.text


def test_the_pause_after_failures_is_bounded() -> None:
    clock = Clock()
    bad = Work(clock, [ValueError()] * 40)
    scheduler = Scheduler([Chore("bad", bad, 1)], monotonic=clock)

    run_until(scheduler, clock, 3000)

    pauses = [b - a for a, b in zip(bad.ran_at, bad.ran_at[1:], strict=False)]
    assert max(pauses) == 300


def test_the_thread_runs_chores_and_stops_when_told() -> None:
    ran = threading.Event()

    def run() -> bool:
        ran.set()
        return False

    clock = Clock()
    scheduler = Scheduler([Chore("work", run, 0.0)], monotonic=clock)
    scheduler.start()

    assert ran.wait(5)
    assert scheduler.stop(5)


def test_a_scheduler_without_chores_only_waits() -> None:
    scheduler = Scheduler([], monotonic=Clock())
    scheduler.start()

    assert scheduler.stop(5)
