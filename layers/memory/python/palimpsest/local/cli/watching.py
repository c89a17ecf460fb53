"""Follow files: whatever changed since the last look is told, look by look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from palimpsest.local.cli.file_choice import Chosen, LeftOut

Seen = tuple[int, int]
"""When a file changed, and its size."""


@dataclass(slots=True)
class Changed:
    """What of the chosen files is new. What is left out is told once, until it changes its reason."""

    _seen: dict[str, Seen | str] = field(default_factory=dict)

    def of(self, chosen: Iterable[Chosen | LeftOut]) -> Iterator[Chosen | LeftOut]:
        """Those that are not as they were at the look before."""
        for each in chosen:
            now = each.reason if isinstance(each, LeftOut) else _state(each.file)
            if now is not None and self._seen.get(each.path) != now:
                self._seen[each.path] = now
                yield each


def looks(pause: Callable[[], object], *, is_watching: bool) -> Iterator[None]:
    """One look, and where somebody watches another one after each pause, until they stop it."""
    yield
    while is_watching:
        pause()
        yield


def _state(file: Path) -> Seen | None:
    try:
        found = file.stat()
    except OSError:
        return None  # it went between two looks
    return found.st_mtime_ns, found.st_size
