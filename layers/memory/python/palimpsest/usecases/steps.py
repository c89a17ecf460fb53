"""What every step on a belief has in common: find it, make the step on the head that was read, retry when it moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Head, Memory, State
from palimpsest.domain.errors import (
    Erased,
    HeadMoved,
    LostRace,
    NotFound,
    RequestRepeated,
    VersionMissing,
    VersionMoved,
    WrongState,
)
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId, SpaceId, VersionRef
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.version import Version
from palimpsest.ports.clock import Clock
from palimpsest.stores.beliefs import Belief, Beliefs
from palimpsest.stores.changes import Features
from palimpsest.stores.idempotency import Answered, IdempotencyRecords
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.reinforcements import Reinforcements
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.stores.texts import Words
from palimpsest.usecases.disputed import Disputed
from palimpsest.usecases.drafts import Outcome
from palimpsest.usecases.scrub import Scrub
from palimpsest.usecases.sources import Sources

ATTEMPTS = 100
"""Of one write on a head that others keep moving: 32 writers at once need at most 32."""


FORGOTTEN = "forgotten"
"""The outcome of a forget: the one request whose retry is answered with a memory that is forgotten."""

_OF_WHAT_IS_HIDDEN = frozenset({FORGOTTEN, "restored"})
"""The outcomes of steps that are made of what was made from a belief that is not there, as well."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A step, and the features of what is current after it (None: it leaves every surface). `also`: written with it."""

    step: Step
    features: Features | None
    also: Sequence[Guarded] = ()


class Moved(NamedTuple):
    """What a move came to. `is_new`: a step was made, now or when the same request came before.

    `conflict`: Of the conflict that the same request began before.
    """

    memory: Memory
    is_new: bool
    conflict: str | None = None


class Found(NamedTuple):
    """A belief and its space."""

    space: Space
    belief: Belief


Plan = Callable[[Belief, Stamp], Planned | None]
"""None: it is as it should be already, and no step is made."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Reads beliefs for callers and moves them on."""

    beliefs: Beliefs
    spaces: Spaces
    idempotency: IdempotencyRecords
    clock: Clock
    disputed: Disputed
    reinforcements: Reinforcements
    scrub: Scrub

    @property
    def sources(self) -> Sources:
        """What versions were made from, and whether that is there."""
        return Sources(self.beliefs)

    def find_shown(self, caller: Caller, root: RootId) -> Found:
        """The same as `find`; NotFound also for what was made from a belief that is not there."""
        found = self.find(caller, root)
        self.sources.require_shown(found.belief.current)
        return found

    def find(self, caller: Caller, root: RootId) -> Found:
        """The belief and its space; NotFound, by this one path, when it is unknown or the key may not enter.

        Raises:
            VersionMissing: Its current version is not stored; callers who may not enter are told NotFound of that, too.
        """
        try:
            belief = self.beliefs.read(root)
        except (Erased, VersionMissing) as broken:
            self.enter(caller, SpaceId(broken.space))
            raise
        return Found(self.enter(caller, belief.head.space), belief)

    def enter(self, caller: Caller, space_id: SpaceId) -> Space:
        """The space; NotFound when the key may not enter it."""
        space = self.spaces.by_id(space_id)
        if not caller.may_enter(space.name):
            raise NotFound
        return space

    def move(
        self,
        caller: Caller,
        ref: VersionRef,
        plan: Plan,
        *,
        outcome: str,
        found: Found | None = None,
        idempotency: Idempotency | None = None,
    ) -> Moved:
        """Make the step that `plan` gives for the belief, from a newer head when another step came first.

        `found`: the belief as the caller has read it already.

        Raises:
            NotFound, NotAllowed: As for any write; NotFound also for a version that does not exist.
            VersionMoved: `ref` names a version that is no longer current.
            LostRace: 100 other steps came first.
            Conflict: Whatever `plan` raises.
        """
        caller.require(Role.WRITER)
        for _ in range(ATTEMPTS):
            earlier = self.answered(caller, idempotency)
            if earlier is not None:
                memory, is_new = self.show_again(caller, earlier), earlier.outcome != Outcome.UNCHANGED
                return Moved(memory, is_new, earlier.conflict)
            space, belief = found or self.find(caller, ref.root)
            found = None
            require_current(ref, belief.head)
            if outcome not in _OF_WHAT_IS_HIDDEN:
                self.sources.require_shown(belief.current)
            planned = plan(belief, Stamp(self.clock.now(), caller.key))
            if planned is None:
                self._keep_unchanged(caller, belief, idempotency)
                return Moved(self.shown(space, belief.head, belief.current), is_new=False)
            try:
                done = self._commit(caller, space, belief, planned, outcome, idempotency)
            except (HeadMoved, RequestRepeated):
                continue
            return Moved(self.shown(space, done.after, done.version or belief.current), is_new=True)
        raise LostRace(ATTEMPTS)

    def answered(self, caller: Caller, idempotency: Idempotency | None) -> Answered | None:
        """What the same request came to before."""
        if idempotency is None:
            return None
        return self.idempotency.answered(caller.key, idempotency, self.clock.now())

    def claim(self, caller: Caller, idempotency: Idempotency | None) -> None:
        """Bind the request's key to its body; IdempotencyReused when it came before with another."""
        if idempotency is not None:
            self.idempotency.claim(caller.key, idempotency, self.clock.now())

    def show(self, caller: Caller, root: RootId, number: int | None = None) -> Memory:
        """A version of a belief as it stands now, the current one unless `number` is given."""
        space, belief = self.find(caller, root)
        if number is None or number == belief.head.current:
            return self.shown(space, belief.head, belief.current)
        wanted = self.beliefs.versions([(root, number), (root, number + 1)])
        version = wanted.get((root, number))
        if version is None:
            raise NotFound
        return self.told([memory(space, belief.head, version, wanted.get((root, number + 1)))])[0]

    def shown(self, space: Space, head: Head, version: Version) -> Memory:
        """The version that is current, or was when its belief left recall, as callers are told of it."""
        return self.told([Memory(space.name, head, version, None)])[0]

    def told(self, memories: Sequence[Memory]) -> list[Memory]:
        """The same memories as callers are told of them: disputed or not, and how often made use of."""
        return self.reinforcements.shown(self.disputed(memories))

    def show_again(self, caller: Caller, earlier: Answered) -> Memory:
        """The version that a request came to before; WrongState when its belief was forgotten since, or hidden."""
        try:
            memory = self.show(caller, RootId(earlier.subject), earlier.number)
        except Erased as gone:
            raise WrongState("erased", "this request was done before, and its memory is erased since") from gone
        is_hidden = earlier.outcome not in _OF_WHAT_IS_HIDDEN and bool(self.sources.hidden([memory.version]))
        if is_hidden or (memory.head.state is State.FORGOTTEN and earlier.outcome != FORGOTTEN):
            raise WrongState(State.FORGOTTEN, "this request was done before, and its memory is forgotten since")
        return memory

    def _keep_unchanged(self, caller: Caller, belief: Belief, idempotency: Idempotency | None) -> None:
        if idempotency is not None:
            answered = Answered(belief.head.root, belief.head.current, Outcome.UNCHANGED)
            self.idempotency.keep(self.idempotency.record(caller.key, idempotency, answered, self.clock.now()))

    def _commit(
        self,
        caller: Caller,
        space: Space,
        belief: Belief,
        planned: Planned,
        outcome: str,
        idempotency: Idempotency | None,
    ) -> Step:
        step = planned.step
        answer = None
        if idempotency is not None:
            answered = Answered(step.after.root, step.after.current, outcome)
            answer = self.idempotency.record(caller.key, idempotency, answered, step.stamp.at)
        move = Move(step, space, planned.features, Words.of(belief.current.statement))
        return self.beliefs.commit_all([move], also=planned.also, answer=answer)[0]


def memory(space: Space, head: Head, version: Version, successor: Version | None) -> Memory:
    """A version with when it went stale."""
    is_live = head.state is not State.FORGOTTEN and version.number == head.current
    return Memory(space.name, head, version, None if is_live or successor is None else successor.recorded_at)


def require_current(ref: VersionRef, head: Head) -> None:
    """A version that a step is asked for has to be the current one; NotFound or VersionMoved when it is not."""
    if ref.number is None or ref.number == head.current:
        return
    if ref.number > head.count:
        raise NotFound("version")
    raise VersionMoved(expected=ref.number, current=head.current)
