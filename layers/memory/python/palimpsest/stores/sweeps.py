"""The spaces whose entries in the index are to be swept, since they changed: a sparse list with a place in each.

Whoever writes to the index says so before it does, and may then write for `WRITES_WITHIN` without saying it again. So a
sweep that began later than that after the last word has seen all that was left behind, and any other is made again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.table import (
    Add,
    All,
    Condition,
    Delete,
    Equals,
    Exists,
    Item,
    Missing,
    Remove,
    Set,
    Table,
    Update,
)
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader
from palimpsest.stores.noted import Noted

RESTS = timedelta(hours=12)
"""Between the first change of a space and its sweep, and between two sweeps."""

NOTED_AGAIN = timedelta(minutes=15)
WRITES_WITHIN = timedelta(minutes=35)
"""Whoever said that it writes says it again after a quarter of an hour, and no function runs for longer than another;
the rest is for clocks, and for an engine that shows a write late."""

_TRIED_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Sweep:
    """A space that is to be swept.

    Attributes:
        noted_at: When somebody said last that it writes to its entries.
        began_at: When the sweep of it began; None before.
        generation: Which index that sweeps.
        after: The key behind which it goes on; empty at the beginning.
        taken: How much it took out so far.
    """

    space: SpaceId
    noted_at: datetime
    began_at: datetime | None = None
    generation: str = ""
    after: str = ""
    taken: int = 0

    @property
    def is_last(self) -> bool:
        """Nothing was left behind, and nobody wrote meanwhile."""
        return not self.taken and self.began_at is not None and self.noted_at + WRITES_WITHIN <= self.began_at


@dataclass(frozen=True, slots=True)
class Sweeps:
    """Notes, lists and moves them. A move is conditional, so of two that sweep one space either may go on."""

    table: Table

    @property
    def _noted(self) -> Noted:
        return Noted(self.table, keys.SWEEPS, keys.sweep)

    def note(self, space: SpaceId, now: datetime) -> None:
        """Somebody is about to write entries of the space."""
        self._noted.note(space, now, now + RESTS)

    def due(self, now: datetime, limit: int) -> list[Sweep]:
        """At most `limit` of those whose time has come, those that wait longest first."""
        return [_read(stored) for stored in self._noted.due(now, limit)]

    def begin(self, sweep: Sweep, generation: str, now: datetime) -> Sweep | None:
        """The sweep of that generation as it goes on, or from its beginning; None when somebody else has moved it."""
        if sweep.began_at is not None and sweep.generation == generation:
            return sweep
        begun = (Set("began_at", instants.write(now)), Set("generation", generation), Remove("after"), Remove("taken"))
        return self._move(sweep, begun)

    def keep(self, sweep: Sweep, after: str, taken: int) -> Sweep | None:
        """With `taken` more taken out, up to that key; None when somebody else has ended or begun it anew."""
        return self._move(sweep, (Set("after", after), *((Add("taken", taken),) if taken else ())))

    def end(self, sweep: Sweep, now: datetime) -> None:
        """All of the space was gone through; it is swept again unless nothing can be left."""
        if sweep.is_last:
            unmoved = (_is(sweep), Equals("noted_at", instants.write(sweep.noted_at)), Missing("taken"))
            with suppress(ConditionFailed):
                self.table.write(Delete(keys.sweep(sweep.space), All(unmoved)))
                return
        over = tuple(map(Remove, ("began_at", "generation", "after", "taken")))
        self._move(sweep, (Set("g2sk", instants.write(now + RESTS)), *over))

    def put_off(self, sweep: Sweep, now: datetime) -> None:
        """It was tried in vain, and goes on from there in an hour."""
        self._move(sweep, (Set("g2sk", instants.write(now + _TRIED_AGAIN)),))

    def _move(self, sweep: Sweep, changes: tuple[Set | Add | Remove, ...]) -> Sweep | None:
        condition = All((Exists("pk"), _is(sweep)))
        try:
            written = self.table.write(Update(keys.sweep(sweep.space), changes, condition))
        except ConditionFailed:
            return None
        return None if written.item is None else _read(written.item)


def _is(sweep: Sweep) -> Condition:
    if sweep.began_at is None:
        return Missing("began_at")
    return Equals("began_at", instants.write(sweep.began_at))


def _read(stored: Item) -> Sweep:
    r = Reader(stored)
    return Sweep(
        space=SpaceId(r.text("pk").partition("#")[2]),
        noted_at=r.instant("noted_at"),
        began_at=r.optional("began_at", r.instant),
        generation=r.optional("generation", r.text) or "",
        after=r.optional("after", r.text) or "",
        taken=r.optional("taken", r.integer) or 0,
    )
