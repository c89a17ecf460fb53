"""Several queues behind one port: each message goes to the one that takes it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from palimpsest.ports.work_queue import Work, WorkQueue


class RoutedQueue:
    """The `WorkQueue` port over queues by their names."""

    def __init__(self, queues: Mapping[str, WorkQueue]) -> None:
        self._queues = queues

    def send(self, work: Work, *, after: timedelta = timedelta(0)) -> None:
        """To the queue of that work."""
        self._queues[work.queue].send(work, after=after)
