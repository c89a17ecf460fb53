"""Forget: out of every surface now, restorable for a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Reason
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drafts import Forgotten
from palimpsest.usecases.steps import FORGOTTEN, Planned, Steps


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
