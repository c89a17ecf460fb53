"""The conflicts that a belief is or was part of, found for an erasure by the edges that they left with it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import instants
from palimpsest.domain.conflict import ConflictState
from palimpsest.domain.ids import RootId
from palimpsest.ports.table import Key
from palimpsest.stores import keys
from palimpsest.stores.conflicts import Conflicts
from palimpsest.stores.edges import EdgeKind, Edges


@dataclass(frozen=True, slots=True)
class DisputeTraces:
    """Looks strongly."""

    edges: Edges
    conflicts: Conflicts

    def of(self, root: RootId) -> list[Key]:
        """Where each of its conflicts lies, and the rows that may list it."""
        every = {edge.conflict for kind in EdgeKind for edge in self.edges.of(root, kind)}
        found = self.conflicts.find(sorted(every)).values()
        listed = [
            keys.listed_conflict(each.space, state, instants.write(each.opened_at), each.id)
            for each in found
            for state in ConflictState
        ]
        return [*(keys.conflict(each.id) for each in found), *listed]
