"""Take back the decision on a conflict: both sides stand as before it, and the conflict is pending again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest.domain import disputing
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import State
from palimpsest.domain.conflict import Conflict, Decision
from palimpsest.domain.errors import BuiltUpon, HeadMoved, LostRace, NotFound, RequestRepeated
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ConflictId, RunId, VersionRef, conflict_between
from palimpsest.domain.lineage import Stamp
from palimpsest.stores import conflicts as stored
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.edges import EdgeKind
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.texts import Words
from palimpsest.usecases.challenge import require_trust
from palimpsest.usecases.conflict_sides import ConflictSides, Sides
from palimpsest.usecases.disputes import Disputes
from palimpsest.usecases.readings import ShownConflict
from palimpsest.usecases.steps import ATTEMPTS


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Reverts decisions. Nothing older than the decision is touched, and no version is removed."""

    sides: ConflictSides
    disputes: Disputes

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
            WrongState: It is not decided.
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
            begun = list(self.disputes.conflicts.find(decision.passed_on).values())
            self._require_nothing_upon(sides, decision, begun)
            stamp = Stamp(steps.clock.now(), caller.key, run)
            pending = sides.conflict.reverted(stamp)
            try:
                moves, withdrawn = self._withdrawn(sides, begun, stamp)
                moves = [*self._moves(sides, decision, stamp, begun=len(begun)), *moves]
                writes = [*stored.moved(sides.conflict, pending), *withdrawn, *also]
                steps.beliefs.commit_all(moves, also=writes, answer=self.sides.record(caller, pending, idempotency))
            except (HeadMoved, RequestRepeated):
                continue
            return self.sides.shown(sides.space, pending)
        raise LostRace(ATTEMPTS)

    def _moves(self, sides: Sides, decision: Decision, stamp: Stamp, *, begun: int) -> list[Move]:
        own = self._take_back(sides, decision, stamp, begun) if decision.made else None
        return [
            own if own is not None and belief is sides.existing else self._back(sides, decision, belief, stamp)
            for belief in (sides.existing, sides.incoming)
        ]

    def _take_back(self, sides: Sides, decision: Decision, stamp: Stamp, begun: int) -> Move:
        """What the existing side said before, as its newest version."""
        existing, beliefs = sides.existing, self.sides.steps.beliefs
        place = (existing.head.root, decision.existing.number or 0)
        before = beliefs.versions([place]).get(place)
        if before is None:
            raise NotFound("version")
        vectors = beliefs.vectors_of([place], beliefs.model).get(place, beliefs.no_vectors())
        step = disputing.take_back(
            existing.head, existing.current, before, stamp, sides.conflict.id, embedded=len(vectors) > 0
        )
        features = self.disputes.featurise.again(before.statement.content, vectors)
        return Move(disputing.disputed(step, -begun), sides.space, features, Words.of(existing.current.statement))

    def _back(self, sides: Sides, decision: Decision, belief: Belief, stamp: Stamp) -> Move:
        """The step of a side that got no version: it is back, or disputed again, as it stands."""
        said, conflict = Words.of(belief.current.statement), sides.conflict.id
        if belief.head.root == decision.loser:
            step = disputing.reinstate(belief.head, stamp, conflict, has_vectors=len(belief.vectors) > 0)
        else:
            step = disputing.dispute_again(belief.head, stamp, conflict)
        is_live = step.after.state is State.LIVE
        features = self.disputes.featurise.again(said.content, belief.vectors) if is_live else None
        return Move(step, sides.space, features, said)

    def _withdrawn(self, sides: Sides, begun: Sequence[Conflict], stamp: Stamp) -> tuple[list[Move], list[Guarded]]:
        """Conflicts that began with the decision, withdrawn: what they were about is said no more."""
        moves, writes = [], []
        for conflict in begun:
            writes += stored.withdrawn(conflict)
            belief = self.disputes.live(conflict.existing.root)
            if belief is not None:
                said = Words.of(belief.current.statement)
                step = disputing.settle(belief.head, stamp, sides.conflict.id)
                moves.append(Move(step, sides.space, self.disputes.featurise.again(said.content, belief.vectors), said))
        return moves, writes

    def _require_nothing_upon(self, sides: Sides, decision: Decision, begun: Sequence[Conflict]) -> None:
        later = [*(str(each.id) for each in begun if each.decision is not None)]  # a reverted one is history, too
        if decision.made is not None:
            later += self._upon(sides, decision.made)
        if later:
            raise BuiltUpon(tuple(dict.fromkeys(later)))

    def _upon(self, sides: Sides, made: VersionRef) -> Iterator[str]:
        """The versions over the one that was made, and the decisions that were made on it or on those."""
        number = made.number or 0
        yield from (str(VersionRef(made.root, n)) for n in range(number + 1, sides.existing.head.count + 1))
        edges = self.disputes.edges.of(made.root, EdgeKind.DISPUTED)
        ids = [each for edge in edges if (each := conflict_between(edge.root, edge.other)) != sides.conflict.id]
        for conflict in self.disputes.conflicts.find(ids).values():
            if conflict.is_decided and conflict.decision is not None:
                seen = conflict.decision.seen(made.root)
                if (seen.number or 0) >= number:
                    yield conflict.id
