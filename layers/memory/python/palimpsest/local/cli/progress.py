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
        """The next one is begun."""
        if self.width is None or self.total < 2:
            return
        filled = _CELLS * self._done // self.total
        bar = f"[{'#' * filled}{' ' * (_CELLS - filled)}] {self._done}/{self.total} {one_line(name)}"
        self.out.write(_CLEARED + bar[: self.width - 1])
        self.out.flush()
        self._done += 1

    def clear(self) -> None:
        """Make room for a line."""
        if self.width is not None and self.total >= 2:
            self.out.write(_CLEARED)
            self.out.flush()
