"""Runs for callers: look at them, stop them, take them back, let them go on or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import LostRace, NotAllowed, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RunId
from palimpsest.domain.run import Phase, Run
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Write
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.allowances import Allowances
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.idempotency import Answered, IdempotencyRecords
from palimpsest.stores.runs import Line, Moving, Runs, Told
from palimpsest.stores.spaces import Spaces

_ATTEMPTS: Final = 20


class Scope(StrEnum):
    """What an approval is for: this run, or all of its kind in its space from now on."""

    ONCE = "once"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class RunShown:
    """A run, and the name of its space."""

    run: Run
    space: str


@dataclass(frozen=True, slots=True)
class RunsListed:
    """One page of runs, newest first."""

    runs: tuple[RunShown, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class LinesListed:
    """One page of a run's log."""

    lines: tuple[Line, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class ManageRuns:
    """Shows and moves runs. `ask`: has a worker go on with one; what it can't ask for now is asked for by a plan."""

    runs: Runs
    allowances: Allowances
    spaces: Spaces
    idempotency: IdempotencyRecords
    cursors: Cursors
    clock: Clock
    ask: Callable[[Work], object]

    def show(self, caller: Caller, run_id: RunId) -> RunShown:
        """The run; NotFound when it is unknown or lies in a space that the key may not enter."""
        run = self.runs.read(run_id)
        space = None if run is None else self.spaces.by_id(run.space)
        if run is None or space is None or not caller.may_enter(space.name):
            raise NotFound("run")
        return RunShown(run, space.name)

    def page(self, caller: Caller, *, space: str | None, limit: int = 50, cursor: str | None = None) -> RunsListed:
        """Runs of a space, newest first."""
        name = caller.require_space(space)
        binding = ("runs", name, caller.key)
        before = self.cursors.open(cursor, *binding) if cursor else None
        found = self.spaces.find(name)
        if found is None:
            return RunsListed((), None)
        runs, more = self.runs.listed(found.id, before, limit)
        shown = tuple(RunShown(run, name) for run in runs)
        return RunsListed(shown, self.cursors.seal(more, *binding) if more else None)

    def lines(self, caller: Caller, run_id: RunId, *, limit: int = 50, cursor: str | None = None) -> LinesListed:
        """What became of a run, oldest first, then of each item of its plan, in its order."""
        self.show(caller, run_id)
        binding = ("run", run_id, caller.key)
        found = self.runs.lines(run_id, self.cursors.open(cursor, *binding) if cursor else None, limit)
        more = found.next_place
        return LinesListed(found.lines, self.cursors.seal(more, *binding) if more else None)

    def stop(self, caller: Caller, run_id: RunId, idempotency: Idempotency | None = None) -> RunShown:
        """It ends after the item that is worked on now; for owners, and for who asked for the run.

        Raises:
            WrongState: It is over.
        """
        caller.require(Role.WRITER)

        def stop(run: Run, now: datetime) -> Run:
            if run.by != caller.key and not caller.may(Role.OWNER):
                raise NotAllowed("another key asked for this run; its key stops it, or one with the role owner")
            return run.stopped(now)

        return self._change(caller, run_id, "stopped", stop, idempotency=idempotency)

    def undo(self, caller: Caller, run_id: RunId, idempotency: Idempotency | None = None) -> RunShown:
        """Take back what it did, as a unit; what was changed since stays, and the log names it. For owners.

        Raises:
            WrongState: It is under way, was a dry run, is undone already, or erased what it did.
        """
        caller.require(Role.OWNER)
        return self._change(caller, run_id, "undo", lambda run, _: run.undoing(), idempotency=idempotency)

    def approve(self, caller: Caller, run_id: RunId, scope: Scope, idempotency: Idempotency | None = None) -> RunShown:
        """Let a run that waits go on; with `ALWAYS` all later ones of its kind in its space. For owners.

        Raises:
            WrongState: It does not wait, or is of a kind that is approved one by one.
        """
        caller.require(Role.OWNER)

        def also(run: Run, now: datetime) -> tuple[Write, ...]:
            if scope is Scope.ONCE:
                return ()
            if not run.kind.may_be_always:
                raise WrongState(run.status, "what erases is approved one by one: send the scope once")
            return (self.allowances.approve_always(run, caller.key, now),)

        return self._change(
            caller, run_id, "approved", lambda run, _: run.approved(caller.key), also=also, idempotency=idempotency
        )

    def deny(self, caller: Caller, run_id: RunId, scope: Scope, idempotency: Idempotency | None = None) -> RunShown:
        """End a run that waits, with nothing done. For owners.

        With `ALWAYS` also take back that all runs of its kind in its space are approved; that run need not wait.

        Raises:
            WrongState: It does not wait.
        """
        caller.require(Role.OWNER)

        def deny(run: Run, now: datetime) -> Run:
            is_withdrawal = scope is Scope.ALWAYS and run.phase is not Phase.WAITING
            return run if is_withdrawal else run.denied(now)

        def also(run: Run, now: datetime) -> tuple[Write, ...]:
            return (self.allowances.withdraw(run),) if scope is Scope.ALWAYS else ()

        return self._change(caller, run_id, "denied", deny, also=also, idempotency=idempotency)

    def _change(
        self,
        caller: Caller,
        run_id: RunId,
        what: str,
        change: Callable[[Run, datetime], Run],
        *,
        also: Callable[[Run, datetime], tuple[Write, ...]] = lambda run, now: (),
        idempotency: Idempotency | None = None,
    ) -> RunShown:
        """Move the run as `change` says, from wherever it stands."""
        for _ in range(_ATTEMPTS):
            now = self.clock.now()
            shown = self.show(caller, run_id)
            if idempotency is not None and self.idempotency.answered(caller.key, idempotency, now) is not None:
                return shown
            answer = None
            if idempotency is not None:
                answer = self.idempotency.record(caller.key, idempotency, Answered(run_id, 0, what), now)
            run = shown.run
            moving = Moving(Told(what, caller.key), also=also(run, now), answer=answer)
            moved = self.runs.move(run, change(run, now), now, moving)
            if moved is None:
                continue
            if moved.phase.is_working:
                self.ask(Work(Job.RUN, run_id))
            return RunShown(moved, shown.space)
        raise LostRace(_ATTEMPTS)
