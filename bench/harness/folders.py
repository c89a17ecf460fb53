"""Data folders with many memories, seeded when there are none, and kept for another time where that is asked for."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness import processes


def sizes(text: str) -> list[int]:
    """``10000,100000`` as numbers."""
    return [int(part) for part in text.split(",")]


@contextmanager
def seeded(memories: int, kept: Path | None, space: str, *, has_extra: bool) -> Iterator[Path]:
    """A folder with so many memories in `space`, for one use: one that is kept, in `kept`, is copied."""
    with tempfile.TemporaryDirectory(prefix="palimpsest-bench-", dir=kept) as place:
        folder = Path(place) / "data"
        before = kept / str(memories) if kept else folder
        if not before.exists():
            print(f"seeding {memories} memories", flush=True)
            processes.seed(before, space, memories, has_extra=has_extra)
        if before != folder:
            shutil.copytree(before, folder)
        yield folder
