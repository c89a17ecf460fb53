"""The ledger of erased ids: a table that was restored from a backup serves nothing until it has been told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.erasure import Leftovers, remains
from palimpsest.domain.errors import BlobsUnavailable, NotFound, TableBehind
from palimpsest.domain.ids import RootId, VersionRef, erasure_of
from palimpsest.domain.ledger import OVERLAP, Entry, digest_of, first_entry
from palimpsest.ports.table import Put
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import keys
from palimpsest.usecases.serving import Standing
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.failing_blobs import FailingBlobs
from tests.support.installation import OWNER, START, Installation, install
from tests.support.ledgers import APPLY, Backup, apply, entries, finish, in_pages, ledger_of
from tests.unit.jobs.test_erase import WORDS, erase, rich, stored
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


def test_an_erasure_is_in_the_ledger_before_the_tombstone_is_written(memory: Installation, blobs: FailingBlobs) -> None:
    root = rich(memory)
    asked = memory.wired.service.erase(OWNER, VersionRef(root))
    blobs.is_away = True

    with pytest.raises(BlobsUnavailable):
        memory.wired.worker(Work(Job.ERASE, asked.erasure.id), unlimited)

    assert memory.wired.service.erase.receipt(OWNER, asked.erasure.id).erasure.state == "pending"
    blobs.is_away = False
    assert erase(memory, root).erasure.state == "verified"
    assert [entry.digest for entry in entries(blobs)] == [digest_of(root)]


def test_an_entry_holds_a_digest_and_a_time_and_nothing_else(memory: Installation, blobs: FailingBlobs) -> None:
    root = rich(memory)

    erase(memory, root)

    (entry,) = entries(blobs)
    assert START < entry.at < memory.clock.now()
    assert blobs.size(entry.key) == 0
    assert root.removeprefix("mem_") not in entry.key


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("place", ["table", "blobs"])
def test_an_erasure_that_dies_anywhere_leaves_one_entry_or_the_same_twice(
    tmp_path: Path, place: str, is_after: bool
) -> None:
    for operation in range(6 if place == "table" else 1):
        blobs, sqlite = FailingBlobs(BlobFiles(tmp_path / f"ledger-{operation}")), SqliteTable(":memory:")
        table = CrashingTable(sqlite)
        memory = install(tmp_path / f"index-{operation}", table=table, sqlite=sqlite, ledger=blobs)
        root = RootId(memory.save("the vault stands behind peregrine marmalade"))
        asked = memory.wired.service.erase(OWNER, VersionRef(root)).erasure.id
        dying = table if place == "table" else blobs
        dying.crash_at(operation, is_after=is_after)
        with pytest.raises(Crashed):
            memory.wired.worker.slices[Job.ERASE](asked, unlimited)
        dying.live_on()

        memory.wired.worker.slices[Job.ERASE](asked, unlimited)

        assert memory.wired.service.erase.receipt(OWNER, asked).erasure.state == "verified"
        assert {entry.digest for entry in entries(blobs)} == {digest_of(root)}
        assert len(entries(blobs)) <= 2
        assert not ledger_of(memory).compare().lacking
        sqlite.close()


def test_a_restored_table_serves_nothing_until_the_ledger_was_applied(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    root, kept = rich(memory), memory.save("the walrus stays")
    backup = Backup(memory.sqlite)
    erase(memory, root)

    again = backup.restored(tmp_path / "again", blobs, memory.clock)

    with pytest.raises(TableBehind, match="lacks 1 erasures"):
        again.wired.service.serving.require()
    finish(again)
    again.wired.service.serving.require()
    with pytest.raises(NotFound):
        again.wired.service.read(OWNER, VersionRef(root))
    assert again.wired.service.read(OWNER, VersionRef(RootId(kept))).version.number == 1
    assert again.wired.service.erase.receipt(OWNER, erasure_of(root)).erasure.state == "verified"
    assert [word for word in WORDS if word != "walrus" and word in stored(again)] == []
    again.sqlite.close()


def test_work_on_a_restored_table_waits_but_for_what_erases(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    root = rich(memory)
    backup = Backup(memory.sqlite)
    erase(memory, root)
    again = backup.restored(tmp_path / "again", blobs, memory.clock)

    leases, work = again.wired.plan.asking.leases, Work(Job.CHECK_LOGS)
    before = leases.read(work)

    again.wired.plan()
    again.wired.worker(work, unlimited)

    assert waiting(again) == [APPLY]
    assert leases.read(work) == before
    again.sqlite.close()


def test_a_memory_that_the_backup_does_not_have_is_known_to_be_erased_all_the_same(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    backup = Backup(memory.sqlite)
    root = rich(memory)
    erase(memory, root)
    again = backup.restored(tmp_path / "again", blobs, memory.clock)

    apply(again)

    again.wired.service.serving.require()
    assert keys.erased_id(digest_of(root)) in again.table.get([keys.erased_id(digest_of(root))]).items
    again.sqlite.close()


@pytest.mark.parametrize("is_after", [False, True])
def test_a_ledger_whose_application_dies_anywhere_is_applied_by_the_next_one(
    tmp_path: Path, blobs: FailingBlobs, memory: Installation, is_after: bool
) -> None:
    roots = [RootId(memory.save(f"the vault stands behind peregrine number {number}")) for number in range(3)]
    backup = Backup(memory.sqlite)
    for root in roots:
        erase(memory, root)
    operation, is_over = 0, False
    while not is_over:
        sqlite = SqliteTable(":memory:")
        sqlite.write_batch([Put(item) for item in backup.items])
        table = CrashingTable(sqlite)
        again = install(tmp_path / "again", table=table, sqlite=sqlite, ledger=blobs, clock=memory.clock, prepare=False)
        table.crash_at(operation, is_after=is_after)
        try:
            apply(again)
            is_over = True
        except Crashed:
            table.live_on()
            again.wired.service.serving.forget()
            if again.wired.service.serving.standing(older=None) is Standing.BEHIND:
                apply(again)
        table.live_on()

        again.wired.service.serving.require()
        states = {head.state.is_erased for head in again.wired.service.erase.steps.beliefs.heads(roots).values()}
        assert states == {True}
        sqlite.close()
        operation += 1
    assert operation > 10


def test_a_large_table_is_walked_in_slices(memory: Installation, blobs: FailingBlobs, tmp_path: Path) -> None:
    roots = [RootId(memory.save(f"the vault stands behind peregrine number {number}")) for number in range(6)]
    backup = Backup(memory.sqlite)
    for root in (roots[0], roots[-1]):
        erase(memory, root)
    again = backup.restored(tmp_path / "again", blobs, memory.clock)
    job, slices = in_pages(again), 1

    while job("", lambda: 0.0):
        assert not again.wired.service.serving.may_work()
        slices += 1

    assert slices > 1
    heads = again.wired.service.erase.steps.beliefs.heads(roots)
    assert [root for root in roots if heads[root].state.is_erased] == [roots[0], roots[-1]]
    again.sqlite.close()


def test_what_comes_into_the_ledger_during_a_walk_begins_it_anew(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    roots = [RootId(memory.save(f"the vault stands behind peregrine number {number}")) for number in range(6)]
    backup = Backup(memory.sqlite)
    again = backup.restored(tmp_path / "again", blobs, memory.clock)
    job, late = in_pages(again), min(roots)
    erase(memory, max(roots))
    assert job("", lambda: 0.0)

    erase(memory, late)
    while job("", lambda: 0.0):
        pass

    assert again.wired.service.erase.steps.beliefs.heads([late])[late].state.is_erased
    again.sqlite.close()


def test_erasures_never_make_other_processes_think_that_the_table_was_restored(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    other = install(tmp_path / "other", sqlite=memory.sqlite, ledger=blobs, clock=memory.clock, prepare=False)
    standings = []

    def look() -> None:
        other.wired.service.serving.forget()
        standings.append(other.wired.service.serving.standing())

    table = CrashingTable(memory.sqlite)
    for operation in range(8):
        root = RootId(memory.save(f"the vault stands behind number {operation} of the peregrines"))
        memory.wired.service.erase(OWNER, VersionRef(root))
        dying = install(
            tmp_path / f"dying-{operation}", table=table, sqlite=memory.sqlite, ledger=blobs, clock=memory.clock
        )
        table.crash_at(operation, is_after=False)
        with pytest.raises(Crashed):
            dying.wired.worker.slices[Job.ERASE](erasure_of(root), unlimited)
        table.live_on()
        look()
        erase(memory, root)
        look()

    assert set(standings) == {Standing.EVEN}


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
