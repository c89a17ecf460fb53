"""What a message of the work queue asks for, done slice by slice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from palimpsest.domain.errors import UnknownWork
from palimpsest.ports.work_queue import Job, Work, WorkQueue

SecondsLeft: TypeAlias = Callable[[], float]
"""How long a slice may still take; a slice looks between its parts and ends soon after there is nothing left."""


class Slice(Protocol):
    """A job that does as much as fits. It may be called twice, or be killed, at any point, with the same result."""

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Do a part; True when there is more to do at once."""
        ...


@dataclass(frozen=True, slots=True)
class Worker:
    """Does what a message asks for and, when that was only a part, asks for the rest."""

    slices: Mapping[Job, Slice]
    queue: WorkQueue

    def __call__(self, work: Work, seconds_left: SecondsLeft) -> None:
        """One slice.

        Raises:
            UnknownWork: There is no such job here.
            PalimpsestError: What the slice came to; the message has to come again.
        """
        run = self.slices.get(work.job)
        if run is None:
            raise UnknownWork("this installation has no such job")
        if run(work.subject, seconds_left):
            self.queue.send(work)
