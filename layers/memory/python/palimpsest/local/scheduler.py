"""Periodic work of one machine: one thread that outlives every failure of what it runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from palimpsest.local.failures import described

_LONGEST_PAUSE_SECONDS = 300.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Chore:
    """Something to be done again and again.

    Attributes:
        run: Does a bounded part of it; True when there is more to do at once.
        every_seconds: From the end of one run to the next.
    """

    name: str
    run: Callable[[], bool]
    every_seconds: float


@dataclass(slots=True)
class _Due:
    chore: Chore
    at: float
    failures: int = 0


class Scheduler:
    """Runs chores in a thread of its own; one that fails is logged and comes again, later each time."""

    def __init__(self, chores: Sequence[Chore], *, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._due = [_Due(chore, monotonic() + chore.every_seconds) for chore in chores]
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        """Begin; each chore runs for the first time after its period."""
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Begin nothing new; returns at once."""
        self._stopped.set()

    def stop(self, timeout_seconds: float) -> bool:
        """End after the chore that is running now; False when it still runs after the time-out."""
        self._stopped.set()
        self._thread.join(timeout_seconds)
        return not self._thread.is_alive()

    def run_due(self) -> float:
        """Run each chore that is due, once; seconds until the next one is."""
        for due in self._due:
            if not self._stopped.is_set() and due.at <= self._monotonic():
                self._run_one(due)
        now = self._monotonic()
        return max(0.0, min((due.at - now for due in self._due), default=_LONGEST_PAUSE_SECONDS))

    def _run_one(self, due: _Due) -> None:
        pause = due.chore.every_seconds
        try:
            if due.chore.run():
                pause = 0.0
            due.failures = 0
        except Exception as error:  # noqa: BLE001 - the other chores, and the next time, must not suffer
            due.failures += 1
            pause = min(pause * 2**due.failures, max(pause, _LONGEST_PAUSE_SECONDS))
            _LOG.warning("chore %s failed, next try in %.0f s: %s", due.chore.name, pause, described(error))
        due.at = self._monotonic() + pause

    def _run(self) -> None:
        while not self._stopped.wait(self.run_due()):
            pass
