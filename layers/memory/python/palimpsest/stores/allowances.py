"""What runs may change without consent: what they changed lately in each space, and what an owner has approved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.ids import KeyId, SpaceId
from palimpsest.domain.run import WINDOW, Run, RunKind
from palimpsest.ports.table import Condition, Delete, Equals, Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

_KEPT: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Spent:
    """What runs of a space have changed without consent lately.

    Attributes:
        minutes: How much in each minute of the window.
        revision: How often this record was written; 0 when it is not there.
    """

    space: SpaceId
    minutes: Mapping[str, int]
    revision: int

    @property
    def total(self) -> int:
        return sum(self.minutes.values())


@dataclass(frozen=True, slots=True)
class Allowances:
    """Reads them, and prepares writes for the transaction of a run's move."""

    table: Table

    def spent(self, space: SpaceId, now: datetime) -> Spent:
        """What was changed within the window."""
        key = keys.allowance(space)
        stored = self.table.get([key]).items.get(key)
        if stored is None:
            return Spent(space, {}, 0)
        r = Reader(stored)
        minutes = r.map("minutes")
        begins = instants.write(now - WINDOW)
        kept = {at: minutes.integer(at) for at in minutes.item if at not in ("pk", "sk") and at > begins}
        return Spent(space, kept, r.integer("revision"))

    def spend(self, spent: Spent, changes: int, now: datetime) -> Put:
        """The write that adds so many changes; it fails when another run has added some since."""
        minute = instants.write(now.replace(second=0, microsecond=0) + timedelta(minutes=1))
        stored = item(
            keys.allowance(spent.space),
            minutes={**spent.minutes, minute: spent.minutes.get(minute, 0) + changes},
            revision=spent.revision + 1,
            ttl=instants.epoch_seconds(now + _KEPT),
        )
        is_so: Condition = Equals("revision", spent.revision) if spent.revision else Missing("pk")
        return Put(stored, is_so)

    def approved_by(self, space: SpaceId, kind: RunKind) -> KeyId | None:
        """The key that approved all runs of the kind in that space, if one did."""
        key = keys.run_approval(space, kind)
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else KeyId(Reader(stored).text("by"))

    def approve_always(self, run: Run, by: KeyId, now: datetime) -> Put:
        """The write that approves all runs of this kind and space."""
        return Put(item(keys.run_approval(run.space, run.kind), by=by, at=now, run=run.id))

    def withdraw(self, run: Run) -> Delete:
        """The write that takes that back."""
        return Delete(keys.run_approval(run.space, run.kind))
