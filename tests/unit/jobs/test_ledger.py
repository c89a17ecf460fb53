"""The ledger of erased ids: a table that was restored from a backup serves nothing until it has been told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import BlobsUnavailable, NotFound, TableBehind
from palimpsest.domain.ids import RootId, VersionRef, erasure_of
from palimpsest.domain.ledger import digest_of
from palimpsest.ports.table import Key, Put
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import keys
from palimpsest.usecases.serving import Standing
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.failing_blobs import FailingBlobs
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import Call, InterposingTable
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


def test_erasures_that_go_on_meanwhile_do_not_begin_the_walk_anew(
    memory: Installation, blobs: FailingBlobs, tmp_path: Path
) -> None:
    roots = [RootId(memory.save(f"the vault stands behind peregrine number {number}")) for number in range(6)]
    backup = Backup(memory.sqlite)
    for root in roots:
        erase(memory, root)
    again = backup.restored(tmp_path / "again", blobs, memory.clock)
    job, reached = in_pages(again), [""]

    while job("", lambda: 0.0):
        for work in waiting(again):
            again.wired.worker(work, unlimited)
        cursor = ledger_of(again).reached(ledger_of(again).compare())
        assert cursor is not None
        reached.append(cursor.pk)

    assert reached == sorted(reached)
    assert len(entries(blobs)) == len(roots)
    again.sqlite.close()


def test_two_workers_at_once_leave_one_memory_in_the_ledger(tmp_path: Path, blobs: FailingBlobs) -> None:
    for name in ("get", "write"):
        sqlite = SqliteTable(":memory:")
        table = InterposingTable(sqlite)
        memory = install(tmp_path / name, table=table, sqlite=sqlite, ledger=blobs)
        root = RootId(memory.save(f"the vault stands behind the {name}"))
        asked = memory.wired.service.erase(OWNER, VersionRef(root)).erasure.id
        table.interpose(touches(name, root), lambda: memory.wired.worker.slices[Job.ERASE](asked, unlimited))  # noqa: B023

        memory.wired.worker.slices[Job.ERASE](asked, unlimited)

        assert {entry.digest for entry in entries(blobs)} >= {digest_of(root)}
        assert sum(entry.digest == digest_of(root) for entry in entries(blobs)) <= 2
        assert ledger_of(memory).compare().mark is None
        assert memory.wired.service.erase.receipt(OWNER, asked).erasure.state == "verified"
        sqlite.close()


def touches(name: str, root: RootId) -> Callable[[str, Call], bool]:
    """Calls of that name about the digest of a memory."""
    place = keys.erased_id(digest_of(root))

    def picks(called: str, call: Call) -> bool:
        about = [Key(str(call.item["pk"]), str(call.item["sk"]))] if isinstance(call, Put) else call
        return called == name and isinstance(about, list) and place in about

    return picks


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
