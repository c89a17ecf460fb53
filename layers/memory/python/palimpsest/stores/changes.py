"""The change log of a space: one row a step, in the step's own transaction; also the tail that recall reads.

A row's place begins with a ULID that its writer drew before the transaction, so rows may become visible slightly out of
order. Readers therefore begin a margin before the place they have reached, and trust revisions, not order.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from threading import Lock

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed, CorruptItem
from palimpsest.domain.ids import RootId, ulid, ulid_milliseconds
from palimpsest.domain.talk import ALONE, Place, Said
from palimpsest.domain.traits import Traits
from palimpsest.ports.embedder import Vector
from palimpsest.ports.table import Check, Item, Key, Put, Query, Table
from palimpsest.stores import keys, said_codec
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.standing import IS_THERE
from palimpsest.stores.trait_codec import attributes, read_tags, read_traits
from palimpsest.stores.vectors import pack, unpack

RETENTION = timedelta(days=30)
SURELY_KEPT = RETENTION - timedelta(days=1)
"""Of rows that are older, some may have expired unread: the table has the beliefs, and only a rebuild finds them."""
_NEWEST_AT_ONCE = 100
_KEPT = 1_000
"""Decoded rows, about 5 KB each."""
_FEATURE_BYTES = 300_000
"""Of one row: an item has at most 400 KB, and a recall reads 256 KB of rows before it stops."""


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
    said: Said = ALONE

    @property
    def has_vectors(self) -> bool:
        """It is embedded."""
        return len(self.vectors) > 0

    def at(self, place: Place | None) -> Features:
        """The same of a text that was said there."""
        return replace(self, said=replace(self.said, place=place))


@dataclass(frozen=True, slots=True)
class Change:
    """One row. `features` belong to version `number` and are None when the belief is hidden or nobody asked for them.

    Attributes:
        touches_all: The step changes how every version is found, not only that of `number` and the one before.
        model: Digest of the model of the vectors.
        traits: What filters ask of the version, without its belief's tags; None when the row does not say.
        tags: Labels of the tags that the belief has after the step.
        size: Bytes of the row, for the tail's bound.
    """

    place: str
    root: RootId
    revision: int
    number: int
    effect: Effect
    features: Features | None
    touches_all: bool
    model: str
    size: int
    traits: Traits | None = None
    tags: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Some rows in the order asked for.

    Attributes:
        is_last: There are no more in the range.
        unreadable: How many rows were passed over because no codec can read them.
        next_place: Where to read on, oldest first.
    """

    changes: tuple[Change, ...]
    is_last: bool
    unreadable: int = 0
    next_place: str = ""


def row(
    partition: LogPartition,
    place: str,
    root: RootId,
    revision: int,
    number: int,
    now: datetime,
    features: Features | None,
    *,
    model: str = "",
    traits: Traits | None = None,
    tags: Iterable[str] = (),
    touches_all: bool = False,
) -> Put:
    """The write of one row; `place` is a fresh ULID; no features: the belief leaves every surface.

    A row never passes the size of an item: vectors that don't fit beside the terms are left out, since they lie beside
    the version too, and so are the last of terms that don't fit, since the index analyses the text itself.
    """
    stored = item(
        keys.log_row(partition, place, root, revision),
        number=number,
        effect=Effect.HIDE if features is None else Effect.UP,
        touches_all=touches_all or None,
        ttl=instants.epoch_seconds(now + RETENTION),
        **attributes(traits, tags),
    )
    if features is not None:
        terms = _pack_terms(features.terms)
        packed = pack(features.vectors)
        stored["terms"] = terms
        stored["length"] = features.length
        stored["dimensions"] = features.vectors.shape[1]
        stored |= said_codec.attributes(features.said)
        if packed and len(terms) + len(packed) <= _FEATURE_BYTES:
            stored["vectors"] = packed
            stored["model"] = model
    return Put(stored)


def named(root: RootId, place: str, revision: int) -> Put:
    """The write that lets a row that is no step's be found from its belief; a step's own item names its row."""
    return Put(item(keys.announced(root, place), log=place, revision=revision))


def read_row(stored: Item, *, with_features: bool = True) -> Change:
    """The change in an item; CorruptItem when it is none."""
    r = Reader(stored)
    place = r.text("sk")
    try:
        _, root, revision = place.split("#")
        effect = r.choice("effect", Effect)
        return Change(
            place=place,
            root=RootId(root),
            revision=int(revision),
            number=r.integer("number"),
            effect=effect,
            features=_read_features(r) if with_features and effect is Effect.UP else None,
            touches_all="touches_all" in r.item,
            model=r.optional("model", r.text) or "",
            size=len(place) + 200 + sum(len(value) for value in r.item.values() if isinstance(value, bytes)),
            traits=read_traits(r),
            tags=read_tags(r),
        )
    except (ValueError, zlib.error) as error:
        raise CorruptItem(r.text("pk"), place, type(error).__name__) from error


def _pack_terms(terms: Sequence[str]) -> bytes:
    """The terms, or as many of the first as fit a row; 100 KB of text took 137 KB at the most of what was tried."""
    while len(packed := zlib.compress(json.dumps(terms, ensure_ascii=False).encode(), 1)) > _FEATURE_BYTES:
        terms = terms[: int(0.95 * len(terms) * _FEATURE_BYTES / len(packed))]
    return packed


def _read_features(r: Reader) -> Features:
    dimensions = r.integer("dimensions")
    packed = r.bytes("vectors") if "vectors" in r.item else b""
    terms = tuple(json.loads(zlib.decompress(r.bytes("terms"))))
    return Features(terms, r.integer("length"), unpack(packed, dimensions), said_codec.read(r))


def place_at(instant: datetime) -> str:
    """The first place that a row written at `instant` can have."""
    return ulid(max(0, int(instant.timestamp() * 1000)), bytes(10))


def place_time(place: str) -> datetime:
    """When the row at `place` was written, by its writer's clock."""
    return instants.from_milliseconds(ulid_milliseconds(place))


@dataclass(frozen=True, slots=True)
class ChangeLog:
    """Reads of the log; steps are written by `stores.beliefs` alone. Rows that no codec can read are passed over.

    Rows never change, so a process keeps those that it has decoded lately, at most `kept`: saves and recalls read the
    same tail again and again.
    """

    table: Table
    kept: int = _KEPT
    _decoded: dict[tuple[str, str], Change] = field(default_factory=dict, init=False, compare=False)
    _lock: Lock = field(default_factory=Lock, init=False, compare=False)

    def newest_first(self, partition: LogPartition, since: str, *, max_bytes: int) -> ChangePage:
        """Rows with their features from `since` on, newest first, until `max_bytes` are read."""
        changes: list[Change] = []
        size = unreadable = 0
        query = Query(partition.pk, low=since or None, descending=True, consistent=True)
        for _, change in self._rows(query, _NEWEST_AT_ONCE, with_features=True):
            if change is None:
                unreadable += 1
                continue
            if size + change.size > max_bytes and changes:
                return ChangePage(tuple(changes), is_last=False, unreadable=unreadable)
            size += change.size
            changes.append(change)
        return ChangePage(tuple(changes), is_last=True, unreadable=unreadable)

    def oldest_first(self, partition: LogPartition, since: str, *, limit: int) -> ChangePage:
        """At most `limit` rows without their features from `since` on, oldest first."""
        query = Query(partition.pk, low=since or None, consistent=True)
        rows = list(islice(self._rows(query, limit + 1, with_features=False), limit + 1))
        changes = tuple(change for _, change in rows[:limit] if change is not None)
        next_place = rows[-1][0] if len(rows) > limit else ""
        return ChangePage(changes, len(rows) <= limit, len(rows[:limit]) - len(changes), next_place)

    def rows(self, places: list[Key], *, with_features: bool = False) -> list[Change]:
        """The rows at these places; those that have expired are left out."""
        found = self.table.get(places).items.values()
        return [change for stored in found if (change := _readable(stored, with_features=with_features)) is not None]

    def put_again(self, key: Key, ulid: str, now: datetime) -> None:
        """Write that row anew as if it came now, so that it does not expire; nothing when it or its belief is gone."""
        stored = self.table.get([key]).items.get(key)
        if stored is not None:
            _, root, revision = key.sk.split("#")
            again = Put({**stored, "sk": f"{ulid}#{root}#{revision}", "ttl": instants.epoch_seconds(now + RETENTION)})
            with suppress(ConditionFailed):
                self.table.transact(
                    [Check(keys.head(RootId(root)), IS_THERE), again, named(RootId(root), ulid, int(revision))]
                )

    def _rows(self, query: Query, at_once: int, *, with_features: bool) -> Iterator[tuple[str, Change | None]]:
        cursor = None
        while True:
            page = self.table.query(replace(query, after=cursor, limit=at_once))
            for stored in page.items:
                yield (
                    str(stored["sk"]),
                    self._decode(stored) if with_features else _readable(stored, with_features=False),
                )
            cursor = page.next_cursor
            if cursor is None:
                return

    def _decode(self, stored: Item) -> Change | None:
        place = str(stored["pk"]), str(stored["sk"])
        change = self._decoded.get(place)
        if change is None:
            change = _readable(stored, with_features=True)
            if change is not None:
                self._keep(place, change)
        return change

    def _keep(self, place: tuple[str, str], change: Change) -> None:
        """Beside the others, in place of the one that was kept first when there are too many."""
        with self._lock:
            while len(self._decoded) >= self.kept:
                del self._decoded[next(iter(self._decoded))]
            self._decoded[place] = change


def _readable(stored: Item, *, with_features: bool) -> Change | None:
    try:
        return read_row(stored, with_features=with_features)
    except CorruptItem:
        return None
