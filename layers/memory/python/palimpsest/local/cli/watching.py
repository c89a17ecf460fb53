"""Follow files: whatever changed since the last look is told, look by look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from palimpsest.local.cli.file_choice import Chosen, LeftOut

Seen = tuple[int, int]
"""When a file changed, and its size."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A path at which nothing lies any more."""

    path: str


@dataclass(slots=True)
class Changed:
    """What of the chosen files is new or gone. What is left out is told once, until it changes its reason."""

    _seen: dict[str, Seen | str] = field(default_factory=dict)

    def of(self, chosen: Iterable[Chosen | LeftOut]) -> Iterator[Chosen | LeftOut | Gone]:
        """Those that are not as they were at the look before, and then those that are not there any more."""
        gone = set(self._seen)
        for each in chosen:
            gone.discard(each.path)
            now = each.reason if isinstance(each, LeftOut) else _state(each.file)
            if now is not None and self._seen.get(each.path) != now:
                self._seen[each.path] = now
                yield each
        for path in sorted(gone):
            del self._seen[path]
            yield Gone(path)


def looks(pause: Callable[[], object], *, is_watching: bool) -> Iterator[int]:
    """One look, numbered 0, and where somebody watches another one after each pause, until they stop it."""
    yield 0
    for number in count(1) if is_watching else ():
        pause()
        yield number


def _state(file: Path) -> Seen | None:
    try:
        found = file.stat()
    except OSError:
        return None  # it went between two looks
    return found.st_mtime_ns, found.st_size
