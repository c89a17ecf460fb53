"""The spaces whose arms the canary is to ask, since they were changed or recalled: a sparse list, as for sweeps.

Whoever changes or recalls says so, and relies on that word for `RELIED_ON`. A space is asked at most every `RESTS`, and
leaves the list when nobody has said anything since.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.table import (
    All,
    Delete,
    Equals,
    Exists,
    Item,
    Set,
    Table,
    Update,
)
from palimpsest.stores import recall_keys
from palimpsest.stores.codec import Reader
from palimpsest.stores.noted import Noted

RESTS: Final = timedelta(hours=6)
"""Between two canaries of a space: a lost arm is found within a working day, for at most forty questions a day."""

RELIED_ON: Final = timedelta(minutes=3)
GATHERED: Final = timedelta(minutes=4)
"""From the first word to the canary: long enough that the index shows what was written, short enough that an engine
which scales to zero after ten idle minutes is still awake."""

_TRIED_AGAIN: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Visit:
    """A space that the canary is to look at.

    Attributes:
        noted_at: When somebody said last that it was changed or recalled.
        due_at: Not before.
        checked_at: When its arms were asked last; None: not since it is listed.
    """

    space: SpaceId
    noted_at: datetime
    due_at: datetime
    checked_at: datetime | None = None

    @property
    def is_touched(self) -> bool:
        """Somebody may have changed or recalled something since its arms were asked."""
        return self.checked_at is None or self.noted_at + RELIED_ON > self.checked_at


@dataclass(frozen=True, slots=True)
class Canaries:
    """Notes, lists and moves them. A move is conditional, so of two that visit one space either may end it."""

    table: Table

    @property
    def _noted(self) -> Noted:
        return Noted(self.table, recall_keys.CANARIES, recall_keys.canary)

    def note(self, space: SpaceId, now: datetime) -> None:
        """Something of the space was changed or recalled."""
        self._noted.note(space, now, now + GATHERED)

    def due(self, now: datetime, limit: int) -> list[SpaceId]:
        """At most `limit` of those whose time has come, those that wait longest first."""
        return [read(stored).space for stored in self._noted.due(now, limit)]

    def read(self, space: SpaceId) -> Visit | None:
        """How it stands; None when it is not listed."""
        key = recall_keys.canary(space)
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else read(stored)

    def end(self, visit: Visit, now: datetime) -> None:
        """Its arms were asked at that time."""
        self._move(visit, Set("checked_at", instants.write(now)), Set("g2sk", instants.write(now + RESTS)))

    def put_off(self, visit: Visit, now: datetime) -> None:
        """It was tried in vain, or has nothing to ask about that the index is sure to show; it is tried in an hour."""
        self._move(visit, Set("g2sk", instants.write(now + _TRIED_AGAIN)))

    def clear(self, visit: Visit) -> None:
        """Nobody has touched it since; nothing happens when somebody just does."""
        with suppress(ConditionFailed):
            unmoved = Equals("noted_at", instants.write(visit.noted_at))
            self.table.write(Delete(recall_keys.canary(visit.space), unmoved))

    def _move(self, visit: Visit, *changes: Set) -> None:
        unmoved = All((Exists("pk"), Equals("g2sk", instants.write(visit.due_at))))
        with suppress(ConditionFailed):
            self.table.write(Update(recall_keys.canary(visit.space), changes, unmoved))


def read(stored: Item) -> Visit:
    """The visit in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Visit(
        space=SpaceId(r.text("pk").partition("#")[2]),
        noted_at=r.instant("noted_at"),
        due_at=r.instant("g2sk"),
        checked_at=r.optional("checked_at", r.instant),
    )
