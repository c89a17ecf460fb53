"""Conflicts in the table: found by id, listed by state, written with the steps of both sides.

They are few, so that each has a row of its own in the list of its state: a list right after a write is right, also
where the table's indexes lag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest.domain import instants
from palimpsest.domain.conflict import Conflict, ConflictState
from palimpsest.domain.errors import HeadMoved
from palimpsest.domain.ids import ConflictId, SpaceId
from palimpsest.ports.table import Delete, Equals, Key, Missing, Put, Query, Table, Write
from palimpsest.stores import conflict_codec, edges, keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.moves import Guarded


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Reads conflicts."""

    table: Table

    def find(self, conflicts: Sequence[ConflictId]) -> dict[ConflictId, Conflict]:
        """Those that exist, strongly read."""
        found = self.table.get([keys.conflict(each) for each in conflicts]).items.values() if conflicts else ()
        return {conflict.id: conflict for conflict in map(conflict_codec.read, found)}

    def walk(self, space: SpaceId, state: ConflictState, before: str | None) -> Iterator[tuple[str, Conflict]]:
        """(place, conflict) of each of the space in that state, newest first, below the place `before`."""
        partition, cursor = keys.conflicts(space, state), None
        while True:
            query = Query(partition, descending=True, high=before, limit=50, after=cursor, consistent=True)
            page = self.table.query(query)
            places = [place for row in page.items if (place := Reader(row).text("sk")) != before]
            ids = [ConflictId(place.rpartition("#")[2]) for place in places]
            found = self.find(ids)
            yield from ((at, found[each]) for at, each in zip(places, ids, strict=True) if each in found)
            cursor = page.next_cursor
            if cursor is None:
                return


def begun(conflict: Conflict) -> list[Guarded]:
    """The writes of a new conflict; HeadMoved when the pair has one."""
    put = Put(conflict_codec.to_item(conflict), Missing("pk"))
    return _guarded(conflict, [put, _listed(conflict)])


def moved(before: Conflict, after: Conflict) -> list[Guarded]:
    """The writes of the next state of a conflict; HeadMoved when somebody else moved it first."""
    put = Put(conflict_codec.to_item(after), Equals("revision", before.revision))
    return _guarded(after, [put, _listed(after), Delete(_place(before))])


def withdrawn(conflict: Conflict) -> list[Guarded]:
    """The writes that take a conflict away with all that shows it; HeadMoved when somebody else moved it first."""
    gone = [Delete(keys.conflict(conflict.id), Equals("revision", conflict.revision)), Delete(_place(conflict))]
    return [(each, HeadMoved) for each in (*gone, *edges.removals(conflict))]


def _guarded(conflict: Conflict, own: list[Write]) -> list[Guarded]:
    return [(each, HeadMoved) for each in (*own, *edges.writes(conflict))]


def _listed(conflict: Conflict) -> Put:
    return Put(item(_place(conflict)))


def _place(conflict: Conflict) -> Key:
    return keys.listed_conflict(conflict.space, conflict.state, instants.write(conflict.opened_at), conflict.id)
