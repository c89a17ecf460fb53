"""The spaces with sources that nobody has read yet: a sparse list, so that no plan visits spaces for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.table import Delete, Equals, Index, Put, Query, Table
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Unextracted:
    """Notes, lists and clears them."""

    table: Table

    def note(self, space: SpaceId, now: datetime) -> None:
        """It has some more."""
        listed = {"g2pk": graph_keys.UNEXTRACTED, "g2sk": f"{instants.write(now)}#{space}"}
        self.table.write(Put(item(graph_keys.unextracted(space), since=now, **listed)))

    def since(self, space: SpaceId) -> datetime | None:
        """When that was noted last, strongly read; None when all is read."""
        key = graph_keys.unextracted(space)
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else Reader(stored).instant("since")

    def listed(self, limit: int) -> list[SpaceId]:
        """At most `limit` of them, those that wait longest first."""
        page = self.table.query(Query(graph_keys.UNEXTRACTED, index=Index.TWO, limit=limit))
        return [SpaceId(Reader(entry).text("g2sk").partition("#")[2]) for entry in page.items]

    def clear(self, space: SpaceId, since: datetime) -> bool:
        """All is read that was there when it was noted; False when more was noted meanwhile."""
        try:
            self.table.write(Delete(graph_keys.unextracted(space), Equals("since", instants.write(since))))
        except ConditionFailed:
            return False
        return True
