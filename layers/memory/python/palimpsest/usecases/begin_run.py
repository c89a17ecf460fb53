"""Begin a run: a record in the table, and a message that has a worker go on with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.access import Caller
from palimpsest.domain.errors import LostRace, RequestRepeated
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RunId
from palimpsest.domain.run import Run, RunKind
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.idempotency import Answered, IdempotencyRecords
from palimpsest.stores.runs import Runs
from palimpsest.stores.spaces import Space
from palimpsest.usecases.runs import RunShown

_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class BeginRun:
    """Begins runs. `ask`: has a worker go on with one; what it can't ask for now is asked for by a plan."""

    runs: Runs
    idempotency: IdempotencyRecords
    clock: Clock
    ids: Ids
    ask: Callable[[Work], object]

    def __call__(
        self,
        caller: Caller,
        kind: RunKind,
        space: Space,
        *,
        asked: str,
        is_dry: bool = False,
        idempotency: Idempotency | None = None,
    ) -> RunShown:
        """A new run in a space that the caller may do this in; the same request again gives the same run.

        `asked`: what it is to do, as its kind reads it. It may hold people's words; it is gone when the run is over.
        """
        for _ in range(_ATTEMPTS):
            known = self.earlier(caller, idempotency)
            if known is not None:
                return RunShown(known, space.name)
            now = self.clock.now()
            run = Run(RunId(f"run_{self.ids.ulid()}"), kind, space.id, caller.key, now, now, is_dry=is_dry, asked=asked)
            answer = None
            if idempotency is not None:
                answer = self.idempotency.record(caller.key, idempotency, Answered(run.id, 0, "begun"), now)
            try:
                self.runs.begin(run, answer)
            except RequestRepeated:
                continue  # a twin of the request was first, and has left its answer
            self.ask(Work(Job.RUN, run.id))
            return RunShown(run, space.name)
        raise LostRace(_ATTEMPTS)

    def earlier(self, caller: Caller, idempotency: Idempotency | None) -> Run | None:
        """The run that the same request has begun before."""
        if idempotency is None:
            return None
        answered = self.idempotency.answered(caller.key, idempotency, self.clock.now())
        return None if answered is None else self.runs.read(RunId(answered.subject))
