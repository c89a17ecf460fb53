"""Edges between beliefs, in the partition of the belief that they come from.

They are made inactive, never deleted: what a reverted decision had made stays, inactive, and nothing shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from palimpsest.domain.conflict import Action, Conflict, ConflictState
from palimpsest.domain.ids import ConflictId, RootId
from palimpsest.ports.table import Delete, Item, Put, Query, Table, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


class EdgeKind(StrEnum):
    """What an edge says of its two beliefs.

    DISPUTED (both ways): they are in a conflict that is pending. DISTINCT (both ways): somebody decided that both stay,
    or took back that one went into the other. REPLACES: the first stays in
    place of the second, which is retired. DOUBTED (both ways): they have a finding.
    """

    DISPUTED = "disputed"
    DISTINCT = "distinct"
    REPLACES = "replaces"
    DOUBTED = "doubted"


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge. `conflict`: what it comes from, if that is one. `is_active`: it holds now."""

    root: RootId
    kind: EdgeKind
    other: RootId
    conflict: ConflictId | None
    is_active: bool


@dataclass(frozen=True, slots=True)
class Edges:
    """Reads edges; they are written with what they come from."""

    table: Table

    def of(self, root: RootId, kind: EdgeKind) -> list[Edge]:
        """All that lead from the belief, active or not, strongly read."""
        found: list[Edge] = []
        query: Query | None = Query(f"M#{root}", prefix=f"{keys.EDGES}{kind}#", consistent=True)
        while query is not None:
            page = self.table.query(query)
            found += [read(stored) for stored in page.items]
            query = replace(query, after=page.next_cursor) if page.next_cursor else None
        return found

    def kept_apart(self, root: RootId) -> frozenset[RootId]:
        """The beliefs of which somebody decided that they and this one both stay: nobody is asked about them again."""
        return frozenset(edge.other for edge in self.of(root, EdgeKind.DISTINCT) if edge.is_active)


def writes(conflict: Conflict) -> list[Put]:
    """The edges of a conflict as they have to be for its state: those that its last decision made, too."""
    one, other = conflict.roots
    is_pending = conflict.state is ConflictState.PENDING
    edges = [Edge(*pair, conflict.id, is_pending) for pair in _both_ways(one, EdgeKind.DISPUTED, other)]
    decision = conflict.decision
    if decision is not None and decision.action is Action.KEEP_BOTH:
        edges += [Edge(*pair, conflict.id, not is_pending) for pair in _both_ways(one, EdgeKind.DISTINCT, other)]
    elif decision is not None and decision.winner is not None:
        loser = conflict.other(decision.winner)
        edges.append(Edge(decision.winner, EdgeKind.REPLACES, loser, conflict.id, not is_pending))
    return [Put(_item(edge)) for edge in edges]


def doubts(one: RootId, other: RootId) -> list[Put]:
    """The edges of a finding, so that whoever erases one of the two finds it."""
    pairs = _both_ways(one, EdgeKind.DOUBTED, other)
    return [Put(_item(Edge(*pair, conflict=None, is_active=True))) for pair in pairs]


def apart(one: RootId, other: RootId) -> list[Put]:
    """The edges of two beliefs of which somebody said, with no conflict between them, that they are two."""
    pairs = _both_ways(one, EdgeKind.DISTINCT, other)
    return [Put(_item(Edge(*pair, conflict=None, is_active=True))) for pair in pairs]


def removals(conflict: Conflict) -> list[Delete]:
    """The writes that take away the edges of a conflict that nobody has decided."""
    one, other = conflict.roots
    return [Delete(keys.edge(*pair)) for pair in _both_ways(one, EdgeKind.DISPUTED, other)]


def _both_ways(one: RootId, kind: EdgeKind, other: RootId) -> list[tuple[RootId, EdgeKind, RootId]]:
    return [(one, kind, other), (other, kind, one)]


def _item(edge: Edge) -> dict[str, Value]:
    return item(
        keys.edge(edge.root, edge.kind, edge.other),
        conflict=edge.conflict,
        is_active=edge.is_active,
        g2pk=keys.edges_to(edge.other),
        g2sk=f"{edge.kind}#{edge.root}",
    )


def read(stored: Item) -> Edge:
    """The edge in an item; CorruptItem when it is none."""
    r = Reader(stored)
    _, kind, other = r.text("sk").split("#")
    return Edge(
        root=RootId(r.text("pk").removeprefix("M#")),
        kind=EdgeKind(kind),
        other=RootId(other),
        conflict=r.optional("conflict", lambda name: ConflictId(r.text(name))),
        is_active=r.flag("is_active"),
    )
