"""Older sources that were told a name: they had it as a phrase, before another source made it one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import Links, Outcome, ReadBy, Source
from palimpsest.domain.ids import EntityId
from palimpsest.stores import link_codec
from palimpsest.stores.links import LinkStore
from palimpsest.stores.moves import Guarded
from palimpsest.stores.seen_phrases import SeenPhrases


@dataclass(frozen=True, slots=True)
class FirstSeen:
    """Finds them, and takes back what they were told."""

    links: LinkStore
    seen: SeenPhrases

    def of(self, links: Links) -> Mapping[Source, frozenset[EntityId]]:
        """The other sources in which names of this one were seen first, with what those name."""
        hashes = self.seen.hashes(each.name for each in links.mentions)
        entities = {mention.name: mention.entity for mention in links.mentions}
        found: dict[Source, set[EntityId]] = defaultdict(set)
        for each, source in self.seen.first(links.space, hashes).items():
            if link_codec.partition(source) != link_codec.partition(links.source):
                found[source].add(entities[hashes[each]])
        return {source: frozenset(told) for source, told in found.items()}

    def take_back(self, links: Links, fence: Guarded) -> bool:
        """Take from those sources the names that are none without this one; False when somebody came between."""
        return all(self._take_back(links, source, told, fence) for source, told in self.of(links).items())

    def _take_back(self, links: Links, source: Source, told: Collection[EntityId], fence: Guarded) -> bool:
        versions = self.links.of(source)
        gone = self._unknown(told, [links, *versions])
        by_rules = [each for each in versions if each.read_by is ReadBy.RULES and not gone.isdisjoint(each.entities)]
        return all(self.links.move(each, _without(each, gone), fence=fence) for each in by_rules)

    def _unknown(self, entities: Collection[EntityId], named_by: Sequence[Links]) -> set[EntityId]:
        """Those that nothing else names, and of which nobody decided anything."""
        tallies, known = self.links.tallies.of(entities), self.links.entities.find(entities)
        live = {each: sum(links.is_live and each in links.entities for links in named_by) for each in entities}
        return {each for each, entity in known.items() if _is_undecided(entity) and tallies[each].live <= live[each]}


def _is_undecided(entity: Entity) -> bool:
    return entity.is_node and not entity.is_kept


def _without(links: Links, entities: Collection[EntityId]) -> Links:
    mentions = tuple(each for each in links.mentions if each.entity not in entities)
    relations = tuple(each for each in links.relations if each.subject not in entities and each.target not in entities)
    outcome = Outcome.LINKED if mentions else Outcome.EMPTY
    return replace(links, outcome=outcome, mentions=mentions, relations=relations)
