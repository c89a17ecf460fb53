"""Stats: how recalls of a space fare, by counts that are kept when recalls are counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.usage import Look, Usage
from palimpsest.ports.clock import Clock
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.unreinforced import Unreinforced
from palimpsest.stores.usages import Usages


@dataclass(frozen=True, slots=True)
class Stats:
    """Figures of one space.

    Attributes:
        look: At the newest memories, when recalls were counted last; None before.
        looked_at: When that was.
    """

    space: str
    days: int
    usage: Usage
    look: Look | None
    looked_at: datetime | None


@dataclass(frozen=True, slots=True)
class TellStats:
    """Tells them."""

    spaces: Spaces
    usages: Usages
    unreinforced: Unreinforced
    clock: Clock

    def __call__(self, caller: Caller, space: str | None = None, *, days: int = 30) -> Stats:
        """The figures of the last `days` (UTC), today's too; NotAllowed when the key may not enter the space."""
        caller.require(Role.READER)
        name = caller.require_space(space)
        found = self.spaces.find(name)
        if found is None:
            return Stats(name, days, Usage(), None, None)
        usage = self.usages.since(found.id, self.clock.now().date() - timedelta(days=days - 1))
        waiting = self.unreinforced.read(found.id)
        return Stats(name, days, usage, waiting.look, waiting.looked_at)
