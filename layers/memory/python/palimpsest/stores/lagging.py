"""The change logs that the index could not follow: a sparse list, so that nobody looks through all spaces for them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Delete, Equals, Index, Key, Missing, Put, Query, Set, Table, Update
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.keys import LogPartition


@dataclass(frozen=True, slots=True)
class Lag:
    """A log that lags, and since when."""

    partition: LogPartition
    since: datetime


@dataclass(frozen=True, slots=True)
class Lagging:
    """Notes, lists and clears them."""

    table: Table

    def note(self, partition: LogPartition, since: datetime) -> None:
        """It lags; nothing changes when that is known."""
        stored = item(keys.lag(partition), since=since, g2pk=keys.LAGGING, g2sk=instants.write(since))
        with suppress(ConditionFailed):
            self.table.write(Put(stored, Missing("pk")))

    def listed(self, until: datetime, limit: int) -> list[Lag]:
        """At most `limit` of those that were noted or tried before then, those that wait longest first."""
        bound = instants.write(until)
        page = self.table.query(Query(keys.LAGGING, index=Index.TWO, high=bound, limit=limit))
        places = [Key(Reader(each).text("pk"), Reader(each).text("sk")) for each in page.items]
        found = [Reader(stored) for stored in self.table.get(places).items.values()] if places else []
        lags = [r for r in found if r.text("g2sk") <= bound]  # the index may lag, too
        return [Lag(LogPartition.of(r.text("pk")), r.instant("since")) for r in lags]

    def put_off(self, lag: Lag, now: datetime) -> None:
        """It was tried in vain, and waits behind the others."""
        later = Set("g2sk", instants.write(now))
        with suppress(ConditionFailed):
            self.table.write(Update(keys.lag(lag.partition), (later,), Equals("since", instants.write(lag.since))))

    def clear(self, lag: Lag) -> None:
        """It lags no more."""
        with suppress(ConditionFailed):
            self.table.write(Delete(keys.lag(lag.partition), Equals("since", instants.write(lag.since))))
