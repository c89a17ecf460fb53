"""The arms that the canary found mute: in which space, since when, of which generation of the index; never a text."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.table import Delete, Index, Item, Put, Query, Set, Table, Update
from palimpsest.stores import recall_keys
from palimpsest.stores.codec import Reader, item, readable
from palimpsest.stores.kinds import NOW
from palimpsest.stores.walking import walk

_ARM: Final = "arm."
_KEPT: Final = 10_000
_KEPT_SECONDS: Final = 60.0
"""A recall may tell of a mute arm a minute late, and after that for a minute too long."""


@dataclass(frozen=True, slots=True)
class Mute:
    """An arm of a space that did not give what it was asked for.

    Attributes:
        generation: The index that answered then; what another one does is not known.
        since: When it was first found so.
        probes: How many entries it was asked for, the last time.
        missed: How many of those it did not give.
    """

    arm: str
    generation: str
    since: datetime
    probes: int
    missed: int


@dataclass(frozen=True, slots=True)
class Listed:
    """Where an arm is mute, and since when."""

    arm: str
    since: datetime
    space: SpaceId


@dataclass(frozen=True, slots=True)
class Mutes:
    """Reads and writes them."""

    table: Table
    seconds: Callable[[], float] = time.monotonic
    _known: OrderedDict[SpaceId, tuple[float, tuple[Mute, ...]]] = field(
        default_factory=OrderedDict, init=False, repr=False, compare=False
    )
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    def of(self, space: SpaceId) -> tuple[Mute, ...]:
        """Those of a space, of whatever generation; at most a minute old, eventually read."""
        with self._lock:
            known = self._known.get(space)
        if known is not None and self.seconds() - known[0] < _KEPT_SECONDS:
            return known[1]
        found = self._read(space, is_consistent=False)
        self._remember(space, found)
        return found

    def keep(self, space: SpaceId, asked: Mapping[str, Mute | None], now: datetime) -> None:
        """What became of the arms that were asked; one that was mute of that generation keeps its time."""
        before = {each.arm: each for each in self._read(space, is_consistent=True)}
        writes: list[Put | Delete] = []
        for arm, mute in asked.items():
            known = before.get(arm)
            if mute is not None:
                is_same = known is not None and known.generation == mute.generation
                since = known.since if known is not None and is_same else mute.since
                writes.append(Put(_written(space, mute, since)))
            elif known is not None:
                writes.append(Delete(recall_keys.mute_arm(space, arm)))
        if writes:
            self.table.write_batch(writes)
        if asked:
            key = recall_keys.canaries()
            changes = tuple(Set(f"{_ARM}{arm}", instants.write(now)) for arm in asked)
            self.table.write(Update(key, (*changes, Set("_v", NOW.of(key).writes))))
        self._forget_known(space)

    def forget(self, space: SpaceId) -> None:
        """Of every arm; the next canary finds again what is so."""
        found = [Delete(recall_keys.mute_arm(space, each.arm)) for each in self._read(space, is_consistent=True)]
        if found:
            self.table.write_batch(found)
        self._forget_known(space)

    def listed(self, generation: str, arm: str, limit: int) -> list[Listed]:
        """At most so many of an arm that were found while that generation answered, by time."""
        query = Query(recall_keys.mute_list(generation), index=Index.ONE, prefix=f"{arm}#", limit=limit)
        page = self.table.query(query)
        told = [Reader(each).text("g1sk").split("#") for each in page.items]
        return [Listed(arm, instants.read(since), SpaceId(space)) for arm, since, space in told]

    def checked(self) -> Mapping[str, datetime]:
        """When each arm was last asked, in whatever space."""
        key = recall_keys.canaries()
        stored = self.table.get([key], consistent=False).items.get(key)
        return {} if stored is None else read_checked(stored)

    def _read(self, space: SpaceId, *, is_consistent: bool) -> tuple[Mute, ...]:
        place = recall_keys.mute_arm(space, "")
        query = Query(place.pk, prefix=place.sk, consistent=is_consistent)
        return tuple(readable(read, walk(self.table, query)))

    def _remember(self, space: SpaceId, found: Sequence[Mute]) -> None:
        with self._lock:
            self._known[space] = self.seconds(), tuple(found)
            self._known.move_to_end(space)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)

    def _forget_known(self, space: SpaceId) -> None:
        with self._lock:
            self._known.pop(space, None)


def _written(space: SpaceId, mute: Mute, since: datetime) -> Item:
    told: dict[str, int] = {"probes": mute.probes, "missed": mute.missed}
    return item(
        recall_keys.mute_arm(space, mute.arm),
        generation=mute.generation,
        since=since,
        g1pk=recall_keys.mute_list(mute.generation),
        g1sk=recall_keys.listed_mute(mute.arm, instants.write(since), space),
        **told,
    )


def read(stored: Item) -> Mute:
    """The mute arm in an item; CorruptItem when it is none."""
    r = Reader(stored)
    arm = r.text("sk").removeprefix(recall_keys.MUTE_ARMS)
    return Mute(arm, r.text("generation"), r.instant("since"), r.integer("probes"), r.integer("missed"))


def read_checked(stored: Item) -> Mapping[str, datetime]:
    """When each arm was last asked, in an item."""
    r = Reader(stored)
    return {name.removeprefix(_ARM): r.instant(name) for name in stored if name.startswith(_ARM)}
