"""What took a belief's words over is taken back: what it takes, whether a decision did it or the background."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from palimpsest.domain import disputing
from palimpsest.domain.conflict import Conflict
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import ConflictId, VersionRef, conflict_between
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.version import Version
from palimpsest.stores import conflicts as stored
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.edges import EdgeKind
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words
from palimpsest.usecases.disputes import Disputes
from palimpsest.usecases.sources import Sources

Again: TypeAlias = Callable[[Version, bool], Step]
"""The step that makes a version the newest one again; `True`: it has vectors."""


class Unsaid(NamedTuple):
    """Steps, and what is written with them."""

    moves: Sequence[Move]
    writes: Sequence[Guarded]


@dataclass(frozen=True, slots=True)
class Unsay:
    """Prepares it; nothing older is touched, and no version is removed."""

    disputes: Disputes

    def words(self, space: Space, belief: Belief, number: int, again: Again) -> Unsaid:
        """What version `number` said, as the newest version of the belief.

        Raises:
            NotFound: There is no such version.
            WrongState: What that version was made from is erased.
        """
        beliefs, place = self.disputes.beliefs, (belief.head.root, number)
        before = beliefs.versions([place]).get(place)
        if before is None:
            raise NotFound("version")
        vectors = beliefs.vectors_of([place], beliefs.model).get(place, beliefs.no_vectors())
        features = self.disputes.featurise.again(before.statement, vectors)
        step = again(before, len(vectors) > 0)
        move = Move(step, space, features, Words.of(belief.current.statement))
        return Unsaid([move], Sources(beliefs).none_erased(before))

    def conflicts(
        self, space: Space, begun: Sequence[Conflict], stamp: Stamp, note: ConflictId | None = None
    ) -> Unsaid:
        """Conflicts that began with the words, withdrawn: what they were about is said no more.

        `note`: for the history of their other sides; each conflict's own id when it is None.
        """
        moves, writes = [], []
        for conflict in begun:
            writes += stored.withdrawn(conflict)
            belief = self.disputes.live(conflict.existing.root)
            if belief is not None:
                said = Words.of(belief.current.statement)
                step = disputing.settle(belief.head, stamp, note or conflict.id)
                moves.append(
                    Move(step, space, self.disputes.featurise.again(belief.current.statement, belief.vectors), said)
                )
        return Unsaid(moves, writes)

    def upon(
        self, made: VersionRef | None, count: int, begun: Sequence[Conflict], *, but: Collection[ConflictId] = ()
    ) -> tuple[str, ...]:
        """What rests on the words, by its ids; then they can't be taken back.

        Args:
            made: The version that said them; None when there is none.
            count: How many versions its belief has.
            begun: The conflicts that began with it.
            but: A conflict that is not looked at.
        """
        later = [*(str(each.id) for each in begun if each.decision is not None)]  # a reverted one is history, too
        if made is not None:
            later += self._upon(made, count, but)
        return tuple(dict.fromkeys(later))

    def _upon(self, made: VersionRef, count: int, but: Collection[ConflictId]) -> Iterator[str]:
        """The versions over the one that was made, and the decisions that were made on it or on those."""
        number = made.number or 0
        yield from (str(VersionRef(made.root, n)) for n in range(number + 1, count + 1))
        edges = self.disputes.edges.of(made.root, EdgeKind.DISPUTED)
        ids = [each for edge in edges if (each := conflict_between(edge.root, edge.other)) not in but]
        for conflict in self.disputes.conflicts.find(ids).values():
            if conflict.is_decided and conflict.decision is not None:
                seen = conflict.decision.seen(made.root)
                if (seen.number or 0) >= number:
                    yield conflict.id
