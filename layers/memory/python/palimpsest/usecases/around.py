"""What lies around entities, as far as live sources say so: relations that they state, and entities that they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import Source
from palimpsest.domain.graph.neighbours import Tie
from palimpsest.domain.ids import EntityId
from palimpsest.stores.entities import Entities
from palimpsest.stores.link_entries import Named, Stated
from palimpsest.stores.links import LinkStore
from palimpsest.usecases.live_sources import Live, LiveSources

STATED: Final = 100
SHARED: Final = 100
"""Relations from and to, and sources, that are looked at of one entity, the newest sources first."""
FURTHER: Final = 20
"""Of each entity of a further hop."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two entities that stand for themselves, and a live source that states it."""

    stated: Stated
    subject: EntityId
    target: EntityId


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at around some entities.

    Attributes:
        edges: Relations between two entities, each source of each by itself.
        shared: Sources that name an entity and another one, by the two.
        standing: For every entity that was met the one that it counts for.
    """

    edges: Sequence[Edge] = ()
    shared: Mapping[tuple[EntityId, EntityId], frozenset[Source]] = field(default_factory=dict)
    standing: Mapping[EntityId, Entity] = field(default_factory=dict)

    def ties(self, entities: Iterable[EntityId]) -> dict[EntityId, dict[EntityId, Tie]]:
        """Of each of the entities its neighbours."""
        stated: dict[tuple[EntityId, EntityId], set[Source]] = defaultdict(set)
        for edge in self.edges:
            stated[edge.subject, edge.target].add(edge.stated.source)
            stated[edge.target, edge.subject].add(edge.stated.source)
        found: dict[EntityId, dict[EntityId, Tie]] = {entity: {} for entity in entities}
        for one, other in dict.fromkeys([*stated, *self.shared]):
            if one in found:
                pair = one, other
                found[one][other] = Tie(len(stated.get(pair, ())), len(self.shared.get(pair, ())))
        return found


@dataclass(frozen=True, slots=True)
class LookAround:
    """Looks, in a few reads for each entity and four batches for all."""

    entities: Entities
    links: LinkStore
    live: LiveSources

    def __call__(self, entities: Sequence[EntityId], *, is_first: bool, when: Filters | None = None) -> Seen:
        """What lies around these, which stand for themselves.

        Args:
            entities: As they are now, whatever time is asked for.
            is_first: It is the first hop; of each entity of a further one less is looked at.
            when: Another time than now.
        """
        groups = {each: self.entities.group(each) for each in entities}
        limit = STATED if is_first else FURTHER
        lists = states(when)
        parts = [(entity, each, is_live) for entity, group in groups.items() for each in group for is_live in lists]
        stated = [stated for _, each, is_live in parts for stated in self._stated(each, limit, is_live=is_live)]
        naming = [
            (entity, named)
            for entity, each, is_live in parts
            for named in self.links.naming(each, is_live=is_live, limit=limit)
        ]
        sources = [each.source for each in stated] + [named.source for _, named in naming]
        standing = self.entities.standing(_met(stated, [named for _, named in naming]))
        return self._seen(stated, naming, standing, self.live(sources, when))

    def _stated(self, entity: EntityId, limit: int, *, is_live: bool) -> list[Stated]:
        from_it = self.links.stated(entity, is_from=True, is_live=is_live, limit=limit)
        return from_it + self.links.stated(entity, is_from=False, is_live=is_live, limit=limit)

    @staticmethod
    def _seen(
        stated: Sequence[Stated],
        naming: Sequence[tuple[EntityId, Named]],
        standing: Mapping[EntityId, Entity],
        live: Live,
    ) -> Seen:
        edges = []
        for each in dict.fromkeys(stated):
            subject, target = standing.get(each.subject), standing.get(each.target)
            if subject and target and subject.id != target.id and each.source in live:
                edges.append(Edge(each, subject.id, target.id))
        shared: dict[tuple[EntityId, EntityId], set[Source]] = defaultdict(set)
        for entity, named in naming:
            for other in named.others if named.source in live else ():
                if other in standing and standing[other].id != entity:
                    shared[entity, standing[other].id].add(named.source)
        return Seen(edges, {pair: frozenset(found) for pair, found in shared.items()}, standing)


def states(when: Filters | None) -> tuple[bool, ...]:
    """Whether sources are looked at that are live now: what answered at another time may be live no more."""
    return (True, False) if when is not None and when.is_timed else (True,)


def _met(stated: Iterable[Stated], naming: Iterable[Named]) -> dict[EntityId, None]:
    ends = [end for each in stated for end in (each.subject, each.target)]
    return dict.fromkeys([*ends, *(other for named in naming for other in named.others)])
