"""A bar that says how far a long command is, for a person at a terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TextIO

from palimpsest.local.cli.screen import one_line

_CLEARED: Final = "\r\x1b[K"
_CELLS: Final = 20


@dataclass(slots=True)
class Progress:
    """Shows nothing where `width` is None: in a file or a pipe.

    Attributes:
        total: How many there are to do.
        width: Columns of the terminal.
    """

    out: TextIO
    total: int
    width: int | None
    _done: int = field(default=0, init=False)

    def step(self, name: str) -> None:
        """The next one is begun; one alone takes no time."""
        if self.total > 1:
            self.at(self._done, name)
        self._done += 1

    def at(self, done: int, name: str) -> None:
        """So many are done, and this one is under way."""
        if self.width is None:
            return
        filled = _CELLS * done // self.total
        bar = f"[{'#' * filled}{' ' * (_CELLS - filled)}] {done}/{self.total} {one_line(name)}"
        self.out.write(_CLEARED + bar[: self.width - 1])
        self.out.flush()

    def clear(self) -> None:
        """Make room for a line."""
        if self.width is not None:
            self.out.write(_CLEARED)
            self.out.flush()
