"""The names that most sources of a space name: what a model that reads is reminded of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from palimpsest.domain.graph.entity import Origin
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.naming.relevant import MOST_NAMES
from palimpsest.ports.clock import Clock
from palimpsest.stores.entities import Entities
from palimpsest.stores.spaces import Space
from palimpsest.stores.tallies import Tallies

_CACHED: Final = timedelta(minutes=10)
_SPACES: Final = 8
_LOOKED_AT: Final = 500
"""The oldest entities of a space: what is named often is seldom new, and no look at it reads a whole space."""


@dataclass(slots=True)
class MostNamed:
    """Remembers them for some minutes."""

    entities: Entities
    tallies: Tallies
    clock: Clock
    _known: dict[SpaceId, tuple[datetime, list[str]]] = field(default_factory=dict, init=False)

    def __call__(self, space: Space) -> list[str]:
        """At most 75 names, the one that most sources name first."""
        now = self.clock.now()
        read_at, names = self._known.get(space.id, (now, None))
        if names is None or now - read_at > _CACHED:
            names = self._read(space)
            if len(self._known) >= _SPACES:
                self._known.clear()
            self._known[space.id] = now, names
        return names

    def _read(self, space: Space) -> list[str]:
        every = [entity for _, entity in islice(self.entities.walk(space.id), _LOOKED_AT)]
        some = [entity for entity in every if entity.origin is not Origin.OWNER]
        tallies = self.tallies.of(entity.id for entity in some)
        ordered = sorted(some, key=lambda entity: -tallies[entity.id].live)
        return [entity.name for entity in ordered if tallies[entity.id].live][:MOST_NAMES]
