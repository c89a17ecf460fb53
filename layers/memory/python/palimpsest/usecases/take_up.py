"""Take up what sources hold for a term, once the vocabulary has it: no source is read again for that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.holding import taken_up, wanted_for
from palimpsest.domain.graph.links import Links, Source
from palimpsest.domain.ids import EntityId
from palimpsest.stores.links import LinkStore
from palimpsest.stores.spaces import Space
from palimpsest.stores.vocabularies import Vocabularies
from palimpsest.usecases.wanted_entities import WantedEntities

EXAMPLES: Final = 20
"""Sources that a term is shown with, and that are linked at once."""

_ENTRIES: Final = 3 * EXAMPLES
_ATTEMPTS: Final = 5


class TakenUp(NamedTuple):
    """How many entities are named, and how many relations stated, that were not before."""

    entities: int = 0
    relations: int = 0


class _Told(NamedTuple):
    """The same of one source."""

    entities: frozenset[EntityId] = frozenset()
    relations: int = 0


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Links what was held out."""

    links: LinkStore
    vocabularies: Vocabularies
    wanted: WantedEntities

    def __call__(self, space: Space, proposal: str) -> TakenUp:
        """In the newest sources that hold something for the term; done twice it does nothing more."""
        holding = self.links.holding(space.id, proposal, _ENTRIES)
        sources = list(dict.fromkeys(each.source for each in holding))[:EXAMPLES]
        done = [self._take_up(space, source, proposal) for source in sources]
        entities = frozenset[EntityId]().union(*(each.entities for each in done))
        return TakenUp(len(entities), sum(each.relations for each in done))

    def late(self, space: Space, links: Links) -> None:
        """In one source that was just read, with a vocabulary that may have lacked what is there by now."""
        found = self.vocabularies.find(space.id, (each.proposal for each in links.held))
        for proposal, term in found.items():
            if term.is_read_with:
                self._take_up(space, links.source, proposal)

    def _take_up(self, space: Space, source: Source, proposal: str) -> _Told:
        for _ in range(_ATTEMPTS):
            was = {links.source.number: links for links in self.links.of(source)}.get(source.number)
            if was is None or not was.is_live:
                break
            known, fresh = self.wanted(space, wanted_for(was, proposal))
            will = taken_up(was, proposal, known)
            if will == was:
                break
            if self.links.move(was, will, fresh=_used(will, fresh)):
                return _told(was, will)
        return _Told()


def _used(links: Links, fresh: list[Entity]) -> list[Entity]:
    used = set(links.entities)
    return [entity for entity in fresh if entity.id in used]


def _told(was: Links, will: Links) -> _Told:
    stated = sum(before != after for before, after in zip(was.relations, will.relations, strict=True))
    return _Told(frozenset(will.entities) - frozenset(was.entities), stated)
