"""Who goes first in a process that answers requests and works in the background: the interpreter has one lock for both.

A recall takes some hundred turns at that lock, and while a job computes it waits at each of them: beside a job that
counts recalls it took twice its time. So a thread of the background waits before each call of the table while somebody
is being answered, though never for long: under a load that never ends its work still goes on, at about a fifth of its
pace. It is asked of what works through the queue; what indexes saves and runs by the clock goes on as it was.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LONGEST_SECONDS: Final = 0.01


class Precedence:
    """Lets those that answer somebody go first. `longest_seconds`: that others wait before one call."""

    def __init__(self, longest_seconds: float = _LONGEST_SECONDS) -> None:
        self._longest_seconds = longest_seconds
        self._answering = 0
        self._nobody_waits = threading.Condition()
        self._thread = threading.local()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Somebody waits for what is done within."""
        with self._nobody_waits:
            self._answering += 1
        try:
            yield
        finally:
            with self._nobody_waits:
                self._answering -= 1
                if not self._answering:
                    self._nobody_waits.notify_all()

    def work_in_background(self) -> None:
        """From now on this thread gives way."""
        self._thread.gives_way = True

    def give_way(self) -> None:
        """Wait a little, if this thread is one that does and somebody is being answered."""
        if not self._answering or not getattr(self._thread, "gives_way", False):
            return
        with self._nobody_waits:
            self._nobody_waits.wait_for(lambda: not self._answering, self._longest_seconds)
