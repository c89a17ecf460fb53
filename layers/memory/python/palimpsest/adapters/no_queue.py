"""No work queue: of a function that has no right to send to it."""

from __future__ import annotations

from datetime import timedelta
from typing import NoReturn

from palimpsest.domain.errors import QueueUnavailable
from palimpsest.ports.work_queue import Work


class NoQueue:
    """Takes nothing and says so; a plan asks for the same work."""

    def send(self, work: Work, *, after: timedelta = timedelta(0)) -> NoReturn:
        """QueueUnavailable."""
        raise QueueUnavailable("this function may not ask for work (PALIMPSEST_QUEUE_URL is unset); a plan does")
