"""Follow the change logs that the index could not follow when it was told of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain.errors import IndexUnavailable, NewerItem
from palimpsest.jobs.index_changes import IndexChanges
from palimpsest.jobs.reached import REFUSES
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation
from palimpsest.stores.changes import SURELY_KEPT
from palimpsest.stores.lagging import Lag, Lagging

FOLLOWED_AGAIN = timedelta(minutes=10)
_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class CatchUp:
    """Follows them, those that wait longest first. `rebuild`: begins a new generation with the model there is."""

    index_changes: IndexChanges
    lagging: Lagging
    rebuild: Callable[[], object]
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """As many as fit; True when there are more. One whose entries the index refuses is tried again later.

        Raises:
            IndexUnavailable: The engine is away, for whatever log.
        """
        while lags := self.lagging.listed(self.clock.now() - FOLLOWED_AGAIN, _AT_ONCE):
            for lag in lags:
                if seconds_left() <= 0 or not self._follow(lag, seconds_left):
                    return True
        return False

    def _follow(self, lag: Lag, seconds_left: SecondsLeft) -> bool:
        """One log, to its end or until it fails; False when the time was up before."""
        now = self.clock.now()
        state = self.index_changes.searching.generations.read()
        if state.active is not None and state.building is None and _may_lack(state.active, lag, now):
            self.rebuild()
        try:
            if not self.index_changes.catch_up(lag.partition, seconds_left=seconds_left):
                return False
        except NewerItem:
            self.lagging.put_off(lag, now)
        except IndexUnavailable as error:
            self.lagging.put_off(lag, now)
            if error.reason != REFUSES:
                raise
        else:
            self.lagging.clear(lag)
        return True


def _may_lack(active: Generation, lag: Lag, now: datetime) -> bool:
    """That generation was filled before the log began to lag, and that is too long ago."""
    return now - lag.since >= SURELY_KEPT and active.begun_at < lag.since
