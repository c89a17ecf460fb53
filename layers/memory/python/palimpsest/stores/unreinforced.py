"""The spaces with recalls that nobody has counted yet: a sparse list, and how far each of them is counted.

Whoever recalls in a space leaves word with its record, and relies on that word for `RELIED_ON`. So a note that is older
than that, when all up to now is counted, can go: every record that relied on it has been seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import KeyId, RecallId, SpaceId
from palimpsest.domain.usage import Look
from palimpsest.ports.table import Delete, Equals, Index, Missing, Put, Query, Set, Table, Update, Value
from palimpsest.stores import recall_keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.walking import walk

SETTLED: Final = timedelta(seconds=10)
"""A recall younger than this is left for later: its record may be on its way, or its maker's clock be slow."""

GATHERED: Final = timedelta(seconds=15)
"""So long after the first of some recalls they are counted together."""

RELIED_ON: Final = timedelta(minutes=1)
_FORGOTTEN_AFTER: Final = RELIED_ON + 3 * SETTLED


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is to be counted in a space.

    Attributes:
        until: Recalls up to this one are counted; None: none is.
        rests_until: Nothing is counted before.
        noted: The keys that recalled, each with when that was noted last.
        look: The last look at how much no recall ever gave; None before the first.
        looked_at: When that was.
    """

    space: SpaceId
    until: RecallId | None
    rests_until: datetime | None
    noted: Mapping[KeyId, datetime]
    look: Look | None = None
    looked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Unreinforced:
    """Notes, lists and clears them."""

    table: Table

    def note(self, space: SpaceId, by: KeyId, now: datetime) -> Put:
        """The write that says so; whoever makes it may recall for `RELIED_ON` without another."""
        listed = {"g2pk": recall_keys.REINFORCE, "g2sk": _listed(now + GATHERED, space)}
        return Put(item(recall_keys.recaller(space, by), noted_at=now, **listed))

    def due(self, now: datetime, limit: int) -> list[SpaceId]:
        """At most `limit` spaces whose time has come, those that wait longest first."""
        query = Query(recall_keys.REINFORCE, index=Index.TWO, high=instants.write(now), limit=limit)
        entries = self.table.query(query).items
        return list(dict.fromkeys(SpaceId(Reader(each).text("g2sk").partition("#")[2]) for each in entries))

    def read(self, space: SpaceId) -> Waiting:
        """What is to be counted, strongly read."""
        query = Query(recall_keys.reinforcing(space).pk, consistent=True)
        found = {r.text("sk"): r for r in map(Reader, walk(self.table, query))}
        state = found.pop(recall_keys.reinforcing(space).sk, None)
        noted = {KeyId(sk.removeprefix(recall_keys.RECALLERS)): r.instant("noted_at") for sk, r in found.items()}
        if state is None:
            return Waiting(space, None, None, noted)
        looked_at = state.optional("looked_at", state.instant)
        look = None if looked_at is None else Look(state.integer("looked_of"), state.integer("never"))
        until, rests = RecallId(state.text("until")), state.instant("rests_until")
        return Waiting(space, until, rests, noted, look, looked_at)

    def count(self, waiting: Waiting, counted: Waiting, also: Sequence[Update]) -> bool:
        """Counted so far, with the figures of it; False when somebody else has counted meanwhile."""
        key = recall_keys.reinforcing(waiting.space)
        told: dict[str, Value | datetime | None] = {
            "until": counted.until,
            "rests_until": counted.rests_until,
            "looked_at": counted.looked_at,
            "looked_of": None if counted.look is None else counted.look.of,
            "never": None if counted.look is None else counted.look.never,
        }
        changes = [Set(name, value) for name, value in item(key, **told).items() if name not in ("pk", "sk")]
        unmoved = Missing("until") if waiting.until is None else Equals("until", waiting.until)
        try:
            self.table.transact([Update(key, tuple(changes), unmoved), *also])
        except ConditionFailed:
            return False
        return True

    def settle(self, waiting: Waiting, now: datetime, due: datetime, *, is_all_counted: bool) -> None:
        """Clear the notes that nobody relies on any more; the others come again when `due`, or later.

        Args:
            waiting: As it was read.
            now: When that was.
            due: When counting goes on.
            is_all_counted: All is counted that was there by then, but for the last seconds.
        """
        for by, noted_at in waiting.noted.items():
            key, unmoved = recall_keys.recaller(waiting.space, by), Equals("noted_at", instants.write(noted_at))
            cleared = noted_at + _FORGOTTEN_AFTER
            again = max(due, cleared) if is_all_counted else due
            write: Delete | Update = Update(key, (Set("g2sk", _listed(again, waiting.space)),), unmoved)
            if is_all_counted and cleared <= now:
                write = Delete(key, unmoved)
            with suppress(ConditionFailed):
                self.table.write(write)


def _listed(due: datetime, space: SpaceId) -> str:
    return f"{instants.write(due)}#{space}"
