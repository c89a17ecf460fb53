"""Which beliefs of a space are pinned: read strongly, so that a context has what was pinned a moment ago.

An entry comes and goes with the step that pins its belief, or takes it out of recall, in that step's transaction. The
head decides; an entry only says where to look.
"""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.belief import Head, State
from palimpsest.domain.ids import RootId, SpaceId
from palimpsest.ports.table import Delete, Item, Put, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Pins:
    """Reads the entries."""

    table: Table

    def of(self, space: SpaceId, limit: int) -> list[RootId]:
        """At most so many of the space's pinned beliefs, those first that began last."""
        query = Query(keys.pins(space), descending=True, limit=limit, consistent=True)
        return [read(entry) for entry in self.table.query(query).items]


def write(before: Head | None, after: Head) -> Put | Delete | None:
    """What moves a belief's entry along with a step from one head to another; None when it stays as it is."""
    is_there = _is_pinned(after)
    if is_there is (before is not None and _is_pinned(before)):
        return None
    place = keys.pin(after.space, after.root)
    return Put(item(place)) if is_there else Delete(place)


def read(stored: Item) -> RootId:
    """The belief of an entry; CorruptItem when it is none."""
    return RootId(Reader(stored).text("sk"))


def _is_pinned(head: Head) -> bool:
    return head.state is State.LIVE and head.annotations.pinned
