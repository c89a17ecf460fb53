"""The spaces with recalls that nobody has counted yet: a sparse list, and how far each of them is counted.

Whoever recalls in a space leaves word with its record, and relies on that word for `RELIED_ON`. So a note that is older
than that, when all up to now is counted, can go: every record that relied on it has been seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import KeyId, RecallId, SpaceId
from palimpsest.ports.table import Delete, Equals, Index, Missing, Put, Query, Set, Table, Update
from palimpsest.stores import recall_keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.kinds import NOW
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
    """

    space: SpaceId
    until: RecallId | None
    rests_until: datetime | None
    noted: Mapping[KeyId, datetime]


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
        until = state.optional("until", state.text)
        rests = state.optional("rests_until", state.instant)
        return Waiting(space, None if until is None else RecallId(until), rests, noted)

    def count(self, waiting: Waiting, until: RecallId, rests_until: datetime) -> bool:
        """Recalls up to `until` are counted; False when somebody else has counted meanwhile."""
        key = recall_keys.reinforcing(waiting.space)
        told = Set("until", until), Set("rests_until", instants.write(rests_until)), Set("_v", NOW.of(key).writes)
        unmoved = Missing("until") if waiting.until is None else Equals("until", waiting.until)
        try:
            self.table.write(Update(key, told, unmoved))
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
