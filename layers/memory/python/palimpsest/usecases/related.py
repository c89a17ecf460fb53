"""What is related to an entity: what sources state of it, apart from what they only name beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid
from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import MENTION, Relation, Source
from palimpsest.domain.graph.neighbours import Reached, Tie, path, spread
from palimpsest.domain.ids import EntityId
from palimpsest.ports.table import Key
from palimpsest.stores.entities import Entities
from palimpsest.usecases.around import Edge, LookAround, Seen
from palimpsest.usecases.show_entities import ShowEntities

HOPS: Final = 3
MOST: Final = 200
_WIDTH: Final = 25
"""Entities of one hop that are gone on from."""


@dataclass(frozen=True, slots=True)
class RelatedQuery:
    """Which entities. `path_to`: only the shortest way there; `when`: as it was true, or believed, then."""

    hops: int = 1
    type: str | None = None
    path_to: EntityId | None = None
    limit: int = 50
    when: Filters | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation as one source states it. `is_from`: the entity that was asked for is its subject."""

    relation: Relation
    is_from: bool
    source: Source


@dataclass(frozen=True, slots=True)
class Related:
    """A related entity.

    Attributes:
        via: The entity from which it was reached.
        stated: What is stated between the two.
        shared: How many sources name both.
    """

    entity: Entity
    hops: int
    via: EntityId
    stated: tuple[Statement, ...]
    shared: int


@dataclass(frozen=True, slots=True)
class RelatedFound:
    """What was found. `truncated`: how many more there are that are left out. `is_path`: it is a way, in its order."""

    entity: Entity
    related: tuple[Related, ...]
    truncated: int = 0
    is_path: bool = False


@dataclass(frozen=True, slots=True)
class FindRelated:
    """Finds related entities."""

    show: ShowEntities
    entities: Entities
    look: LookAround

    def __call__(self, caller: Caller, entity: EntityId, query: RelatedQuery) -> RelatedFound:
        """The entities around one, the nearest first, what is stated before what is shared.

        Raises:
            NotAllowed, NotFound: As `ShowEntities.one` does.
            Invalid: More than 3 hops are asked for.
        """
        caller.require(Role.READER)
        if not 1 <= query.hops <= HOPS:
            raise Invalid("hops", f"hops lies between 1 and {HOPS}")
        _, shown = self.show.one(caller, entity)
        spreading = _Spreading(self.look, query.when)
        start = shown.entity.id
        if query.path_to is not None:
            _, end = self.show.one(caller, query.path_to)
            way = path(start, end.entity.id, HOPS, spreading, width=_WIDTH)
            return RelatedFound(shown.entity, self._told(way[1:] if way else [], spreading.seen), is_path=True)
        reached = spread(start, query.hops, spreading, width=_WIDTH, most=MOST)
        standing = {each.id: each for seen in spreading.seen for each in seen.standing.values()}
        meant = [each for each in reached if query.type in (None, standing[each.entity].type)]
        told = self._told(meant[: query.limit], spreading.seen)
        return RelatedFound(shown.entity, told, truncated=max(0, len(meant) - query.limit))

    def _told(self, reached: Sequence[Reached], seen: Sequence[Seen]) -> tuple[Related, ...]:
        standing = {each.id: each for part in seen for each in part.standing.values()}
        edges = [edge for part in seen for edge in part.edges]
        between = {each.entity: _between(edges, each.via, each.entity) for each in reached}
        places = [edge.stated.place for found in between.values() for edge in found]
        relations = self.look.links.relations(places)
        return tuple(
            Related(
                standing[each.entity],
                each.hops,
                each.via,
                tuple(_statements(between[each.entity], each.via, relations)),
                each.tie.shared,
            )
            for each in reached
        )


@dataclass(slots=True)
class _Spreading:
    """Looks around hop by hop, and keeps what it has seen."""

    look: LookAround
    when: Filters | None
    seen: list[Seen] = field(default_factory=list)

    def __call__(self, entities: Sequence[EntityId]) -> Mapping[EntityId, Mapping[EntityId, Tie]]:
        seen = self.look(entities, is_first=not self.seen, when=self.when)
        self.seen.append(seen)
        return seen.ties(entities)


def _between(edges: Sequence[Edge], one: EntityId, other: EntityId) -> list[Edge]:
    return [edge for edge in edges if {edge.subject, edge.target} == {one, other}]


def _statements(edges: Sequence[Edge], via: EntityId, relations: Mapping[Key, Relation]) -> list[Statement]:
    """Each relation once, from the first of its sources; what is sure before what is only mentioned."""
    found: dict[tuple[EntityId, str, str | None], Statement] = {}
    for edge in edges:
        relation = relations.get(edge.stated.place)
        if relation is not None:
            key = edge.subject, relation.predicate, relation.proposed
            found.setdefault(key, Statement(relation, edge.subject == via, edge.stated.source))
    return sorted(found.values(), key=lambda each: (each.relation.predicate == MENTION, -each.relation.confidence))
