"""The machine's own clock and randomness."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime
from threading import Lock

from palimpsest.domain.ids import ulid


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class RandomIds:
    """Ids from the system's randomness; those of one process go up."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last = (0, 0)

    def ulid(self) -> str:
        """A new ULID; within a millisecond the random part counts up, so that order is kept."""
        with self._lock:
            now = time.time_ns() // 1_000_000
            milliseconds, randomness = self._last
            if now > milliseconds:
                self._last = (now, int.from_bytes(secrets.token_bytes(10), "big") >> 1)
            else:
                self._last = (milliseconds, randomness + 1)
            milliseconds, randomness = self._last
        return ulid(milliseconds, randomness.to_bytes(10, "big"))

    def secret(self, size: int = 32) -> bytes:
        return secrets.token_bytes(size)
