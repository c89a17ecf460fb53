"""Erase: a belief is gone for good; off every surface at once, and off every disk in the background."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.domain import erasure as erasures_of
from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Head, State
from palimpsest.domain.erasure import Erasure, Leftovers, Remainder
from palimpsest.domain.errors import HeadMoved, LostRace, NotFound, QueueUnavailable, RequestRepeated
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import SYSTEM, ErasureId, RunId, VersionRef, erasure_of
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.ports.table import Put
from palimpsest.ports.work_queue import Job, Work, WorkQueue
from palimpsest.stores import changes, idempotency
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.erasures import Erasures
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words
from palimpsest.usecases.steps import ATTEMPTS, Found, Steps, require_current

ERASED = "erased"
"""The outcome of an erasure, for the request's record."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an erasure so far, and what remains once it is verified."""

    erasure: Erasure
    space: str
    remains: tuple[Remainder, ...]


@dataclass(frozen=True, slots=True)
class Erase:
    """Begins erasures and tells how they stand. `kept`: what the installation keeps of what is deleted."""

    steps: Steps
    erasures: Erasures
    queue: WorkQueue
    kept: Leftovers

    def __call__(
        self, caller: Caller, ref: VersionRef, request: Idempotency | None = None, *, run: RunId | None = None
    ) -> Receipt:
        """Begin to erase the belief, or say how its erasure stands when that was asked for before.

        Raises:
            NotAllowed: The key is no owner.
            NotFound: Unknown, or in a space that the key may not enter.
            VersionMoved: `ref` names a version that is not current: it is the whole belief that goes.
        """
        caller.require(Role.OWNER)
        for _ in range(ATTEMPTS):
            self.steps.answered(caller, request)  # the same key of idempotency with another body is refused
            begun = self.erasures.read(erasure_of(ref.root))
            if begun is not None:
                return self.told(caller, begun, "memory")
            found = self.steps.find(caller, ref.root)
            require_current(ref, found.belief.head)
            with suppress(HeadMoved, RequestRepeated):
                stamp = Stamp(self.steps.clock.now(), caller.key, run)
                return self.told(caller, self._begin(found, stamp, request), "memory")
        raise LostRace(ATTEMPTS)

    def receipt(self, caller: Caller, erasure: ErasureId) -> Receipt:
        """How an erasure stands; NotFound when it is unknown or in a space that the key may not enter."""
        caller.require(Role.OWNER)
        begun = self.erasures.read(erasure)
        if begun is None:
            raise NotFound("erasure")
        return self.told(caller, begun, "erasure")

    def by_itself(self, head: Head) -> None:
        """Begin to erase a belief for a reason that no caller gave; HeadMoved when another step came first."""
        belief = self.steps.beliefs.read(head.root)
        if belief.head.revision != head.revision:
            raise HeadMoved
        self._begin(Found(self.steps.spaces.by_id(head.space), belief), Stamp(self.steps.clock.now(), SYSTEM), None)

    def in_run(self, space: Space, belief: Belief, stamp: Stamp, fence: Guarded) -> None:
        """Begin to erase a belief as an item of a run.

        Raises:
            HeadMoved: Another step came first.
            RunMoved: The run was stopped.
        """
        self._begin(Found(space, belief), stamp, None, fence)

    def _begin(self, found: Found, stamp: Stamp, request: Idempotency | None, *further: Guarded) -> Erasure:
        head, text = found.belief.head, Words.of(found.belief.current.statement)
        step = lineage.erase(head, stamp, erasure_of(head.root))
        begun = self._erasure(step, self.steps.beliefs.texts.mac(text))
        move, also = Move(step, found.space, None, text), [self.erasures.begin(begun), *further]
        self.steps.beliefs.commit_all([move], also=also, answer=self.answer(begun, request))
        self.ask(begun)
        return begun

    def ask(self, begun: Erasure) -> None:
        """Have a worker go on with it; when nobody could be asked the next plan asks again."""
        with suppress(QueueUnavailable):
            self.queue.send(Work(Job.ERASE, begun.id))

    def _erasure(self, step: Step, text_mac: str) -> Erasure:
        head = step.after
        had_record = step.before is not None and step.before.state is State.LIVE
        return Erasure(
            id=erasure_of(head.root),
            subject=head.root,
            space=head.space,
            asked_by=step.stamp.by,
            asked_at=step.stamp.at,
            began_at=head.created_at - EARLIER,
            revision=head.revision,
            versions=head.count,
            text_mac=text_mac,
            resumes_at=step.stamp.at,
            removed={"text": 1} if had_record else {},
        )

    def answer(self, begun: Erasure, request: Idempotency | None) -> Put | None:
        """The record of the request that began it."""
        if request is None:
            return None
        answered = Answered(begun.id, 0, ERASED)
        return self.steps.idempotency.record(begun.asked_by, request, answered, begun.asked_at)

    def told(self, caller: Caller, begun: Erasure, asked_for: str) -> Receipt:
        """How it stands, for a caller; NotFound where the key may not enter its space."""
        space = self.steps.spaces.by_id(begun.space)
        if not caller.may_enter(space.name):
            raise NotFound(asked_for)
        left = erasures_of.remains(begun, self.kept, log=changes.RETENTION, requests=idempotency.RETENTION)
        return Receipt(begun, space.name, tuple(left))


EARLIER = timedelta(minutes=10)
"""Clocks of several machines differ; nothing about a belief is older than this before its beginning."""
