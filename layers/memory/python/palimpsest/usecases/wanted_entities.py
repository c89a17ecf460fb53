"""The entities that names lead to, with a new one for each name that leads nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from palimpsest.domain.graph.entity import Entity, Origin
from palimpsest.domain.ids import EntityId
from palimpsest.domain.naming.names import OWNER, name_key
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.stores.entities import Entities
from palimpsest.stores.spaces import Space


@dataclass(frozen=True, slots=True)
class WantedEntities:
    """Finds and makes them; nothing is written."""

    entities: Entities
    clock: Clock
    ids: Ids

    def __call__(self, space: Space, wanted: Mapping[str, str]) -> tuple[dict[str, EntityId], list[Entity]]:
        """The entities by name key, and those among them that are new.

        Deleted and merged ones are linked as they are, and resolved where links are read, so that taking back what
        somebody decided of them needs no source to be read again.

        Args:
            wanted: The type of each name, should it be new.
        """
        found = self.entities.named(space.id, wanted)
        fresh = [self._new(space, name, type_) for name, type_ in wanted.items() if name_key(name) not in found]
        known = {key: entity.id for key, entity in found.items()}
        return known | {name_key(entity.name): entity.id for entity in fresh}, fresh

    def _new(self, space: Space, name: str, type_: str) -> Entity:
        now = self.clock.now()
        origin = Origin.OWNER if name == OWNER else Origin.EXTRACTED
        return Entity(EntityId(f"ent_{self.ids.ulid()}"), space.id, name, type_, origin, now, now)
