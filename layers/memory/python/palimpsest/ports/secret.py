"""A text that is kept apart from settings and table, and may be changed there at any time."""

from __future__ import annotations

from typing import Protocol


class Secret(Protocol):
    """Where it is kept."""

    def read(self) -> str:
        """The secret as it is now.

        Raises:
            SecretUnavailable: It is missing, not to be read, or no owner key.
        """
        ...
