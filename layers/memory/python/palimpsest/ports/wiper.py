"""The part of a table that an erasure needs beyond deleting: its own disk."""

from __future__ import annotations

from typing import Protocol


class Wiper(Protocol):
    """Where deleted items may still stand in files that are ours to look after."""

    def wipe(self) -> bool:
        """Let nothing of what was deleted stand there; False when that has to be tried again in a moment."""
        ...


class NothingToWipe:
    """A table whose files are somebody else's."""

    def wipe(self) -> bool:
        return True
