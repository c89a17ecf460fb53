"""The change log of one space under a steady load, in time that is only counted: what a recall's tail then holds.

The rows, the watermark and the tail are the product's own code over a table in memory. Made up are the clock and the
index's consumer: how long a stream record takes to come, and how long a page of the log takes to be indexed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import cycle

import numpy as np

from harness.talk import Talk
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.domain.analysis import analyse
from palimpsest.domain.ids import RootId, SpaceId, ulid
from palimpsest.ports.table import Put
from palimpsest.stores import changes
from palimpsest.stores.changes import ChangeLog, Features
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import MAX_BYTES, Tails, Timing
from palimpsest.stores.watermarks import Watermarks

RATES = (1, 2, 3, 5, 10, 20, 50, 100, 300, 1_000)
"""Writes a second to one space."""

SECONDS = 180
"""How long the load has lasted when the recall comes: three refreshes of the slowest index."""

_BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
_SPACE = Space(SpaceId("01KJMA0FM3G83EFRTNJJN6PQ8A"), "load", _BEGIN)
_PAGE = 200
_TEXTS = 16
_DIMENSIONS = 384


@dataclass(frozen=True, slots=True)
class Consumer:
    """What was assumed of the index function; not measured on AWS.

    Attributes:
        delay_seconds: From a commit until the function is called with its record.
        page_seconds: What a page of at most 200 rows takes, however few there are: reads, a bulk request.
        row_seconds: What each row takes beside that.
    """

    delay_seconds: float = 1.0
    page_seconds: float = 0.15
    row_seconds: float = 0.0015

    @property
    def rows_a_second(self) -> float:
        """What it can do at most, in one log."""
        return _PAGE / (self.page_seconds + _PAGE * self.row_seconds)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a recall meets after `SECONDS` of `rate` writes a second.

    Attributes:
        behind_seconds: How far the index's consumer is behind the newest row.
        waiting: Rows that the index may not show yet.
        read: How many of those the tail holds.
        lag_seconds: How old the oldest row is that the index may lack, as the tail says it.
    """

    rate: int
    row_bytes: int
    behind_seconds: float
    waiting: int
    read: int
    lag_seconds: float
    is_truncated: bool

    @property
    def says(self) -> str:
        return "degraded: tail_truncated" if self.is_truncated else "ok"


def stand(rate: int, *, characters: int, refresh_seconds: int, consumer: Consumer) -> Standing:
    """Where things stand when a recall comes; `characters`: of each text."""
    with SqliteTable() as table:
        timing = Timing(timedelta(seconds=refresh_seconds), timedelta(seconds=30))
        marks = Watermarks(table, "generation", timing.refresh)
        now = _BEGIN + timedelta(seconds=SECONDS)
        done = _consume(marks, rate, consumer)
        rows = _features(characters)
        written = rate * SECONDS
        settled = marks.read(_SPACE.log_partitions()[0]).settled(now, timing.refresh)
        first = _number(settled) + 1 if settled else 0
        waiting = written - first
        there = {first, *range(max(0, written - _fitting(rows[0])), written)}  # what lies between is never read
        numbered = zip(sorted(there), cycle(rows), strict=False)
        table.write_batch([_row(number, rate, features) for number, features in numbered])
        tail = Tails(ChangeLog(table), timing).read(_SPACE, marks, now)
        read = sum(change.place > settled for change in tail.newest.values())
        sizes = [change.size for change in tail.newest.values()]
        return Standing(
            rate=rate,
            row_bytes=round(sum(sizes) / len(sizes)),
            behind_seconds=round((written - done) / rate, 1),
            waiting=waiting,
            read=read,
            lag_seconds=round(tail.lag.total_seconds(), 1),
            is_truncated=tail.is_truncated,
        )


def _consume(marks: Watermarks, rate: int, consumer: Consumer) -> int:
    """Let the consumer work until the recall comes; how many rows it has handed to the index."""
    partition = _SPACE.log_partitions()[0]
    at, done = 0.0, 0
    while True:
        at = max(at, done / rate + consumer.delay_seconds)
        page = min(_PAGE, max(1, int((at - consumer.delay_seconds) * rate) + 1 - done))
        at += consumer.page_seconds + page * consumer.row_seconds
        if at > SECONDS:
            return done
        done += page
        reached_at = _BEGIN + timedelta(seconds=at)
        marks.advance(partition, marks.read(partition), _place(done - 1, rate), reached_at)


@cache
def _features(characters: int) -> list[Features]:
    """Of made-up texts of that length, with one vector each."""
    talk, linguist, random = " ".join(Talk(7).turns(500)), Snowball(), np.random.default_rng(7)
    found = []
    for begin in range(0, _TEXTS * characters, characters):
        analysed = analyse(talk[begin : begin + characters], linguist)
        vector = random.standard_normal((1, _DIMENSIONS)).astype(np.float32)
        found.append(Features(analysed.terms, analysed.length, vector / np.linalg.norm(vector)))
    return found


def row_of(*, characters: int) -> Put:
    """One row of the log, as a save of such a text writes it."""
    return _row(0, 1, _features(characters)[0])


def _fitting(features: Features) -> int:
    """How many rows are more than the tail reads."""
    return 2 * MAX_BYTES // changes.read_row(_row(0, 1, features).item).size


def _row(number: int, rate: int, features: Features) -> Put:
    at = _BEGIN + timedelta(seconds=number / rate)
    root, place = RootId(f"mem_{number:026d}"), ulid(int(at.timestamp() * 1000), number.to_bytes(10, "big"))
    return changes.row(_SPACE.log_partitions()[0], place, root, 1, 1, at, features)


def _place(number: int, rate: int) -> str:
    at = _BEGIN + timedelta(seconds=number / rate)
    return f"{ulid(int(at.timestamp() * 1000), number.to_bytes(10, 'big'))}#mem_{number:026d}#{1:08d}"


def _number(place: str) -> int:
    """The row at a place."""
    return int(place.split("#")[1].removeprefix("mem_"))
