"""A conflict with both of its sides, as callers may see it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Head, State
from palimpsest.domain.conflict import Conflict
from palimpsest.domain.errors import Invalid, NotFound
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ConflictId, VersionRef
from palimpsest.ports.table import Put
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.conflicts import Conflicts
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.usecases import accepting
from palimpsest.usecases.both_sides import both_sides
from palimpsest.usecases.drafts import Choice
from palimpsest.usecases.readings import ShownConflict
from palimpsest.usecases.steps import Steps


class Sides(NamedTuple):
    """A conflict and both beliefs as they stand now, whether live or retired."""

    space: Space
    conflict: Conflict
    existing: Belief
    incoming: Belief


@dataclass(frozen=True, slots=True)
class ConflictSides:
    """Finds conflicts and shows them. One of which a side is forgotten, erased or hidden is hidden with it."""

    steps: Steps
    conflicts: Conflicts

    def find(self, caller: Caller, conflict_id: ConflictId) -> Sides:
        """The conflict; NotFound when it is unknown, hidden, or in a space that the key may not enter."""
        conflict = self.conflicts.find([conflict_id]).get(conflict_id)
        if conflict is None or not caller.may_enter((space := self.steps.spaces.by_id(conflict.space)).name):
            raise NotFound("conflict")
        if not self.visible([conflict]):
            conflict = self._decided_meanwhile(conflict)
        existing, incoming = (self.steps.beliefs.read(root) for root in conflict.roots)
        if self.steps.sources.hidden([existing.current, incoming.current]):
            raise NotFound("conflict")
        return Sides(space, conflict, existing, incoming)

    def _decided_meanwhile(self, pending: Conflict) -> Conflict:
        """The conflict after a decision that came between its reading and that of its sides; else NotFound."""
        decided = self.conflicts.find([pending.id]).get(pending.id)
        if decided is None or decided == pending or not self.visible([decided]):
            raise NotFound("conflict")
        return decided

    def replayed(self, caller: Caller, idempotency: Idempotency | None) -> ShownConflict | None:
        """The conflict that the same request came to before, as it stands now."""
        earlier = self.steps.answered(caller, idempotency)
        if earlier is None:
            return None
        sides = self.find(caller, ConflictId(earlier.subject))
        return self.shown(sides.space, sides.conflict)

    def record(self, caller: Caller, conflict: Conflict, idempotency: Idempotency | None) -> Put | None:
        """The write that lets `replayed` answer."""
        if idempotency is None:
            return None
        answered = Answered(conflict.id, 0, conflict.state)
        return self.steps.idempotency.record(caller.key, idempotency, answered, self.steps.clock.now())

    def visible(self, conflicts: Sequence[Conflict]) -> list[Conflict]:
        """Those of which both sides may be shown; of the pending ones, those that can be decided: both are live."""
        heads = self.steps.beliefs.heads(sorted({root for each in conflicts for root in each.roots}))
        return [each for each in conflicts if all(_is_shown(each, heads.get(root)) for root in each.roots)]

    def shown(self, space: Space, conflict: Conflict) -> ShownConflict:
        """The conflict with both sides; NotFound when one of those went out of sight meanwhile."""
        both = self.show(space, [conflict])
        if not both:
            raise NotFound("conflict")
        return both[0]

    def decided(self, caller: Caller, shown: ShownConflict, choice: Choice) -> ShownConflict:
        """The same, as it is told to who decided: with the version that was made and what scrub did to a text.

        Told of a request that came before, too: nothing of its text is kept but what is stored.
        """
        made = None if shown.conflict.decision is None else shown.conflict.decision.made
        scrubber = self.steps.scrub.of(self.steps.spaces.find(shown.space))
        if choice.content is not None:
            with suppress(Invalid):  # the rules were others then
                accepting.content(choice.content, scrubber)
                accepting.canonical(choice.canonical, scrubber)
        memory = None if made is None else self.steps.show(caller, made.root, made.number)
        return replace(shown, made=memory, report=scrubber.report)

    def show(self, space: Space, conflicts: Sequence[Conflict]) -> list[ShownConflict]:
        """Both sides of each in full: as they stand now or, once it is decided, as they stood when it was.

        One of which a side was erased meanwhile is left out.
        """
        shown = both_sides(self.steps, space, [_refs(each) for each in conflicts])
        pairs = zip(conflicts, shown, strict=True)
        return [ShownConflict(conflict, space.name, *sides) for conflict, sides in pairs if sides is not None]


def _refs(conflict: Conflict) -> tuple[VersionRef, VersionRef]:
    """What is shown of each side; without a number it is what is current."""
    if conflict.is_decided and conflict.decision is not None:
        return conflict.decision.existing, conflict.decision.incoming
    return VersionRef(conflict.existing.root), VersionRef(conflict.incoming.root)


def _is_shown(conflict: Conflict, head: Head | None) -> bool:
    if head is None:
        return False
    return head.state is State.LIVE or (head.state is State.RETIRED and conflict.is_decided)
