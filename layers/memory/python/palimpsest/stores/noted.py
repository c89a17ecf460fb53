"""Spaces that something was noted of: a sparse list, by when each is due."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.table import Exists, Index, Item, Key, Missing, Put, Query, Set, Table, Update
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Noted:
    """One such list: an item a space, in a partition of index two.

    Attributes:
        listed: The partition.
        key: Of a space's item.
    """

    table: Table
    listed: str
    key: Callable[[SpaceId], Key]

    def note(self, space: SpaceId, now: datetime, due_at: datetime) -> None:
        """That it was touched; `due_at`: when it is due if it is not listed yet."""
        key = self.key(space)
        try:
            self.table.write(Update(key, (Set("noted_at", instants.write(now)),), Exists("pk")))
        except ConditionFailed:
            stored = item(key, noted_at=now, g2pk=self.listed, g2sk=instants.write(due_at))
            with suppress(ConditionFailed):
                self.table.write(Put(stored, Missing("pk")))

    def due(self, now: datetime, limit: int) -> list[Item]:
        """At most `limit` of the items whose time has come, those that wait longest first; strongly read."""
        bound = instants.write(now)
        page = self.table.query(Query(self.listed, index=Index.TWO, high=bound, limit=limit))
        places = [Key(Reader(each).text("pk"), Reader(each).text("sk")) for each in page.items]
        found = self.table.get(places).items if places else {}
        there = [found[place] for place in places if place in found]
        return [stored for stored in there if Reader(stored).text("g2sk") <= bound]  # the index may lag
