"""Ledgers of erased ids in tests: applied to the end, and held against tables that were restored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.ledger import PREFIX, Entry, parse_entry
from palimpsest.jobs.apply_ledger import ApplyLedger
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.table import Item, Put, WholeTable
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.stores.ledger import Ledger
from tests.support.failing_blobs import FailingBlobs
from tests.support.installation import Installation, TurnedClock, install

APPLY = Work(Job.APPLY_LEDGER)


def unlimited() -> float:
    return 1e9


def waiting(memory: Installation) -> list[Work]:
    """The messages that wait, without their being worked on."""
    taken = []
    while (delivered := memory.queue.take(0.0)) is not None:
        taken.append(read(delivered.body))
    return taken


def apply(memory: Installation) -> None:
    """What the worker does, to the end."""
    while memory.wired.worker.slices[Job.APPLY_LEDGER]("", unlimited):
        pass


def in_pages(memory: Installation) -> ApplyLedger:
    """The job, which looks at the time after a few items."""
    assert memory.wired.apply_ledger is not None
    return replace(memory.wired.apply_ledger, page=5)


def ledger_of(memory: Installation) -> Ledger:
    assert memory.wired.apply_ledger is not None
    return memory.wired.apply_ledger.ledger


def entries(blobs: FailingBlobs) -> list[Entry]:
    """Those about memories."""
    found = map(parse_entry, blobs.list(PREFIX).keys)
    return [entry for entry in found if entry is not None and not entry.is_first]


def everything(table: WholeTable) -> Iterator[Item]:
    page = table.scan()
    yield from page.items
    while page.next_cursor is not None:
        page = table.scan(after=page.next_cursor)
        yield from page.items


class Backup:
    """A copy of the table, as it was."""

    def __init__(self, table: WholeTable) -> None:
        self.items = list(everything(table))

    def restored(self, folder: Path, blobs: Blobs | None, clock: TurnedClock) -> Installation:
        """A new process over a table that has what the old one had, and nothing else."""
        sqlite = SqliteTable(":memory:")
        sqlite.write_batch([Put(item) for item in self.items])
        return install(folder, sqlite=sqlite, ledger=blobs, clock=clock, prepare=False)


def finish(memory: Installation) -> None:
    """All that plans ask for, until nothing is left to do."""
    for _ in range(8):
        memory.wired.plan()
        for work in waiting(memory):
            memory.wired.worker(work, unlimited)
        memory.clock.turn(timedelta(minutes=20))
