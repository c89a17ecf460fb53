"""The search arms of a recall: each within its time, each reporting how it fared (law 8)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from palimpsest.domain.errors import EmbedderUnavailable, IndexUnavailable, TableError
from palimpsest.ports.search_index import ASLEEP, NO_CANDIDATES, Candidates
from palimpsest.usecases.answers import ArmReport, ArmState

LATE = "late"
"""The reason of an arm that was not done in its time."""


class Skip(Exception):
    """An arm has nothing to do; the message is the reason."""


class Degraded(Exception):
    """An arm can't do its part now, for a reason that will pass; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Found:
    """What an arm found.

    Attributes:
        degraded: Why it is less than it could be.
        lag: How old the oldest is that may be missing for that reason, where that can be said.
    """

    candidates: Candidates
    degraded: str | None = None
    lag: timedelta | None = None


Fared: TypeAlias = tuple[Candidates, ArmReport]
"""What an arm found, and how it fared."""


@dataclass(slots=True)
class Arm:
    """One arm at work."""

    name: str
    work: Callable[[], Found]
    job: Future[tuple[Found, float]] = field(default_factory=Future, init=False)
    started: float = field(default_factory=time.perf_counter, init=False)

    def run(self) -> None:
        """Do the work, unless `finish` has given up on it; what it raises is raised there."""
        if not self.job.set_running_or_notify_cancel():
            return
        begun = time.perf_counter()
        try:
            found = self.work()
        except BaseException as error:  # noqa: BLE001 - handed to who waits, as an executor does
            self.job.set_exception(error)
        else:
            self.job.set_result((found, _since(begun)))

    def finish(self, deadline: float) -> Fared:
        """What it found by `deadline` (of `time.perf_counter`), and its report."""
        try:
            found, took_ms = self.job.result(timeout=max(0.0, deadline - time.perf_counter()))
        except FutureTimeout:
            self.job.cancel()
            return NO_CANDIDATES, self._report(ArmState.DEGRADED, LATE)
        except Skip as skip:
            return NO_CANDIDATES, self._report(ArmState.SKIPPED, str(skip))
        except Degraded as reason:
            return NO_CANDIDATES, self._report(ArmState.DEGRADED, str(reason))
        except (IndexUnavailable, EmbedderUnavailable) as error:
            state = ArmState.DEGRADED if error.reason == ASLEEP else ArmState.FAILED
            return NO_CANDIDATES, self._report(state, error.reason)
        except TableError:
            return NO_CANDIDATES, self._report(ArmState.FAILED, "table_unavailable")
        state = ArmState.DEGRADED if found.degraded else (ArmState.OK if found.candidates else ArmState.EMPTY)
        lag = None if found.lag is None else round(found.lag.total_seconds(), 1)
        report = ArmReport(self.name, state, found.degraded, len(found.candidates), round(took_ms, 2), lag)
        return found.candidates, report

    def _report(self, state: ArmState, reason: str) -> ArmReport:
        return ArmReport(self.name, state, reason, 0, round(_since(self.started), 2))


def start(executor: Executor, lanes: Sequence[Sequence[Arm]]) -> None:
    """Let the arms begin: the lanes side by side, those of one lane in turn."""
    for arms in lanes:
        executor.submit(_run_in_turn, arms)


def _run_in_turn(arms: Sequence[Arm]) -> None:
    for arm in arms:
        arm.run()


def deadline(box: timedelta) -> float:
    """The moment, of `time.perf_counter`, at which `box` from now is over."""
    return time.perf_counter() + box.total_seconds()


def _since(moment: float) -> float:
    return (time.perf_counter() - moment) * 1000
