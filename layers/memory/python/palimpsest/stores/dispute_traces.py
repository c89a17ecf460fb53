"""The conflicts and findings of a belief, decided or not, found for an erasure by the edges that they left with it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import instants
from palimpsest.domain.conflict import ConflictState
from palimpsest.domain.ids import RootId, finding_between
from palimpsest.ports.table import Key
from palimpsest.stores import keys
from palimpsest.stores.conflicts import Conflicts
from palimpsest.stores.edges import EdgeKind, Edges
from palimpsest.stores.findings import Findings


@dataclass(frozen=True, slots=True)
class DisputeTraces:
    """Looks strongly."""

    edges: Edges
    conflicts: Conflicts
    findings: Findings

    def of(self, root: RootId) -> list[Key]:
        """Where each of its conflicts and findings lies, and the rows that may list it."""
        leading = [edge for kind in EdgeKind for edge in self.edges.of(root, kind)]
        every = {edge.conflict for edge in leading if edge.conflict is not None}
        doubted = [finding_between(root, edge.other) for edge in leading if edge.kind is EdgeKind.DOUBTED]
        found = self.conflicts.find(sorted(every)).values()
        listed = [
            keys.listed_conflict(each.space, state, instants.write(each.opened_at), each.id)
            for each in found
            for state in ConflictState
        ]
        findings = [keys.finding(each) for each in self.findings.find(doubted)]
        return [*(keys.conflict(each.id) for each in found), *listed, *findings]
