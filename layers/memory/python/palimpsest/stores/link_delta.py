"""What a change of the links of a source does to counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from palimpsest.domain.graph.entity import Tally
from palimpsest.domain.graph.links import ChunkSource, Links
from palimpsest.domain.ids import DocumentId, EntityId


@dataclass(frozen=True, slots=True)
class Delta:
    """What a change of links adds to counts, or takes from them."""

    memories: Counter[EntityId] = field(default_factory=Counter)
    stale: Counter[EntityId] = field(default_factory=Counter)
    chunks: Counter[tuple[EntityId, DocumentId]] = field(default_factory=Counter)
    predicates: Counter[str] = field(default_factory=Counter)

    @classmethod
    def between(cls, was: Links | None, will: Links | None) -> Delta:
        """From how the links of one source were to how they will be."""
        delta = cls()
        delta._count(was, -1)
        delta._count(will, 1)
        return delta

    @property
    def entities(self) -> frozenset[EntityId]:
        """Those whose tallies change."""
        changed = {entity for counted in (self.memories, self.stale) for entity, by in counted.items() if by}
        return frozenset(changed | {entity for (entity, _), by in self.chunks.items() if by})

    def added_to(self, entity: EntityId, seen: Tally) -> Tally:
        """The tally of an entity after it."""
        chunks = sum(by for (each, _), by in self.chunks.items() if each == entity)
        return Tally(seen.memories + self.memories[entity], seen.chunks + chunks, seen.stale + self.stale[entity])

    def _count(self, links: Links | None, by: int) -> None:
        if links is None:
            return
        for entity in links.entities:
            if not links.is_live:
                self.stale[entity] += by
            elif isinstance(links.source, ChunkSource):
                self.chunks[entity, links.source.document] += by
            else:
                self.memories[entity] += by
        for relation in links.relations if links.is_live else ():
            self.predicates[relation.predicate] += by
