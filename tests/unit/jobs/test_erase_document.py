"""Erase of a document: chunks, originals, entries and what was learned from it go, and a receipt says so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotAllowed, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import DocumentId, KeyId, RootId, VersionRef
from palimpsest.domain.ledger import digest_of
from palimpsest.domain.source import Trust
from palimpsest.ports.table import Key
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import derivations, keys
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.erase import Receipt
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.failing_blobs import FailingBlobs
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import InterposingTable
from tests.support.ledgers import Backup, apply, entries, finish
from tests.unit.jobs.test_slices import unlimited

PATH = "ops/zanzibar.md"
TEXT = """# Zanzibar

## Vault

The vault stands behind peregrine marmalade.

## Larder

The larder opens for voles at four.
"""
WORDS = ("zanzibar", "peregrine", "marmalade", "larder", "vole")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    made = install(tmp_path)
    yield made
    made.sqlite.close()


def send(memory: Installation, text: str = TEXT, path: str = PATH) -> DocumentId:
    document = memory.wired.service.add_document(OWNER, Sending(path, text.encode())).document.id
    memory.wired.worker(Work(Job.INGEST, document), unlimited)
    memory.index()
    return document


def erase(memory: Installation, document: DocumentId) -> Receipt:
    asked = memory.wired.service.erase_document(OWNER, document)
    memory.wired.worker(Work(Job.ERASE, asked.erasure.id), unlimited)
    return memory.wired.service.erase.receipt(OWNER, asked.erasure.id)


def recalled(memory: Installation) -> int:
    return len(memory.wired.service.recall(OWNER, RecallQuery("what stands behind the vault")).hits)


def texts(memory: Installation) -> str:
    return repr(memory.sqlite.scan().items).lower()


def kinds(memory: Installation) -> set[str | None]:
    items = memory.sqlite.scan().items
    return {keys.kind(Key(str(item["pk"]), str(item["sk"]))) for item in items}


def test_nothing_is_left_of_an_erased_document_and_its_receipt_counts_what_went(
    memory: Installation, tmp_path: Path
) -> None:
    document = send(memory)
    send(memory, TEXT.replace("at four", "at five"))

    receipt = erase(memory, document)

    assert (receipt.erasure.state, receipt.erasure.document, receipt.space) == ("verified", document, "default")
    assert dict(receipt.erasure.removed) == {
        "document_path": 1, "original": 1, "chunk": 2, "chunk_vectors": 2, "entry": 2, "manifest": 1
    }  # fmt: skip
    assert not [word for word in WORDS if word in texts(memory)]
    assert not {"chunk", "chunk_vectors", "manifest", "document_path"} & kinds(memory)
    assert not [each for each in (tmp_path / "documents").rglob("*") if each.is_file()]
    assert recalled(memory) == 0
    memory.index()
    assert recalled(memory) == 0


@pytest.mark.parametrize("is_done", [False, True])
def test_whatever_names_an_erased_document_is_not_found(memory: Installation, is_done: bool) -> None:
    document = send(memory)
    service = memory.wired.service
    erase(memory, document) if is_done else service.erase_document(OWNER, document)

    for verb in (
        lambda: service.library.show(OWNER, document),
        lambda: service.library.chunks_of(OWNER, document),
        lambda: service.library.original(OWNER, document),
        lambda: service.library.forget(OWNER, document),
        lambda: service.library.restore(OWNER, document),
    ):
        with pytest.raises(NotFound):
            verb()
    assert service.library.page(OWNER, space=None).documents == ()
    assert recalled(memory) == 0


def test_only_an_owner_erases_and_only_in_spaces_that_the_key_may_enter(memory: Installation) -> None:
    document = send(memory)
    erase_document = memory.wired.service.erase_document

    with pytest.raises(NotAllowed):
        erase_document(Caller(KeyId("w"), Role.WRITER, spaces=None, max_trust=Trust.A2), document)
    stranger = Caller(KeyId("o"), Role.OWNER, spaces=("elsewhere",), max_trust=Trust.A1)
    with pytest.raises(NotFound):
        erase_document(stranger, document)
    begun = erase_document(OWNER, document, Idempotency("e", b"1"))
    with pytest.raises(NotFound):
        erase_document(stranger, document)
    assert erase_document(OWNER, document, Idempotency("e", b"1")) == begun


def test_its_path_is_free_at_once_and_what_is_sent_there_has_nothing_to_do_with_it(memory: Installation) -> None:
    document = send(memory)
    memory.wired.service.erase_document(OWNER, document)

    again = send(memory)
    erase(memory, document)

    assert again != document
    assert memory.wired.service.library.show(OWNER, again).document.chunk_count == 2
    assert send(memory) == again


def test_a_retry_of_a_request_whose_document_is_erased_is_told_so(memory: Installation) -> None:
    add, sending = memory.wired.service.add_document, Sending(PATH, TEXT.encode())
    erase(memory, add(OWNER, sending, Idempotency("1", b"x")).document.id)

    with pytest.raises(WrongState):
        add(OWNER, sending, Idempotency("1", b"x"))


def test_what_was_learned_from_it_is_forgotten_with_it(memory: Installation) -> None:
    document = send(memory)
    learned = RootId(memory.save("Voles open the larder"))
    memory.table.write(derivations.put(learned, document))

    receipt = erase(memory, document)

    assert list(receipt.erasure.hidden) == [learned]
    with pytest.raises(NotFound):
        memory.wired.service.read(OWNER, VersionRef(learned))


def test_a_forgotten_document_is_erased_by_itself_when_its_window_is_over(memory: Installation) -> None:
    document = send(memory)
    memory.wired.service.library.forget(OWNER, document)

    memory.clock.turn(timedelta(days=29))
    finish(memory)
    assert "peregrine" in texts(memory)

    memory.clock.turn(timedelta(days=1))
    finish(memory)
    assert not [word for word in WORDS if word in texts(memory)]
    assert kinds(memory) >= {"erasure", "document"}


def test_what_was_on_its_way_and_what_was_to_be_cleared_goes_too(memory: Installation, tmp_path: Path) -> None:
    document = send(memory)
    calls = count()
    many = "\n\n".join(f"# Part {number}\n\nA vole walks {number} steps." for number in range(150))
    memory.wired.service.add_document(OWNER, Sending(PATH, many.encode()))
    memory.wired.worker(Work(Job.INGEST, document), lambda: 100.0 if next(calls) < 2 else 0.0)
    assert memory.wired.service.library.show(OWNER, document).document.state == "reading"

    receipt = erase(memory, document)

    assert receipt.erasure.removed["chunk"] == 102
    assert not [word for word in WORDS if word in texts(memory)]
    assert not [each for each in (tmp_path / "documents").rglob("*") if each.is_file()]


def test_an_erasure_waits_for_a_worker_that_still_reads(memory: Installation) -> None:
    document = send(memory)
    service, worker = memory.wired.service, memory.wired.worker
    now = memory.clock.now()
    lease = worker.leases.take(Work(Job.INGEST, document), now, now + timedelta(minutes=2))
    assert lease is not None

    assert erase(memory, document).erasure.progress.done == 0
    worker.leases.end(lease, memory.clock.now(), timedelta(0))
    memory.clock.turn(timedelta(seconds=10))
    assert erase(memory, document).erasure.state == "verified"
    assert service.erase_document(OWNER, document).erasure.state == "verified"


def test_what_is_sent_while_its_document_is_erased_is_another_document_and_leaves_no_bytes(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    document = send(memory)
    table.interpose(lambda name, call: name == "transact", lambda: erase(memory, document))

    again = send(memory, "# Another\n\nSomething else.")

    assert again != document
    kept = [each.as_posix() for each in (tmp_path / "documents").rglob("*") if each.is_file()]
    assert len(kept) == 1
    assert again in kept[0]
    sqlite.close()


@pytest.mark.parametrize("is_after", [False, True])
def test_an_erasure_that_dies_anywhere_is_finished_and_counts_once(tmp_path: Path, is_after: bool) -> None:
    operation, died = 0, True
    while died:
        sqlite = SqliteTable(":memory:")
        table = CrashingTable(sqlite)
        memory = install(tmp_path / f"{operation}-{is_after}", table=table, sqlite=sqlite)
        asked = memory.wired.service.erase_document(OWNER, send(memory)).erasure.id
        table.crash_at(operation, is_after=is_after)
        try:
            memory.wired.worker.slices[Job.ERASE](asked, unlimited)
        except Crashed:
            table.live_on()
        else:
            died = False
            table.live_on()
        memory.wired.worker.slices[Job.ERASE](asked, unlimited)

        erasure = memory.wired.service.erase.receipt(OWNER, asked).erasure
        assert (erasure.state, erasure.removed["chunk"], erasure.removed["entry"]) == ("verified", 2, 2)
        assert not [word for word in WORDS if word in texts(memory)]
        assert not {"chunk", "manifest"} & kinds(memory)
        sqlite.close()
        operation += 3
    assert operation > 20


def test_a_restored_table_erases_the_document_again(tmp_path: Path) -> None:
    blobs = FailingBlobs(BlobFiles(tmp_path / "ledger"))
    memory = install(tmp_path / "a", ledger=blobs)
    apply(memory)
    document = send(memory)
    backup = Backup(memory.table)
    erase(memory, document)
    memory.sqlite.close()

    restored = backup.restored(tmp_path / "a", blobs, memory.clock)
    apply(restored)
    finish(restored)

    assert [entry.digest for entry in entries(blobs)] == [digest_of(document)]
    assert not [word for word in WORDS if word in texts(restored)]
    restored.sqlite.close()
