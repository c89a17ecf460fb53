"""The names that a space knows, kept in memory by whoever reads many of its sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.graph.entity import Entity, Origin
from palimpsest.domain.ids import EntityId, SpaceId
from palimpsest.domain.naming.known import Known, KnownName, NameIndex
from palimpsest.ports.clock import Clock
from palimpsest.stores.entities import Entities

_LATE: Final = timedelta(minutes=1)
"""How late the list of entities may show one."""

_SPACES: Final = 8
"""Remembered at once."""


@dataclass(slots=True)
class _Names:
    """Of one space. `decisions`: how often people had changed its entities by then."""

    decisions: int
    last: str = ""
    entities: dict[EntityId, KnownName] = field(default_factory=dict)
    index: NameIndex = field(default_factory=NameIndex)


@dataclass(slots=True)
class KnownNames:
    """Names of entities, their aliases, and those of entities that count for others."""

    entities: Entities
    clock: Clock
    _spaces: dict[SpaceId, _Names] = field(default_factory=dict, init=False)

    def __call__(self, space: SpaceId) -> Known:
        """What the space knows by now: all that began more than a minute ago, and mostly what began since."""
        decisions = self.entities.decisions(space)
        names = self._spaces.pop(space, None)
        if names is None or names.decisions != decisions:
            names = _Names(decisions)
            self._add(names, [entity for _, entity in self.entities.merged(space)])
        found = list(self.entities.walk(space, names.last))
        new = [entity for _, entity in found if entity.id not in names.entities]
        if new or not names.last:
            self._add(names, new)
            names.index = NameIndex.of(names.entities.values())
        margin = instants.write(self.clock.now() - _LATE)
        names.last = max([names.last, *(place for place, _ in found if place < margin)])
        self._keep(space, names)
        return Known(names.index)

    def _keep(self, space: SpaceId, names: _Names) -> None:
        """In place of the one that was asked for longest ago, when there are too many."""
        while len(self._spaces) >= _SPACES:
            del self._spaces[next(iter(self._spaces))]
        self._spaces[space] = names

    @staticmethod
    def _add(names: _Names, entities: list[Entity]) -> None:
        for entity in entities:
            if entity.origin is not Origin.OWNER:
                names.entities[entity.id] = KnownName(entity.name, entity.type, entity.aliases)
