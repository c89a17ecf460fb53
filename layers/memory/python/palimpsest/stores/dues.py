"""The beliefs that end by themselves, by when: a sparse list, so that nobody looks through all spaces for them.

An entry is written and taken away with the step that gives its belief an end or takes it, in that step's transaction.
The head decides; an entry only says when to look.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest

from palimpsest.domain import instants
from palimpsest.domain.belief import Head
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import RootId
from palimpsest.ports.table import Delete, Equals, Index, Item, Put, Query, Set, Table, Update
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Due:
    """A belief that is to be looked at; `listed` is its place in the list, which begins with the time."""

    root: RootId
    listed: str


@dataclass(frozen=True, slots=True)
class Dues:
    """Reads the list and moves entries in it."""

    table: Table

    def due(self, now: datetime, limit: int) -> list[Due]:
        """At most `limit` of those whose time has come, those that wait longest first."""
        bound = keys.listed(instants.write(now), RootId("~"))
        pages = [
            self.table.query(Query(keys.due_list(shard), index=Index.TWO, high=bound, limit=limit))
            for shard in range(keys.DUE_SHARDS)
        ]
        entries = nsmallest(limit, (Reader(entry).text("g2sk") for page in pages for entry in page.items))
        places = [keys.due(keys.root_of_listed(entry)) for entry in entries]
        found = self.table.get(places).items.values() if places else ()
        return [due for due in map(read, found) if due.listed <= bound]  # the index may lag

    def put_off(self, due: Due, until: datetime) -> None:
        """Look at it then; nothing happens when its belief has got another end meanwhile."""
        later = Set("g2sk", keys.listed(instants.write(until), due.root))
        with suppress(ConditionFailed):
            self.table.write(Update(keys.due(due.root), (later,), Equals("g2sk", due.listed)))

    def clear(self, due: Due) -> None:
        """Look at it no more; nothing happens when its belief has got another end meanwhile."""
        with suppress(ConditionFailed):
            self.table.write(Delete(keys.due(due.root), Equals("g2sk", due.listed)))


def write(before: Head | None, after: Head) -> Put | Delete | None:
    """What moves a belief's entry along with a step from one head to another; None when it stays as it is."""
    left, taken = None if before is None else before.ends_at, after.ends_at
    if left == taken:
        return None
    place = keys.due(after.root)
    if taken is None:
        return Delete(place)
    shard = keys.shard_of(after.root, keys.DUE_SHARDS)
    return Put(item(place, g2pk=keys.due_list(shard), g2sk=keys.listed(instants.write(taken), after.root)))


def read(stored: Item) -> Due:
    """The entry in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Due(RootId(r.text("pk").removeprefix("M#")), r.text("g2sk"))
