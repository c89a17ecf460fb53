"""Ask a sleeping index until it answers, and say so, so that recalls ask it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.search_index import Generation
from palimpsest.usecases.searching import Searching

_NO_SPACE = SpaceId("wake")
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class WakeIndex:
    """Wakes. A question wakes a serverless engine, and the answer comes when it is up, 10 to 30 seconds later.

    Attributes:
        pause: Waits so many seconds between two questions.
    """

    searching: Searching
    pause: Callable[[float], None]

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Ask the generation with that id while it is active and noted as asleep; True when it still sleeps."""
        self.searching.forget()  # that it sleeps was noted by another process, a moment ago
        while (generation := self._sleeping(subject)) is not None:
            try:
                self.searching.open(generation).index.statistics(_NO_SPACE, ())
            except IndexUnavailable:
                if seconds_left() <= _PAUSE_SECONDS:
                    return True
                self.pause(_PAUSE_SECONDS)
            else:
                self.searching.found_awake(subject)
        return False

    def _sleeping(self, subject: str) -> Generation | None:
        state = self.searching.state()
        is_meant = state.active is not None and state.active.id == subject
        return state.active if is_meant and state.is_asleep(self.searching.clock.now()) else None
