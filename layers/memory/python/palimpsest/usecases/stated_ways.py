"""From a source to those that state something of the entity at the other end of what it states itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.graph.links import IS, MENTION, Relation, Source
from palimpsest.domain.ids import EntityId
from palimpsest.stores.entities import Entities
from palimpsest.stores.leads import Lead, Ref
from palimpsest.stores.link_entries import Stated
from palimpsest.stores.links import LinkStore
from palimpsest.usecases.side_by_side import side_by_side

_ENDS: Final = 8
"""Entities that are followed in one hop."""
_STATED: Final = 20
"""Relations from such an entity, and to it, that are looked at, by their predicates: of hubs not all."""
_SOURCES: Final = 5
"""That one entity leads to, of those the newest first."""


@dataclass(frozen=True, slots=True)
class StatedWays:
    """Finds them: a batch of entities, then two short lists for each of those that are followed.

    Attributes:
        executor: Where the lists are read, side by side; None: in turn, since nobody waits for a network.
    """

    entities: Entities
    links: LinkStore
    executor: Executor | None

    def __call__(self, leads: Mapping[Ref, Lead], met: set[EntityId], seconds: float) -> dict[Ref, list[Source]]:
        """Of each lead the sources, without those of entities that were `met`, to which the followed ones are added.

        Raises:
            TimeoutError: The lists took more than `seconds`.
        """
        ends = self._ends(leads, met)
        followed = list(dict.fromkeys(end for some in ends.values() for end in some))[:_ENDS]
        met.update(followed)
        found = side_by_side(self._stating, followed, self.executor, seconds)
        return {ref: [source for end in some for source in found.get(end, ())] for ref, some in ends.items()}

    def _ends(self, leads: Mapping[Ref, Lead], met: set[EntityId]) -> dict[Ref, list[EntityId]]:
        """Where what each states leads, and what that entity is called there; a deleted one leads nowhere."""
        stated = {ref: [each for each in lead.relations if _is_meant(each)] for ref, lead in leads.items()}
        known = {end for some in stated.values() for each in some for end in _ends_of(each)}
        standing = self.entities.standing(known) if known else {}
        ends: dict[Ref, list[EntityId]] = {}
        for ref, relations in stated.items():
            for each in relations:
                both = [(end, standing[end].id) for end in _ends_of(each) if end in standing]
                other = next(((end, whole) for end, whole in both if met.isdisjoint((end, whole))), None)
                if other is not None and len({whole for _, whole in both}) > 1:
                    ends.setdefault(ref, []).extend(dict.fromkeys(reversed(other)))
        return ends

    def _stating(self, entity: EntityId) -> list[Source]:
        lists = [self.links.stated(entity, is_from=is_from, limit=_STATED) for is_from in (True, False)]
        found = dict.fromkeys(each.source for some in lists for each in some if _is_meant(each))
        return sorted(found, key=_begun, reverse=True)[:_SOURCES]


def _is_meant(stated: Relation | Stated) -> bool:
    """It is a relation between two entities, in words that the vocabulary has a predicate for."""
    return stated.target is not None and stated.predicate not in (MENTION, IS)


def _ends_of(relation: Relation) -> Sequence[EntityId]:
    """Where it leads, then where it begins."""
    return (relation.subject,) if relation.target is None else (relation.target, relation.subject)


def _begun(source: Source) -> str:
    """When its memory or chunk began, as its id says."""
    return str(source).partition("_")[2]
