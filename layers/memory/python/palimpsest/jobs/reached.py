"""The watermark of one log while it is followed: how far, and which rows the index refuses for good."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from palimpsest.domain.belief import Head
from palimpsest.domain.errors import IndexUnavailable, TableThrottled
from palimpsest.domain.ids import RootId
from palimpsest.ports.clock import Clock
from palimpsest.stores import changes as changes_of
from palimpsest.stores.changes import Change
from palimpsest.stores.keys import LogPartition, root_of_row
from palimpsest.stores.watermarks import MOST_STUCK, Part, Watermarks

REFUSES = "index_refuses"
"""The reason of what fails for one log alone: more of its rows are refused than can be kept aside."""

ATTEMPTS = 5
AHEAD = timedelta(seconds=1)
"""Clocks that are a little apart are no reason to hold a watermark back."""


class Reached:
    """Keeps a watermark as a log is read."""

    def __init__(self, watermarks: Watermarks, partition: LogPartition, clock: Clock) -> None:
        self.seen = watermarks.read(partition)
        self.begun = self.seen.newest
        self.partition = partition
        self._watermarks = watermarks
        self._clock = clock

    def has(self, head: Head, number: int) -> bool:
        """That version of the belief went in before the time was up, and no step came since."""
        part = self.seen.part
        return part is not None and (part.root, part.revision) == (head.root, head.revision) and number <= part.number

    def refused_before(self, heads: Iterable[Head]) -> set[RootId]:
        """The one among these beliefs of which a version was refused before the time was up."""
        stuck = {root_of_row(place) for place in self.seen.stuck}
        return {head.root for head in heads if head.root in stuck and self.has(head, 0)}

    def note(self, changes: Sequence[Change], place: str, refused: set[RootId]) -> None:
        """These changes are in, but those of the refused; `place`: of the last row.

        The watermark never passes the present: after a row of a writer whose clock is fast, the rows of the others
        would count as long indexed, and neither recall nor this consumer would look at them.

        Raises:
            IndexUnavailable: More is refused than can be kept aside.
            TableThrottled: Others moved the watermark each time, so that what is refused could not be kept aside.
        """
        self._keep(changes, place, refused, None)

    def pause(self, changes: Sequence[Change], part: Part, refused: set[RootId]) -> None:
        """A part of the belief of these changes is in: all before them, and its versions up to that number."""
        self._keep([c for c in changes if c.root == part.root], _just_before(changes[0].place), refused, part)

    def _keep(self, changes: Sequence[Change], place: str, refused: set[RootId], part: Part | None) -> None:
        for _ in range(ATTEMPTS):
            now = self._clock.now()
            newest = max(self.seen.newest, min(place, changes_of.place_at(now + AHEAD)))
            stuck = _stuck(self.seen.stuck, changes, refused)
            is_same = newest == self.seen.newest and stuck == self.seen.stuck
            if is_same and (part is None or part == self.seen.part):
                return
            is_kept = self._watermarks.advance(self.partition, self.seen, newest, now, stuck, part)
            self.seen = self._watermarks.read(self.partition)
            if is_kept:
                return
        if refused:
            raise TableThrottled


def _just_before(place: str) -> str:
    return changes_of.place_at(changes_of.place_time(place))


def _stuck(stuck: tuple[str, ...], changes: Sequence[Change], refused: set[RootId]) -> tuple[str, ...]:
    """The stuck rows after these changes: for each refused belief its newest, none of those that went in now."""
    touched = {change.root for change in changes}
    newest = {
        change.root: change.place for change in sorted(changes, key=lambda c: c.revision) if change.root in refused
    }
    together = tuple(sorted([*(place for place in stuck if root_of_row(place) not in touched), *newest.values()]))
    if len(together) > MOST_STUCK:
        raise IndexUnavailable(REFUSES, f"the index refuses the entries of more than {MOST_STUCK} rows of one log")
    return together
