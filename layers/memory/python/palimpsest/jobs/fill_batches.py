"""What a build puts into an index at a time: by entries, with a place also within one belief."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from palimpsest.domain.belief import Head
from palimpsest.stores.builds import Progress

ENTRIES = 100
"""Put in between two looks at the time."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Versions to put in, and where the build stands when they are: as in `Progress`."""

    wanted: list[tuple[Head, range]]
    before: str | None
    within: str | None = None
    versions: int = 0


def batches_of(walked: Iterator[tuple[str, Head]], progress: Progress) -> Iterator[Batch]:
    """All versions of the beliefs, so many at a time as a slice can surely take."""
    wanted: list[tuple[Head, range]] = []
    room, before = ENTRIES, progress.before
    for place, head in walked:
        number = progress.versions if place == progress.within else 0
        while number < head.count:
            taken = min(room, head.count - number)
            wanted.append((head, range(number + 1, number + taken + 1)))
            number, room = number + taken, room - taken
            if room == 0:
                is_whole = number == head.count
                yield Batch(wanted, place) if is_whole else Batch(wanted, before, place, number)
                wanted, room = [], ENTRIES
        before = place
    if wanted:
        yield Batch(wanted, before)
