"""What a message of the work queue asks for, done slice by slice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol, TypeAlias

from palimpsest.domain.errors import TableError, UnknownWork
from palimpsest.ports.clock import Clock
from palimpsest.ports.work_queue import Job, Work, WorkQueue
from palimpsest.stores.leases import Lease, Leases

RESTS = {Job.CHECK_LOGS: timedelta(days=1)}
"""How long after its end nobody asks for a job again."""

WHILE_RESTORED = frozenset({Job.APPLY_LEDGER, Job.ERASE})
"""What is done of a table that lacks erasures; plans ask for the rest again later."""

_LONGEST_SECONDS = 900.0
"""No function may run for longer."""
_OVERTIME = timedelta(minutes=1)
"""A slice ends soon after its time is up."""

SecondsLeft: TypeAlias = Callable[[], float]
"""How long a slice may still take; a slice looks between its parts and ends soon after there is nothing left."""


class Slice(Protocol):
    """A job that does as much as fits. It may be called twice, or be killed, at any point, with the same result."""

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Do a part; True when there is more to do at once."""
        ...


@dataclass(frozen=True, slots=True)
class Worker:
    """Does what a message asks for and, when that was only a part, asks for the rest.

    Whoever holds the lease does it; a message that comes twice, or for what another worker does, ends at once. So
    there is one chain of messages for each piece of work, whatever becomes of single ones.

    Attributes:
        may_work: What is in the table may be worked on; else most of the work is left to the next plan.
    """

    slices: Mapping[Job, Slice]
    queue: WorkQueue
    leases: Leases
    clock: Clock
    may_work: Callable[[], bool] = lambda: True

    def __call__(self, work: Work, seconds_left: SecondsLeft) -> None:
        """One slice.

        Raises:
            UnknownWork: There is no such job here.
            PalimpsestError: What the slice came to; the message has to come again.
        """
        run = self.slices.get(work.job)
        if run is None:
            raise UnknownWork("this installation has no such job")
        if work.job not in WHILE_RESTORED and not self.may_work():
            return
        now = self.clock.now()
        lease = self.leases.take(work, now, now + timedelta(seconds=min(seconds_left(), _LONGEST_SECONDS)) + _OVERTIME)
        if lease is not None:
            self._do(run, lease, seconds_left)

    def _do(self, run: Slice, lease: Lease, seconds_left: SecondsLeft) -> None:
        is_more = None
        try:
            is_more = run(lease.work.subject, seconds_left)
        finally:
            if is_more is None:
                with suppress(TableError):
                    self.leases.give_back(lease, self.clock.now())
        if not is_more:
            self.leases.end(lease, self.clock.now(), RESTS.get(lease.work.job, timedelta(0)))
        elif self.leases.pass_on(lease, self.clock.now()):
            self.queue.send(lease.work)
