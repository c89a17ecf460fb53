"""Begin conflicts: what was found to contradict each other stands side by side, disputed, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain import disputing
from palimpsest.domain.belief import State
from palimpsest.domain.conflict import Conflict, ConflictState
from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import ConflictId, RootId, SpaceId, VersionRef, conflict_between
from palimpsest.domain.judgement import Opinion, Relation
from palimpsest.domain.lineage import Stamp
from palimpsest.stores import conflicts as stored
from palimpsest.stores.beliefs import Belief, Beliefs
from palimpsest.stores.conflicts import Conflicts
from palimpsest.stores.edges import EdgeKind, Edges
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words
from palimpsest.usecases.featurise import Featurise

MOST = 8
"""Conflicts of one step: the transaction holds 100 writes and 4 MB."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Conflicts that are to begin with a step of the incoming belief.

    Attributes:
        moves: Steps of the other sides.
        writes: The conflicts themselves.
        begun: Ids of those that begin.
        first: Id of the first conflict of all, one that was there already included; None when there is none.
    """

    moves: tuple[Move, ...] = ()
    writes: tuple[Guarded, ...] = ()
    begun: tuple[ConflictId, ...] = ()
    first: ConflictId | None = None


@dataclass(frozen=True, slots=True)
class Disputes:
    """Prepares conflicts."""

    beliefs: Beliefs
    conflicts: Conflicts
    edges: Edges
    featurise: Featurise

    def open(self, space: Space, incoming: VersionRef, opinions: Sequence[Opinion], stamp: Stamp) -> Opened | None:
        """Conflicts of what comes with each of the versions that it contradicts; None when one of those has moved.

        A pair has one conflict for ever: where it has one, pending or decided, nothing begins. Of more than
        one step can begin the first do; `Notice` keeps the others as findings.
        """
        others = [each for each in opinions if each.ref.root != incoming.root]
        ids = {conflict_between(each.ref.root, incoming.root): each for each in others}
        known = self.conflicts.find(list(ids))
        pending = [each for each in ids if each in known and not known[each].is_decided]
        moves, writes, begun = [], [], []
        for conflict_id, opinion in [each for each in ids.items() if each[0] not in known][:MOST]:
            belief = self._seen(space.id, opinion.ref)
            if belief is None:
                return None
            moves.append(self.join(space, belief, conflict_id, stamp))
            writes += stored.begun(_conflict(space.id, conflict_id, opinion, incoming, stamp))
            begun.append(conflict_id)
        return Opened(tuple(moves), tuple(writes), tuple(begun), next(iter([*pending, *begun]), None))

    def inherited(self, incoming: RootId, heir: RootId) -> list[Opinion]:
        """What else contradicts the incoming belief, and so whatever says the same in its place: the heir.

        What the heir has a conflict with already, pending or decided, is left out. WrongState when there is more than
        one step can begin, so that none is lost.
        """
        edges = [each for each in self.edges.of(incoming, EdgeKind.DISPUTED) if each.is_active and each.other != heir]
        ids = {edge.other: conflict_between(incoming, edge.other) for edge in edges}
        own = {edge.other: conflict_between(heir, edge.other) for edge in edges}
        known = self.conflicts.find([*ids.values(), *own.values()])
        opinions = []
        for edge in edges:
            if own[edge.other] in known:
                continue
            belief, conflict = self.live(edge.other), known.get(ids[edge.other])
            if belief is not None and conflict is not None:
                ref, relation = belief.current.ref, Relation.CONTRADICTORY
                opinions.append(Opinion(ref, relation, conflict.similarity, conflict.reason, conflict.judged_by))
        if len(opinions) > MOST:
            others = ", ".join(ids[each.ref.root] for each in opinions)
            message = f"a decision passes on at most {MOST} conflicts of the incoming memory; decide first: {others}"
            raise WrongState(ConflictState.PENDING, message)
        return opinions

    def join(self, space: Space, belief: Belief, conflict: ConflictId, stamp: Stamp) -> Move:
        """The step by which a live belief becomes a side of a conflict."""
        said = Words.of(belief.current.statement)
        step = disputing.dispute(belief.head, stamp, conflict)
        return Move(step, space, self.featurise.again(belief.current.statement, belief.vectors), said)

    def live(self, root: RootId) -> Belief | None:
        """The belief, if it is there and live."""
        head = self.beliefs.heads([root]).get(root)
        belief = None if head is None or head.state is not State.LIVE else self.beliefs.read(root)
        return belief if belief is not None and belief.head.state is State.LIVE else None

    def _seen(self, space: SpaceId, ref: VersionRef) -> Belief | None:
        """The belief while the version that was compared is its current one."""
        belief = self.live(ref.root)
        is_so = belief is not None and (belief.head.space, belief.head.current) == (space, ref.number)
        return belief if is_so else None


def _conflict(space: SpaceId, conflict: ConflictId, opinion: Opinion, incoming: VersionRef, stamp: Stamp) -> Conflict:
    return Conflict(
        id=conflict,
        space=space,
        existing=opinion.ref,
        incoming=incoming,
        similarity=opinion.similarity,
        reason=opinion.reason,
        judged_by=opinion.judged_by,
        opened_at=stamp.at,
        opened_by=stamp.by,
    )
