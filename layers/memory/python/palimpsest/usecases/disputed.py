"""Whether a belief is disputed now: the other side of one of its open conflicts is live and shown.

A head counts the conflicts that it takes part in. One whose other side was forgotten, erased or retired since, or was
made from what is not there, is hidden and disputes nothing; it comes back with that side. So nobody who takes a belief
away has to touch another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from palimpsest.domain.belief import Memory, State
from palimpsest.domain.ids import RootId
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.edges import EdgeKind, Edges
from palimpsest.usecases.sources import Sources


@dataclass(frozen=True, slots=True)
class Disputed:
    """Looks at the other sides; costs nothing for beliefs that no conflict is open of."""

    beliefs: Beliefs
    edges: Edges

    def __call__(self, memories: Sequence[Memory]) -> list[Memory]:
        """The same memories, each with the number of its conflicts that somebody can decide."""
        counted = {memory.head.root for memory in memories if memory.head.is_disputed}
        others = {root: self.others(root) for root in counted}
        wanted = sorted({other for each in others.values() for other in each})
        heads = self.beliefs.heads(wanted, only_readable=True) if wanted else {}
        live = self._shown([(root, head.current) for root, head in heads.items() if head.state is State.LIVE])
        return [
            replace(memory, head=replace(memory.head, open_conflicts=self._open(memory, others, live)))
            if memory.head.root in counted
            else memory
            for memory in memories
        ]

    def others(self, root: RootId) -> list[RootId]:
        """The other sides of the conflicts of the belief that nobody has decided, whatever became of those beliefs."""
        return [edge.other for edge in self.edges.of(root, EdgeKind.DISPUTED) if edge.is_active]

    def _shown(self, live: Sequence[tuple[RootId, int]]) -> set[RootId]:
        versions = self.beliefs.versions(live, only_readable=True).values() if live else ()
        hidden = {ref.root for ref in Sources(self.beliefs).hidden(versions)}
        return {root for root, _ in live if root not in hidden}

    @staticmethod
    def _open(memory: Memory, others: dict[RootId, list[RootId]], live: set[RootId]) -> int:
        is_live = memory.head.state is State.LIVE
        return len(live.intersection(others[memory.head.root])) if is_live else 0
