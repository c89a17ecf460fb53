"""The beliefs whose current version waits for its vectors, in the order in which they wait."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest

from palimpsest.domain import instants
from palimpsest.domain.belief import Head
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Equals, Index, Query, Set, Table, Update
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader


@dataclass(frozen=True, slots=True)
class Pending:
    """Reads the list and moves entries in it; a belief comes and goes with its head, by `stores.beliefs`."""

    table: Table

    def listed(self, limit: int) -> list[str]:
        """At most `limit` of the entries, those that wait longest first: sort keys, which begin with the time."""
        pages = [
            self.table.query(Query(keys.pending(shard), index=Index.TWO, limit=limit))
            for shard in range(keys.PENDING_SHARDS)
        ]
        return nsmallest(limit, (Reader(entry).text("g2sk") for page in pages for entry in page.items))

    def wait_again(self, head: Head, now: datetime) -> None:
        """Let a belief wait whose vectors are of another model; nothing happens when it has moved.

        As with `put_off`, nothing that anybody is told changes but that it waits.
        """
        waits = (
            Set("embedded", 0),
            Set("g2pk", keys.pending(keys.shard_of(head.root, keys.PENDING_SHARDS))),
            Set("g2sk", keys.listed(instants.write(now), head.root)),
        )
        with suppress(ConditionFailed):
            self.table.write(Update(keys.head(head.root), waits, Equals("revision", head.revision)))

    def put_off(self, listed: str, now: datetime) -> None:
        """Let an entry wait behind all others; nothing happens when its belief has moved.

        It is no step of the belief and has no row in the log, since nothing that anybody is told changes.
        """
        root = keys.root_of_listed(listed)
        behind = Set("g2sk", keys.listed(instants.write(now), root))
        with suppress(ConditionFailed):
            self.table.write(Update(keys.head(root), (behind,), Equals("g2sk", listed)))
