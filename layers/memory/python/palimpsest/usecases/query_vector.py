"""The vector of a query, which is made while the arms that do not need it yet are at work."""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass

from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.ports.embedder import Vector

LATE = "embedder_late"
"""The reason of a vector that was not there in its time."""


@dataclass(slots=True)
class QueryVector:
    """Whoever calls it waits for the vector, until `ends` of `time.perf_counter`. Any number of threads may.

    Attributes:
        reason: Why there is none, once that is known.
    """

    job: Future[Vector]
    ends: float
    reason: str | None = None

    def __call__(self) -> Vector | None:
        """The unit vector; None when it could not be had in its time."""
        try:
            return self.job.result(timeout=max(0.0, self.ends - time.perf_counter()))
        except (FutureTimeout, CancelledError):
            self.job.cancel()
            self.reason = LATE
        except EmbedderUnavailable as error:
            self.reason = error.reason
        return None
