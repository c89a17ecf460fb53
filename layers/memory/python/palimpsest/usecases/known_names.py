"""The names that a space knows, kept in memory by whoever reads many of its sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.graph.entity import Entity, Origin
from palimpsest.domain.ids import EntityId, SpaceId
from palimpsest.domain.naming.known import Known, KnownName, NameIndex
from palimpsest.ports.clock import Clock
from palimpsest.stores.entities import Entities

_LATE: Final = timedelta(minutes=1)
"""How late the list of entities may show one."""

_FRESH: Final = timedelta(seconds=2)
"""So long nobody looks what others have added."""

_SPACES: Final = 8
"""Remembered at once."""


@dataclass(slots=True)
class _Names:
    """Of one space. `decisions`: how often people had changed its entities when it was looked at."""

    decisions: int
    looked_at: datetime
    last: str = ""
    entities: set[EntityId] = field(default_factory=set)
    index: NameIndex = field(default_factory=NameIndex)

    def add(self, entities: Iterable[Entity]) -> None:
        new = [each for each in entities if each.id not in self.entities]
        self.entities |= {each.id for each in new}
        known = [KnownName(each.name, each.type, each.aliases) for each in new if each.origin is not Origin.OWNER]
        if known:
            self.index = self.index.adding(known) if self.index.entries else NameIndex.of(known)


@dataclass(slots=True)
class KnownNames:
    """Names of entities, their aliases, and those of entities that count for others."""

    entities: Entities
    clock: Clock
    _spaces: dict[SpaceId, _Names] = field(default_factory=dict, init=False)

    def __call__(self, space: SpaceId) -> Known:
        """What the space knows: all that began a minute ago or was added here, and mostly what began since."""
        now = self.clock.now()
        names = self._spaces.pop(space, None)
        if names is None or now - names.looked_at >= _FRESH:
            names = self._looked(space, names, now)
        self._keep(space, names)
        return Known(names.index)

    def add(self, space: SpaceId, entities: Iterable[Entity]) -> None:
        """These have just begun."""
        if space in self._spaces:
            self._spaces[space].add(entities)

    def _looked(self, space: SpaceId, names: _Names | None, now: datetime) -> _Names:
        decisions = self.entities.decisions(space)
        if names is None or names.decisions != decisions:
            names = _Names(decisions, now)
            names.add(entity for _, entity in self.entities.merged(space))
        listed = list(self.entities.places(space, names.last))
        names.add(self.entities.find(each for _, each in listed if each not in names.entities).values())
        margin = instants.write(now - _LATE)
        names.last = max([names.last, *(place for place, _ in listed if place < margin)])
        names.looked_at = now
        return names

    def _keep(self, space: SpaceId, names: _Names) -> None:
        """In place of the one that was asked for longest ago, when there are too many."""
        while len(self._spaces) >= _SPACES:
            del self._spaces[next(iter(self._spaces))]
        self._spaces[space] = names
