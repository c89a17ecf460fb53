"""The work queue of one machine: in memory, since what it asks for is derived from the table.

What waits when the process ends is lost, and asked for again by the first plan of the next start.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.ports.work_queue import Work, written


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that is being worked on. `attempt` counts from 1."""

    number: int
    body: str
    attempt: int


@dataclass(slots=True)
class _Waiting:
    number: int
    body: str
    due: float
    attempt: int


class MemoryQueue:
    """The `WorkQueue` port, and the side that feeds the worker. A message that waits already is not taken again."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._waiting: list[_Waiting] = []
        self._changed = threading.Condition()
        self._numbers = 0

    def send(self, work: Work, *, after: timedelta = timedelta(0)) -> None:
        """Never fails."""
        self._add(written(work), after.total_seconds(), attempt=0)

    def take(self, timeout_seconds: float) -> Delivery | None:
        """The message that has been due longest, now or within the time-out."""
        ends = self._monotonic() + timeout_seconds
        with self._changed:
            while True:
                now = self._monotonic()
                first = min(self._waiting, key=lambda each: (each.due, each.number), default=None)
                if first is not None and first.due <= now:
                    self._waiting.remove(first)
                    return Delivery(first.number, first.body, first.attempt + 1)
                if now >= ends:
                    return None
                self._changed.wait(min(ends, first.due if first else ends) - now)

    def give_back(self, body: str, *, attempt: int, after_seconds: float) -> None:
        """It failed at that attempt, and comes again later."""
        self._add(body, after_seconds, attempt=attempt)

    def __len__(self) -> int:
        """How many wait."""
        with self._changed:
            return len(self._waiting)

    def _add(self, body: str, after_seconds: float, attempt: int) -> None:
        with self._changed:
            if any(each.body == body for each in self._waiting):
                return
            self._numbers += 1
            self._waiting.append(_Waiting(self._numbers, body, self._monotonic() + after_seconds, attempt))
            self._changed.notify()
