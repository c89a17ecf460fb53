"""Forget: out of every surface now, restorable for a while."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import HeadMoved, LostRace, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import SYSTEM, RootId, VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Reason
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words
from palimpsest.usecases.drafts import Forgotten
from palimpsest.usecases.steps import ATTEMPTS, FORGOTTEN, Planned, Steps


@dataclass(frozen=True, slots=True)
class Forget:
    """Hides beliefs. `recovery_days`: the window where a space sets none of its own."""

    steps: Steps
    recovery_days: int

    def __call__(self, caller: Caller, ref: VersionRef, idempotency: Idempotency | None = None) -> Forgotten:
        """The forgotten memory and until when it can be restored; WrongState when it is forgotten already."""
        caller.require(Role.WRITER)
        found = self.steps.find(caller, ref.root)

        def plan(belief: Belief, stamp: Stamp) -> Planned:
            return self.hide(found.space, belief, stamp)

        memory = self.steps.move(caller, ref, plan, outcome=FORGOTTEN, found=found, idempotency=idempotency).memory
        if memory.head.restore_until is None:
            raise WrongState(memory.head.state, "this memory was forgotten by the same request and restored since")
        return Forgotten(memory, memory.head.restore_until)

    def hide(self, space: Space, belief: Belief, stamp: Stamp, *, reason: Reason = Reason.FORGOTTEN) -> Planned:
        """The step that forgets a belief; WrongState when it is forgotten already."""
        days = self.recovery_days if space.recovery_days is None else space.recovery_days
        return Planned(lineage.forget(belief.head, stamp, window=timedelta(days=days), reason=reason), None)

    def by_itself(self, root: RootId, *, note: str) -> Head | None:
        """Forget for a reason that no caller gave; the head after it, or as it is when it was forgotten before.

        None when it is not there or erased. `note`: ids, for the history.
        """
        beliefs = self.steps.beliefs
        for _ in range(ATTEMPTS):
            try:
                belief = beliefs.read(root)
            except NotFound:
                return None
            if belief.head.state is State.FORGOTTEN:
                return belief.head
            space, text = self.steps.spaces.by_id(belief.head.space), Words.of(belief.current.statement)
            step = replace(self.hide(space, belief, Stamp(self.steps.clock.now(), SYSTEM)).step, note=note)
            with suppress(HeadMoved):
                return beliefs.commit(step, space, None, text_before=text).after
        raise LostRace(ATTEMPTS)
