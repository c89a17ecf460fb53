"""Figures of recalls, an item for each space and day, kept by whoever counts the recalls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.belief import Head
from palimpsest.domain.ids import RootId, SpaceId
from palimpsest.domain.usage import Usage, band
from palimpsest.ports.table import Add, Item, Query, Set, Table, Update
from palimpsest.stores import recall_keys
from palimpsest.stores.codec import Reader, readable
from palimpsest.stores.kinds import NOW
from palimpsest.stores.recalls import HandedOut
from palimpsest.stores.walking import walk

RETENTION: Final = timedelta(days=400)
_PLAIN: Final = ("recalls", "with_result")
_ARM, _AGE = "arm.", "age."


@dataclass(frozen=True, slots=True)
class Usages:
    """Reads figures, and gives the writes that move them."""

    table: Table

    def since(self, space: SpaceId, day: date) -> Usage:
        """All that was counted of that day and those after it."""
        place = recall_keys.usage(space, day)
        total: Counter[str] = Counter()
        query = Query(place.pk, low=place.sk, high=recall_keys.last_usage())
        for counts in readable(read, walk(self.table, query)):
            total.update(counts)
        arms = {_arm(name): count for name, count in total.items() if name.startswith(_ARM)}
        ages = {int(name.removeprefix(_AGE)): count for name, count in total.items() if name.startswith(_AGE)}
        return Usage(total["recalls"], total["with_result"], arms, ages)

    def counting(self, space: SpaceId, records: Iterable[HandedOut], heads: Mapping[RootId, Head]) -> list[Update]:
        """The writes that count these recalls; the ages of what they gave as far as the heads are there."""
        days: dict[date, Counter[str]] = {}
        for record in records:
            counts = days.setdefault(record.at.date(), Counter())
            counts["recalls"] += 1
            counts["with_result"] += record.results > 0
            counts.update(f"{_ARM}{name}.{state}" for name, state in record.arms.items())
            given = (heads[ref.root] for ref in record.refs if ref.root in heads)
            counts.update(f"{_AGE}{band(record.at - head.recorded_at)}" for head in given)
        return [_counting(space, day, counts) for day, counts in sorted(days.items())]


def read(stored: Item) -> dict[str, int]:
    """The counts in an item; CorruptItem when it holds none."""
    r = Reader(stored)
    return {name: r.integer(name) for name in r.item if name in _PLAIN or name.startswith((_ARM, _AGE))}


def _counting(space: SpaceId, day: date, counts: Mapping[str, int]) -> Update:
    key = recall_keys.usage(space, day)
    added = [Add(name, count) for name, count in sorted(counts.items()) if count]
    ends = datetime.combine(day, datetime.min.time(), tzinfo=UTC) + RETENTION
    return Update(key, (*added, Set("ttl", instants.epoch_seconds(ends)), Set("_v", NOW.of(key).writes)))


def _arm(name: str) -> tuple[str, str]:
    arm, _, state = name.removeprefix(_ARM).partition(".")
    return arm, state
