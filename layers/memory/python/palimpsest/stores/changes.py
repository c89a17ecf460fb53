"""The change log of a space: one row a step, in the step's own transaction; also the tail that recall reads.

A row's place begins with a ULID that its writer drew before the transaction, so rows may become visible slightly out of
order. Readers therefore begin a margin before the place they have reached, and trust revisions, not order.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice

from palimpsest.domain import instants
from palimpsest.domain.ids import RootId, ulid, ulid_milliseconds
from palimpsest.ports.embedder import Vector
from palimpsest.ports.table import Item, Key, Put, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.vectors import pack, unpack

RETENTION = timedelta(days=30)
_NEWEST_AT_ONCE = 100


class Effect(StrEnum):
    """What a step means for whoever mirrors the space."""

    UP = "up"
    HIDE = "hide"


@dataclass(frozen=True, slots=True)
class Features:
    """What a version is found and scored by, without its text.

    Attributes:
        terms: Analysed terms with repetition.
        vectors: Shape (n, dimensions); n = 0 while the embedding is pending.
    """

    terms: tuple[str, ...]
    length: int
    vectors: Vector


@dataclass(frozen=True, slots=True)
class Change:
    """One row. `features` belong to version `number` and are None when the belief is hidden.

    Attributes:
        size: Bytes of the row, for the tail's bound.
    """

    place: str
    root: RootId
    revision: int
    number: int
    effect: Effect
    features: Features | None
    size: int


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Some rows in the order asked for; `is_last`: there are no more in the range."""

    changes: tuple[Change, ...]
    is_last: bool


def row(
    partition: LogPartition,
    place: str,
    root: RootId,
    revision: int,
    number: int,
    now: datetime,
    features: Features | None,
) -> Put:
    """The write of one row; `place` is a fresh ULID; no features: the belief leaves every surface."""
    stored = item(
        keys.log_row(partition, place, root, revision),
        number=number,
        effect=Effect.HIDE if features is None else Effect.UP,
        ttl=instants.epoch_seconds(now + RETENTION),
    )
    if features is not None:
        stored["terms"] = zlib.compress(json.dumps(features.terms, ensure_ascii=False).encode(), 1)
        stored["length"] = features.length
        stored["dimensions"] = features.vectors.shape[1]
        if len(features.vectors):
            stored["vectors"] = pack(features.vectors)
    return Put(stored)


def read_row(stored: Item) -> Change:
    """The change in an item; CorruptItem when it is none."""
    r = Reader(stored)
    place = r.text("sk")
    _, root, revision = place.split("#")
    effect = r.choice("effect", Effect)
    features = _read_features(r) if effect is Effect.UP else None
    size = len(place) + 200 + sum(len(value) for value in stored.values() if isinstance(value, bytes))
    return Change(place, RootId(root), int(revision), r.integer("number"), effect, features, size)


def _read_features(r: Reader) -> Features:
    dimensions = r.integer("dimensions")
    packed = r.bytes("vectors") if "vectors" in r.item else b""
    terms = tuple(json.loads(zlib.decompress(r.bytes("terms"))))
    return Features(terms, r.integer("length"), unpack(packed, dimensions))


def place_at(instant: datetime) -> str:
    """The first place that a row written at `instant` can have."""
    return ulid(max(0, int(instant.timestamp() * 1000)), bytes(10))


def place_time(place: str) -> datetime:
    """When the row at `place` was written, by its writer's clock."""
    return instants.from_milliseconds(ulid_milliseconds(place))


@dataclass(frozen=True, slots=True)
class ChangeLog:
    """Reads of the log; rows are written by `stores.beliefs` alone."""

    table: Table

    def newest_first(self, partition: LogPartition, since: str, *, max_bytes: int) -> ChangePage:
        """Rows from `since` on, newest first, until `max_bytes` are read."""
        return self._read(Query(partition.pk, low=since or None, descending=True, consistent=True), max_bytes)

    def oldest_first(self, partition: LogPartition, since: str, *, limit: int) -> ChangePage:
        """At most `limit` rows from `since` on, oldest first."""
        rows = list(islice(self._rows(Query(partition.pk, low=since or None, consistent=True), limit + 1), limit + 1))
        return ChangePage(tuple(rows[:limit]), len(rows) <= limit)

    def rows(self, places: list[Key]) -> list[Change]:
        """The rows at these places; those that have expired are left out."""
        found = self.table.get(places).items
        return [read_row(stored) for stored in found.values()]

    def _read(self, query: Query, max_bytes: int) -> ChangePage:
        changes: list[Change] = []
        size = 0
        for change in self._rows(query, _NEWEST_AT_ONCE):
            if size + change.size > max_bytes and changes:
                return ChangePage(tuple(changes), is_last=False)
            size += change.size
            changes.append(change)
        return ChangePage(tuple(changes), is_last=True)

    def _rows(self, query: Query, at_once: int) -> Iterator[Change]:
        cursor = None
        while True:
            page = self.table.query(replace(query, after=cursor, limit=at_once))
            yield from map(read_row, page.items)
            cursor = page.next_cursor
            if cursor is None:
                return
