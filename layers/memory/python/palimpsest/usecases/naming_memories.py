"""Which memories name an entity, as the table says now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.belief import Head
from palimpsest.domain.graph.links import MemorySource
from palimpsest.domain.ids import EntityId, SpaceId, VersionRef, parse_entity
from palimpsest.stores.entities import Entities
from palimpsest.stores.links import LinkStore


@dataclass(frozen=True, slots=True)
class NamingMemories:
    """Looks strongly, so that nothing is left out that was read for entities."""

    entities: Entities
    links: LinkStore

    def __call__(self, space: SpaceId, entity: str, heads: Sequence[Head]) -> list[Head]:
        """Those of which the current version, or the one that was current when they left recall, names the entity.

        Args:
            space: Whose entity it is.
            entity: Its id, or one of its names; of nobody, nothing names it.
            heads: Of the space.
        """
        group = self.group(space, entity)
        sources = {MemorySource(head.root, head.current): head for head in heads}
        naming = self.links.naming_any(list(sources), group) if group else set()
        return [head for source, head in sources.items() if source in naming]

    def versions(self, space: SpaceId, entity: str, refs: Sequence[VersionRef], *, as_subject: bool) -> set[VersionRef]:
        """Those of the versions of a space that name the entity, or are about it (`as_subject`)."""
        group = self.group(space, entity)
        sources = {MemorySource(ref.root, ref.number): ref for ref in refs if ref.number is not None}
        naming = self.links.naming_any(list(sources), group, as_subject=as_subject) if group else set()
        return {ref for source, ref in sources.items() if source in naming}

    def group(self, space: SpaceId, entity: str) -> list[EntityId]:
        """The entity that counts, and all that count for it; empty when there is none."""
        known = parse_entity(entity)
        found = self.entities.named(space, [entity]) if known is None else self.entities.find([known])
        ours = [each.id for each in found.values() if each.space == space]
        return [member for end in self.entities.standing(ours).values() for member in self.entities.group(end.id)]
