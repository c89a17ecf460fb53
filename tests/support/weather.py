"""Bad weather for tests: what DynamoDB may do on any day, made to happen often and by a seed.

Everything here is allowed by the `Table` port. A store or use case whose tests pass only under a clear sky relies on
what the cloud does not promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from threading import Lock
from typing import Final

from palimpsest.adapters.embedded.commits import ItemChange
from palimpsest.adapters.embedded.pages import read_page
from palimpsest.adapters.embedded.rows import Entry
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.adapters.embedded.units import index_entry
from palimpsest.adapters.table_rules.queries import Range, checked_range
from palimpsest.adapters.table_rules.values import item_size
from palimpsest.domain.errors import TableThrottled, TableUnavailable
from palimpsest.ports.table import (
    Cursor,
    Delete,
    Index,
    Item,
    Key,
    Page,
    Put,
    Query,
    Read,
    Units,
    Update,
    Write,
    Written,
)

_SHORT: Final = 4
"""Items at most in a page that is cut."""


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad the day is. Chances are per call, from 0 to 1; the default is a clear sky.

    Attributes:
        seed: The same seed and the same calls in one thread give the same weather.
        throttled: A call is refused and does nothing.
        conflicted: A transaction conflicts with others until its own retries are used up; it does nothing.
        lost_answer: A write is done, but its writer is told that nobody knows.
        unprocessed: A batch stops in its middle, when its own retries are used up.
        short_page: A page is cut, perhaps to nothing, and has a cursor.
        index_lag: An index shows a change only after up to so many queries of an index.
        stale_read: An eventual read of the table does not show either what the indexes don't show yet.
    """

    seed: int = 0
    throttled: float = 0.0
    conflicted: float = 0.0
    lost_answer: float = 0.0
    unprocessed: float = 0.0
    short_page: float = 0.0
    index_lag: int = 0
    stale_read: float = 0.0


STORM = Weather(
    throttled=0.05,
    conflicted=0.1,
    lost_answer=0.05,
    unprocessed=0.2,
    short_page=0.4,
    index_lag=6,
    stale_read=0.5,
)
"""All of it at once."""


@dataclass(slots=True)
class _Hidden:
    change: ItemChange
    reads_left: int


class WeatheredTable:
    """The `Table` port over a table in memory, in the weather that is given.

    Attributes:
        table: The table itself, under a clear sky: for its stream, and to look at what is truly there.
    """

    def __init__(self, weather: Weather) -> None:
        self._weather = weather
        self._random = Random(weather.seed)
        self._lock = Lock()
        self._hidden: list[_Hidden] = []
        self.table = SqliteTable(observer=self._hide)

    def pass_time(self) -> None:
        """Let the indexes catch up; the weather stays."""
        with self._lock:
            self._hidden.clear()

    def clear_up(self) -> None:
        """Let the indexes catch up, and have a clear sky from here on."""
        with self._lock:
            self._weather = Weather()
            self._hidden.clear()

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        """As the port says."""
        self._may_throttle()
        read = self.table.get(keys, consistent=consistent)
        if consistent or not self._happens(self._weather.stale_read):
            return read
        old = self._before_hidden()
        seen = {key: old[key] if key in old else read.items.get(key) for key in dict.fromkeys(keys)}
        return replace(read, items={key: item for key, item in seen.items() if item is not None})

    def query(self, query: Query) -> Page:
        """As the port says."""
        span = checked_range(query)
        self._may_throttle()
        if query.after is not None and self._happens(self._weather.short_page / 2):
            return Page((), query.after, Units())
        if self._happens(self._weather.short_page):
            query = replace(query, limit=self._below(min(query.limit or _SHORT, _SHORT)))
        is_stale = query.index is not None or (not query.consistent and self._happens(self._weather.stale_read))
        if span.is_empty or not is_stale:
            return self.table.query(query)
        return read_page(self._stale_entries(query, span), query)

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        """As the port says."""
        self._may_throttle()
        if self._happens(self._weather.short_page):
            limit = self._below(min(limit or _SHORT, _SHORT))
        page = self.table.scan(after=after, limit=limit)
        if not self._happens(self._weather.stale_read):
            return page
        old = self._before_hidden()
        keys = [Key(str(item["pk"]), str(item["sk"])) for item in page.items]
        seen = [old.get(key, item) for key, item in zip(keys, page.items, strict=True)]
        return replace(page, items=tuple(item for item in seen if item is not None))

    def write(self, write: Put | Update | Delete) -> Written:
        """As the port says."""
        self._may_throttle()
        written = self.table.write(write)
        self._may_lose_the_answer()
        return written

    def transact(self, writes: Sequence[Write]) -> Units:
        """As the port says."""
        self._may_throttle()
        if self._happens(self._weather.conflicted):
            raise TableThrottled
        units = self.table.transact(writes)
        self._may_lose_the_answer()
        return units

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        """As the port says."""
        self._may_throttle()
        if not writes or not self._happens(self._weather.unprocessed):
            return self.table.write_batch(writes)
        with self._lock:
            some = self._random.sample(list(writes), self._random.randrange(len(writes)))
        self.table.write_batch(some)
        raise TableThrottled

    def close(self) -> None:
        """Close the table."""
        self.table.close()

    def _happens(self, chance: float) -> bool:
        with self._lock:
            return self._random.random() < chance

    def _below(self, limit: int) -> int:
        with self._lock:
            return self._random.randint(1, limit)

    def _may_throttle(self) -> None:
        if self._happens(self._weather.throttled):
            raise TableThrottled

    def _may_lose_the_answer(self) -> None:
        if self._happens(self._weather.lost_answer):
            raise TableUnavailable("the answer was lost, and it is not known whether the request was done")

    def _hide(self, changes: Sequence[ItemChange]) -> None:
        with self._lock:
            for change in changes if self._weather.index_lag else ():
                earlier = (hidden.reads_left for hidden in self._hidden if hidden.change.key == change.key)
                lag = self._random.randint(0, self._weather.index_lag)
                self._hidden.append(_Hidden(change, max(lag, *earlier, 0)))  # changes of one item show in their order

    def _before_hidden(self) -> dict[Key, Item | None]:
        """Items as they were before the first change that is not shown yet; each look brings the changes nearer."""
        with self._lock:
            self._hidden = [hidden for hidden in self._hidden if hidden.reads_left > 0]
            before: dict[Key, Item | None] = {}
            for hidden in self._hidden:
                hidden.reads_left -= 1
                before.setdefault(hidden.change.key, hidden.change.before)
            return before

    def _stale_entries(self, query: Query, span: Range) -> list[Entry]:
        # Read first, look behind after: a change that falls between the two is undone and not seen twice.
        entries = {Key(str(item["pk"]), str(item["sk"])): item for item in self._all_now(query)}
        for key, item in self._before_hidden().items():
            entries.pop(key, None)
            seen = item if query.index is None or item is None else index_entry(item, query.index)
            if (
                seen is not None
                and _partition(seen, query.index) == query.pk
                and span.holds(_order(seen, query.index)[0])
            ):
                entries[key] = seen
        found = sorted(entries.values(), key=lambda item: _order(item, query.index), reverse=query.descending)
        return [Entry(item_size(item), item) for item in found if _is_behind(item, query)]

    def _all_now(self, query: Query) -> list[Item]:
        items: list[Item] = []
        part: Query | None = replace(query, limit=None, after=None)
        while part is not None:
            page = self.table.query(part)
            items += page.items
            part = replace(part, after=page.next_cursor) if page.next_cursor else None
        return items


def _partition(item: Item, index: Index | None) -> str:
    return str(item["pk" if index is None else f"{index}pk"])


def _order(item: Item, index: Index | None) -> tuple[str, str, str]:
    return str(item["sk" if index is None else f"{index}sk"]), str(item["pk"]), str(item["sk"])


def _is_behind(item: Item, query: Query) -> bool:
    after = query.after
    if after is None:
        return True
    edge = (after.sk if after.index_sk is None else after.index_sk, after.pk, after.sk)
    order = _order(item, query.index)
    return order < edge if query.descending else order > edge
