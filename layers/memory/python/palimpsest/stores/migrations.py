"""How far the walk has come that puts stored items into the form that this release writes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Condition, Cursor, Equals, Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Migration:
    """One walk. The counts are of everything that it has passed, over all slices.

    Attributes:
        target: Which kinds get which form: ``head.2 space.3``. Empty: there is nothing to do.
        changes: How often this record was written.
        after: The place that was reached; None before the first item, and when it is done.
        seen: Items that were passed.
        renewed: Items that were given their new form.
        newer: Items that only a newer release can read; they are left alone.
        unreadable: Items that nobody can read; they are left alone.
        busy: Items of the present round that others kept changing; the walk begins again for them.
    """

    target: str
    started_at: datetime
    changes: int = 0
    is_done: bool = False
    after: Cursor | None = None
    seen: int = 0
    renewed: int = 0
    newer: int = 0
    unreadable: int = 0
    busy: int = 0


@dataclass(frozen=True, slots=True)
class Migrations:
    """Reads and moves the record of a walk; each target has its own."""

    table: Table

    def read(self, target: str) -> Migration | None:
        """The walk towards `target`; None when nobody has begun it."""
        place = keys.migration(target)
        stored = self.table.get([place]).items.get(place)
        return None if stored is None else _read(Reader(stored))

    def move(self, walk: Migration) -> Migration | None:
        """Put the walk in place of the one that it went on from, as it stands then; None: another process was first."""
        stored = item(
            keys.migration(walk.target),
            started_at=walk.started_at,
            changes=walk.changes + 1,
            is_done=walk.is_done,
            after=None if walk.after is None else [walk.after.pk, walk.after.sk],
            seen=walk.seen,
            renewed=walk.renewed,
            newer=walk.newer,
            unreadable=walk.unreadable,
            busy=walk.busy,
        )
        condition: Condition = Equals("changes", walk.changes) if walk.changes else Missing("pk")
        try:
            self.table.write(Put(stored, condition))
        except ConditionFailed:
            return None
        return replace(walk, changes=walk.changes + 1)


def _read(r: Reader) -> Migration:
    after = r.texts("after")
    return Migration(
        target=r.text("sk"),
        started_at=r.instant("started_at"),
        changes=r.integer("changes"),
        is_done=r.flag("is_done"),
        after=Cursor(after[0], after[1]) if after else None,
        seen=r.integer("seen"),
        renewed=r.integer("renewed"),
        newer=r.integer("newer"),
        unreadable=r.integer("unreadable"),
        busy=r.integer("busy"),
    )
