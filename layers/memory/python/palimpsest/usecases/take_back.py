"""Take back the decision on a conflict: both sides stand as before it, and the conflict is pending again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain import disputing
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import State
from palimpsest.domain.conflict import Conflict, Decision
from palimpsest.domain.errors import BuiltUpon, HeadMoved, LostRace, RequestRepeated
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ConflictId, RunId
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.version import Version
from palimpsest.stores import conflicts as stored
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.texts import Words
from palimpsest.usecases.challenge import require_trust
from palimpsest.usecases.conflict_sides import ConflictSides, Sides
from palimpsest.usecases.readings import ShownConflict
from palimpsest.usecases.steps import ATTEMPTS
from palimpsest.usecases.unsay import Unsaid, Unsay


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Reverts decisions. Nothing older than the decision is touched, and no version is removed."""

    sides: ConflictSides
    unsay: Unsay

    def __call__(
        self,
        caller: Caller,
        conflict_id: ConflictId,
        idempotency: Idempotency | None = None,
        *,
        run: RunId | None = None,
        also: Sequence[Guarded] = (),
    ) -> ShownConflict:
        """The conflict, pending again.

        A version that the decision added is taken back by a new version that says what was said before.

        Args:
            run: The run that takes it back.
            also: Written with it; a failure of its own goes to the caller.

        Raises:
            NotFound: Unknown, in a foreign space, or hidden, since a side is forgotten.
            NotAllowed: The key is no writer.
            Outranked: Whoever decided is trusted more than the key.
            WrongState: It is not decided, or what was said before it was made from a memory that is erased.
            BuiltUpon: Later versions or decisions rest on what was decided.
        """
        caller.require(Role.WRITER)
        steps = self.sides.steps
        for _ in range(ATTEMPTS):
            replayed = self.sides.replayed(caller, idempotency)
            if replayed is not None:
                return replayed
            sides = self.sides.find(caller, conflict_id)
            decision = sides.conflict.require_decided()
            require_trust(caller.max_trust, decision.trust)
            begun = list(self.unsay.disputes.conflicts.find(decision.passed_on).values())
            self._require_nothing_upon(sides, decision, begun)
            stamp = Stamp(steps.clock.now(), caller.key, run)
            pending = sides.conflict.reverted(stamp)
            try:
                own = self._moves(sides, decision, stamp, begun=len(begun))
                gone = self.unsay.conflicts(sides.space, begun, stamp, sides.conflict.id)
                writes = [*stored.moved(sides.conflict, pending), *own.writes, *gone.writes, *also]
                answer = self.sides.record(caller, pending, idempotency)
                steps.beliefs.commit_all([*own.moves, *gone.moves], also=writes, answer=answer)
            except (HeadMoved, RequestRepeated):
                continue
            return self.sides.shown(sides.space, pending)
        raise LostRace(ATTEMPTS)

    def _moves(self, sides: Sides, decision: Decision, stamp: Stamp, *, begun: int) -> Unsaid:
        unsaid = self._take_back(sides, decision, stamp, begun) if decision.made else Unsaid([], [])
        others = (sides.incoming,) if decision.made else (sides.existing, sides.incoming)
        return Unsaid([*unsaid.moves, *(self._back(sides, decision, each, stamp) for each in others)], unsaid.writes)

    def _take_back(self, sides: Sides, decision: Decision, stamp: Stamp, begun: int) -> Unsaid:
        """What the existing side said before, as its newest version."""
        head, current, conflict = sides.existing.head, sides.existing.current, sides.conflict.id

        def again(before: Version, embedded: bool) -> Step:
            step = disputing.take_back(head, current, before, stamp, conflict, embedded=embedded)
            return disputing.disputed(step, -begun)

        return self.unsay.words(sides.space, sides.existing, decision.existing.number or 0, again)

    def _back(self, sides: Sides, decision: Decision, belief: Belief, stamp: Stamp) -> Move:
        """The step of a side that got no version: it is back, or disputed again, as it stands."""
        said, conflict = Words.of(belief.current.statement), sides.conflict.id
        if belief.head.root == decision.loser:
            step = disputing.reinstate(belief.head, stamp, conflict, has_vectors=len(belief.vectors) > 0)
        else:
            step = disputing.dispute_again(belief.head, stamp, conflict)
        is_live = step.after.state is State.LIVE
        again = self.unsay.disputes.featurise.again
        features = again(belief.current.statement, belief.vectors) if is_live else None
        return Move(step, sides.space, features, said)

    def _require_nothing_upon(self, sides: Sides, decision: Decision, begun: Sequence[Conflict]) -> None:
        later = self.unsay.upon(decision.made, sides.existing.head.count, begun, but=(sides.conflict.id,))
        if later:
            raise BuiltUpon(later)
