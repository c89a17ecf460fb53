"""Time, from outside."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """A clock."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...
