"""Runs in the table: each move one transaction on the run that was read, with the pages of its plan that it settles.

So of two workers on one run one goes on, a crash leaves the run as it was or as it is after the move, and the counts
are those of the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TypeAlias

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed, HeadMoved, RequestRepeated, RunMoved
from palimpsest.domain.ids import KeyId, RunId, SpaceId
from palimpsest.domain.run import Run, RunEvent
from palimpsest.domain.run_plan import PlanItem
from palimpsest.ports.table import Check, Equals, Index, Item, Key, Missing, Put, Query, Table, Write
from palimpsest.stores import keys, run_codec
from palimpsest.stores.codec import Reader
from palimpsest.stores.moves import Guarded

Page: TypeAlias = tuple[PlanItem, ...]
Line: TypeAlias = RunEvent | PlanItem
"""What became of a run, and what became of one item of its plan."""

PAGE_ITEMS = 25
MOST_PAGES = 90
"""Of one move: a transaction has at most 100 writes."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something to be said in a run's log. `by`: the key of the person, if it was one."""

    what: str
    by: KeyId | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """A part of a run's log."""

    lines: tuple[Line, ...]
    next_place: str | None = None


@dataclass(frozen=True, slots=True)
class Moving:
    """What is written with a move of a run.

    Attributes:
        told: The line in its log, if there is one.
        pages: Pages of its plan, by number.
        also: Further writes; the move fails with their conditions.
        answer: The idempotency record of the request.
    """

    told: Told | None = None
    pages: Mapping[int, Page] = field(default_factory=dict)
    also: tuple[Write, ...] = ()
    answer: Put | None = None


@dataclass(frozen=True, slots=True)
class Runs:
    """Reads and moves runs."""

    table: Table

    def begin(self, run: Run, answer: Put | None = None, pages: Sequence[Page] = ()) -> None:
        """A new run, with its plan if that is known; RequestRepeated when the same request was answered meanwhile."""
        event = run_codec.event_item(run.id, RunEvent(run.revision, run.begun_at, "asked", run.by))
        writes: list[Write] = [Put(run_codec.run_item(run), Missing("pk")), Put(event)]
        writes += [Put(run_codec.page_item(run.id, number, page)) for number, page in enumerate(pages)]
        try:
            self.table.transact([*writes, answer] if answer is not None else writes)
        except ConditionFailed as error:
            raise RequestRepeated(error.failed) from error

    def read(self, run: RunId) -> Run | None:
        """The run, strongly read; None when there is none."""
        key = keys.run(run)
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else run_codec.read_run(stored)

    def move(self, before: Run, after: Run, now: datetime, moving: Moving | None = None) -> Run | None:
        """Put `after` in place of `before`, with what goes with it; as it was written.

        None when somebody else has moved the run since it was read, or a condition of the further writes failed.
        """
        moving = moving or Moving()
        moved = replace(after, revision=before.revision + 1, changed_at=instants.to_milliseconds(now))
        writes: list[Write] = [Put(run_codec.run_item(moved), Equals("revision", before.revision))]
        writes += [Put(run_codec.page_item(before.id, number, page)) for number, page in moving.pages.items()]
        if moving.told is not None:
            told = RunEvent(moved.revision, moved.changed_at, moving.told.what, moving.told.by, moving.told.note)
            writes.append(Put(run_codec.event_item(before.id, told)))
        writes += [*moving.also, *([moving.answer] if moving.answer is not None else [])]
        try:
            self.table.transact(writes)
        except ConditionFailed:
            return None
        return moved

    def page(self, run: RunId, number: int) -> Page:
        """The items of a page of the plan, strongly read."""
        key = keys.plan_page(run, number)
        stored = self.table.get([key]).items.get(key)
        return () if stored is None else run_codec.read_page(stored)

    def lines(self, run: RunId, after: str | None, limit: int) -> Lines:
        """At most `limit` lines of a run's log from behind the place `after`: events, then the items of the plan."""
        begin, _, taken = (after or f"{keys.run_events()}#0").rpartition("#")
        skipped = int(taken)
        lines: list[Line] = []
        query = Query(keys.run(run).pk, low=begin, high=keys.plan_end(), consistent=True, limit=limit + 1)
        for stored in self._walk(query):
            place = str(stored["sk"])
            told = run_codec.read_lines(stored)[skipped if place == begin else 0 :]
            room = limit - len(lines)
            lines += told[:room]
            if len(told) > room:
                behind = room + (skipped if place == begin else 0)
                return Lines(tuple(lines), f"{place}#{behind}")
        return Lines(tuple(lines))

    def listed(self, space: SpaceId, before: str | None, limit: int) -> tuple[list[Run], str | None]:
        """At most `limit` runs of a space below the place `before`, newest first, and where the next page begins."""
        query = Query(keys.runs_of(space), index=Index.ONE, descending=True, high=before, limit=limit + 1)
        entries = (Reader(entry) for entry in self._walk(query) if Reader(entry).text("g1sk") != before)
        some = list(islice(entries, limit + 1))
        places = [Key(entry.text("pk"), entry.text("sk")) for entry in some[:limit]]
        found = self.table.get(places).items
        runs = [run_codec.read_run(found[place]) for place in places if place in found]
        return runs, some[limit - 1].text("g1sk") if len(some) > limit else None

    def working(self, limit: int) -> list[RunId]:
        """At most `limit` of the runs that have something to do, those first that have not moved for longest."""
        query = Query(keys.WORKING_RUNS, index=Index.TWO, limit=limit)
        return [RunId(Reader(entry).text("pk").removeprefix("R#")) for entry in islice(self._walk(query), limit)]

    def _walk(self, query: Query) -> Iterator[Item]:
        cursor = None
        while True:
            page = self.table.query(replace(query, after=cursor))
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return


def whole(run: Run, page: Page) -> list[Guarded]:
    """The writes of a run that is over as it begins, with its plan of one page, for the transaction that does it."""
    told = [RunEvent(1, run.begun_at, "asked", run.by), RunEvent(run.revision, run.begun_at, "finished")]
    writes: list[Write] = [Put(run_codec.run_item(run), Missing("pk")), Put(run_codec.page_item(run.id, 0, page))]
    writes += [Put(run_codec.event_item(run.id, each)) for each in told]
    return [(each, HeadMoved) for each in writes]


def fence(run: Run) -> Guarded:
    """Goes into the transaction of each step that a run makes: it fails once the run was stopped or has gone on."""
    return Check(keys.run(run.id), Equals("phase", run.phase)), RunMoved
