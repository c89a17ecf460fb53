"""How a process compares the table with the ledger of erased ids, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.erasure import Leftovers, remains
from palimpsest.domain.errors import BlobsUnavailable, TableBehind
from palimpsest.domain.ids import RootId
from palimpsest.domain.ledger import OVERLAP, Entry, digest_of, first_entry
from palimpsest.usecases.serving import Standing
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.failing_blobs import FailingBlobs
from tests.support.installation import START, Installation, install
from tests.support.ledgers import APPLY, Backup, apply, ledger_of
from tests.unit.jobs.test_erase import erase, rich
from tests.unit.jobs.test_plans import waiting
from tests.unit.jobs.test_slices import unlimited


@pytest.fixture
def blobs(tmp_path: Path) -> FailingBlobs:
    return FailingBlobs(BlobFiles(tmp_path / "ledger"))


@pytest.fixture
def memory(tmp_path: Path, blobs: FailingBlobs) -> Iterator[Installation]:
    """An installation whose ledger has begun."""
    made = install(tmp_path / "index", ledger=blobs)
    apply(made)
    yield made
    made.sqlite.close()


def test_an_entry_that_appears_late_is_found_behind_the_mark(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    slow, quick = RootId(memory.save("behind the peregrine")), RootId(memory.save("behind the marmalade"))
    slow_entry = Entry(memory.clock.now(), digest_of(slow))
    memory.clock.turn(OVERLAP - timedelta(minutes=1))
    erase(memory, quick)
    apply(memory)
    backup = Backup(memory.sqlite)
    blobs.put(slow_entry.key, b"")

    again = backup.restored(tmp_path / "again", blobs, memory.clock)

    assert [entry.digest for entry in ledger_of(again).compare().lacking] == [digest_of(slow)]
    again.sqlite.close()


def test_a_clock_that_was_set_back_hides_no_entry(memory: Installation, blobs: FailingBlobs, tmp_path: Path) -> None:
    early, late = RootId(memory.save("behind the peregrine")), RootId(memory.save("behind the marmalade"))
    memory.clock.turn(timedelta(days=400))
    erase(memory, early)
    apply(memory)
    backup = Backup(memory.sqlite)
    memory.clock.turn(timedelta(days=-400))
    erase(memory, late)

    again = backup.restored(tmp_path / "again", blobs, memory.clock)

    assert again.wired.service.serving.standing() is Standing.BEHIND
    again.sqlite.close()


def test_a_table_with_another_ledger_serves_nothing_and_says_what_it_misses(
    memory: Installation, tmp_path: Path
) -> None:
    erase(memory, rich(memory))
    other = BlobFiles(tmp_path / "another")
    again = Backup(memory.sqlite).restored(tmp_path / "again", other, memory.clock)
    other.put(first_entry(START + timedelta(days=9), b"0" * 16).key, b"")

    with pytest.raises(TableBehind, match="it lacks the entry erased/20260301T0900"):
        again.wired.service.serving.require()
    with pytest.raises(TableBehind, match="it lacks the entry"):
        apply(again)
    again.wired.plan()
    assert waiting(again) == []
    again.sqlite.close()


def test_a_ledger_that_can_not_be_read_stops_only_who_has_not_compared(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    memory.wired.service.serving.require()
    cold = Backup(memory.sqlite).restored(tmp_path / "again", blobs, memory.clock)
    blobs.is_away = True
    memory.clock.turn(timedelta(hours=1))

    memory.wired.service.serving.require()
    memory.wired.plan()
    with pytest.raises(BlobsUnavailable):
        cold.wired.service.serving.require()

    blobs.is_away = False
    cold.wired.service.serving.require()
    cold.sqlite.close()


def test_a_process_compares_once_with_one_list_and_no_read_of_a_blob(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    erase(memory, rich(memory))
    cold = Backup(memory.sqlite).restored(tmp_path / "again", blobs, memory.clock)
    blobs.calls.clear()

    for _ in range(3):
        cold.wired.service.serving.require()
        memory.clock.turn(timedelta(days=1))

    assert blobs.calls == ["list"]
    cold.sqlite.close()


def test_a_plan_moves_the_mark_on_so_that_comparing_stays_short(memory: Installation, blobs: FailingBlobs) -> None:
    for number in range(60):
        ledger_of(memory).note(RootId(f"mem_{number:026d}"))
    memory.clock.turn(timedelta(hours=1))
    assert ledger_of(memory).compare().unmarked == 60

    memory.wired.plan()
    asked = waiting(memory)
    for work in asked:
        memory.wired.worker(work, unlimited)

    assert APPLY in asked
    assert ledger_of(memory).compare().unmarked == 0
    memory.clock.turn(timedelta(hours=1))
    memory.wired.plan()
    assert APPLY not in waiting(memory)


def test_a_ledger_that_two_processes_begin_is_one_ledger(tmp_path: Path, blobs: FailingBlobs) -> None:
    memory = install(tmp_path / "index", ledger=blobs)
    ledger_of(memory).begin()
    blobs.put(first_entry(memory.clock.now(), b"1" * 16).key, b"")

    assert memory.wired.service.serving.standing() is Standing.EVEN
    memory.sqlite.close()


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("place", ["table", "blobs"])
def test_a_ledger_whose_beginning_dies_begins_again(tmp_path: Path, place: str, is_after: bool) -> None:
    blobs, sqlite = FailingBlobs(BlobFiles(tmp_path / "ledger")), SqliteTable(":memory:")
    table = CrashingTable(sqlite)
    memory = install(tmp_path / "index", table=table, sqlite=sqlite, ledger=blobs)
    dying = table if place == "table" else blobs
    dying.crash_at(1, is_after=is_after)
    with pytest.raises(Crashed):
        apply(memory)
    dying.live_on()

    apply(memory)

    memory.wired.service.serving.require()
    assert ledger_of(memory).compare().mark is not None
    sqlite.close()


def test_what_others_put_beside_the_entries_is_passed_over(memory: Installation, blobs: FailingBlobs) -> None:
    for key in ("erased/README", "erased/20261399T000000000Z-" + "a" * 64, "erased/20260301T090000000Z-short"):
        blobs.put(key, b"")

    assert memory.wired.service.serving.standing() is Standing.EVEN


def test_the_receipt_names_the_ledger(tmp_path: Path) -> None:
    memory = install(tmp_path)
    receipt = erase(memory, rich(memory))
    keeps = timedelta(days=1)

    told = remains(receipt.erasure, Leftovers(has_ledger=True), log=keeps, requests=keeps)

    assert [(each.where, each.holds, each.until) for each in told][-2:] == [
        ("ledger", "ids", None),
        ("tombstone", "ids", None),
    ]
    memory.sqlite.close()
