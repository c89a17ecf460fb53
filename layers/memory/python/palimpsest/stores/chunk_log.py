"""The log of what becomes of a space's chunks: a row names some, and the table says how each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.ids import ChunkId
from palimpsest.ports.table import Item, Key, Query, Table
from palimpsest.stores.codec import Reader
from palimpsest.stores.keys import LogPartition


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A row: these chunks came or went. `place`: a ULID that its writer drew before, so rows may show out of order."""

    place: str
    chunks: tuple[ChunkId, ...]


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """Some rows, oldest first. `next_place`: where to read on; None when these were the last."""

    rows: tuple[ChunkRow, ...]
    next_place: str | None


@dataclass(frozen=True, slots=True)
class ChunkLog:
    """Reads the log; `stores.chunks` writes it."""

    table: Table

    def oldest_first(self, partition: LogPartition, since: str, *, limit: int) -> ChunkRows:
        """At most `limit` rows from `since` on."""
        page = self.table.query(Query(partition.pk, low=since or None, consistent=True, limit=limit))
        next_place = page.next_cursor and f"{page.next_cursor.sk}\0"
        return ChunkRows(tuple(map(_read, page.items)), next_place)

    def at(self, places: Sequence[Key]) -> list[ChunkRow]:
        """The rows at these places; those that have expired are left out."""
        found = self.table.get(list(places)).items.values() if places else ()
        return [_read(stored) for stored in found]


def _read(stored: Item) -> ChunkRow:
    r = Reader(stored)
    return ChunkRow(r.text("sk"), tuple(map(ChunkId, r.texts("chunks"))))
