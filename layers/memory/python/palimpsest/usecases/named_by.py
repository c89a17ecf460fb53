"""Which entities sources name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from palimpsest.domain.document import Chunk
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import ChunkSource, Source
from palimpsest.domain.ids import ChunkId, EntityId
from palimpsest.stores.entities import Entities
from palimpsest.stores.links import LinkStore


@dataclass(frozen=True, slots=True)
class NamedBy:
    """Looks them up, as the entities that they count for; deleted ones are left out."""

    links: LinkStore
    entities: Entities

    def __call__(self, sources: Iterable[Source]) -> dict[Source, tuple[Entity, ...]]:
        """What each source names, each entity once."""
        named = {source: self._linked(source) for source in sources}
        standing = self.entities.standing(entity for found in named.values() for entity in found)
        return {
            source: tuple({standing[each].id: standing[each] for each in found if each in standing}.values())
            for source, found in named.items()
        }

    def chunks(self, chunks: Iterable[Chunk]) -> dict[ChunkId, tuple[Entity, ...]]:
        """What each chunk names."""
        sources: dict[Source, ChunkId] = {ChunkSource(each.id, each.document): each.id for each in chunks}
        return {sources[source]: found for source, found in self(sources).items()}

    def _linked(self, source: Source) -> list[EntityId]:
        return [entity for each in self.links.of(source) if each.source == source for entity in each.entities]
