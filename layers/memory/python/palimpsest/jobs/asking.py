"""Ask the queue for work, once: a lease in the table says that somebody was asked or does it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.domain.errors import QueueUnavailable, TableError
from palimpsest.jobs.work import RESTS
from palimpsest.ports.clock import Clock
from palimpsest.ports.work_queue import Work, WorkQueue
from palimpsest.stores.leases import Leases


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks. What could not be asked for now is asked for by a later plan, since what is due stands in the table."""

    leases: Leases
    queue: WorkQueue
    clock: Clock

    def __call__(self, work: Work, *, after: timedelta = timedelta(0)) -> bool:
        """Whether it was asked for; `after`: it is not begun before that has gone by."""
        with suppress(TableError):
            lease = self.leases.ask(work, self.clock.now(), after)
            if lease is None:
                return False
            try:
                self.queue.send(work, after=after)
            except QueueUnavailable:
                self.leases.withdraw(lease, self.clock.now())
            else:
                return True
        return False

    def rest(self, work: Work) -> None:
        """It has just been done: nobody asks for it until its time comes."""
        self.leases.end(self.leases.read(work), self.clock.now(), RESTS[work.job])

    def start_over(self) -> None:
        """Nobody was asked for anything: for the start of a machine whose queue is empty."""
        self.leases.forget_all()
