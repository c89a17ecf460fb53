"""The versions that a model has still to judge: a sparse list by the time from which somebody may try.

An entry comes with the save that could not wait, in its transaction, and goes with what the judgement comes to, in the
transaction of that.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from heapq import nsmallest
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed, HeadMoved
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.table import Delete, Equals, Index, Item, Put, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.moves import Guarded

MOST_TRIES: Final = 12
"""After so many in vain, with pauses that double, nobody tries any more: nearly two days."""

_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A version that is to be judged.

    Attributes:
        due: When somebody may try.
        tries: How often that was in vain.
    """

    root: RootId
    number: int
    due: datetime
    tries: int = 0

    @property
    def ref(self) -> VersionRef:
        return VersionRef(self.root, self.number)

    @property
    def is_last(self) -> bool:
        """After one more try in vain there were enough."""
        return self.tries + 1 >= MOST_TRIES

    def put_off(self, now: datetime) -> Waiting:
        """After one more try in vain."""
        pause = min(_FIRST_PAUSE * (1 << min(self.tries, 12)), _LONGEST_PAUSE)
        return replace(self, due=now + pause, tries=self.tries + 1)


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Reads and moves the list."""

    table: Table

    def due(self, now: datetime, limit: int) -> list[Waiting]:
        """At most `limit` of those that may be tried now, those that wait longest first."""
        until = instants.write(now) + keys.AFTER_ALL
        pages = [
            self.table.query(Query(keys.unjudged_list(shard), index=Index.TWO, high=until, limit=limit))
            for shard in range(keys.PENDING_SHARDS)
        ]
        listed = nsmallest(limit, (Reader(entry).text("g2sk") for page in pages for entry in page.items))
        found = self.table.get([keys.unjudged(keys.root_of_listed(each)) for each in listed]).items
        waiting = sorted((read(stored) for stored in found.values()), key=lambda each: each.due)
        return [each for each in waiting if each.due <= now]

    def put_off(self, waiting: Waiting, now: datetime) -> None:
        """Let it wait for another try; nothing happens when that moved meanwhile."""
        with suppress(ConditionFailed):
            self.table.write(Put(_item(waiting.put_off(now)), _is(waiting)))

    def end(self, waiting: Waiting) -> None:
        """Nothing is to be judged any more; nothing happens when that moved meanwhile."""
        with suppress(ConditionFailed):
            self.table.write(Delete(keys.unjudged(waiting.root), _is(waiting)))


def begun(ref: VersionRef, now: datetime) -> Guarded:
    """The write by which a version comes to wait; it takes the place of an older version of the same belief."""
    return Put(_item(Waiting(ref.root, ref.number or 0, instants.to_milliseconds(now)))), ConditionFailed


def ended(waiting: Waiting) -> Guarded:
    """The write by which it is judged, for the transaction of what that comes to."""
    return Delete(keys.unjudged(waiting.root), _is(waiting)), HeadMoved


def read(stored: Item) -> Waiting:
    """What a stored entry says."""
    r = Reader(stored)
    return Waiting(keys.root_of_unjudged(r.text("pk")), r.integer("number"), r.instant("due"), r.integer("tries"))


def _item(waiting: Waiting) -> Item:
    shard = keys.shard_of(waiting.root, keys.PENDING_SHARDS)
    return item(
        keys.unjudged(waiting.root),
        number=waiting.number,
        due=waiting.due,
        tries=waiting.tries,
        g2pk=keys.unjudged_list(shard),
        g2sk=keys.listed(instants.write(waiting.due), waiting.root),
    )


def _is(waiting: Waiting) -> Equals:
    return Equals("g2sk", keys.listed(instants.write(waiting.due), waiting.root))
