"""Uploads: an address that only its upload's bytes open, and bytes that become a document once they are there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.api.work import arrival
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, NotAllowed, NotFound, TooLong
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, UploadId
from palimpsest.domain.source import Trust
from palimpsest.domain.upload import Upload
from palimpsest.ports.work_queue import Job, Work
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.upload_document import Announced, UploadBegun
from tests.support.installation import OWNER, Installation, install
from tests.support.ledgers import finish

TEXT = b"# Tides\n\nThe harbour master keeps the tide tables in the loft.\n"
ANNOUNCED = Announced("ops/tides.md", len(TEXT))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    made = install(tmp_path)
    yield made
    made.sqlite.close()


def begin(memory: Installation, announced: Announced = ANNOUNCED) -> UploadBegun:
    return memory.wired.service.upload_document(OWNER, announced)


def put(memory: Installation, begun: UploadBegun, content: bytes = TEXT, size: int | None = None) -> None:
    length = len(content) if size is None else size
    memory.wired.service.upload_document.put(begun.upload.id, begun.place.url, length, [content[:9], content[9:]])


def receive(memory: Installation, upload: UploadId) -> Upload:
    memory.wired.worker(Work(Job.RECEIVE, upload), lambda: 1_000.0)
    return memory.wired.service.upload_document.show(OWNER, upload)


def blobs(folder: Path) -> list[str]:
    return [each.as_posix() for each in (folder / "documents").rglob("*") if each.is_file()]


def test_what_was_uploaded_is_read_like_any_document(memory: Installation, tmp_path: Path) -> None:
    begun = begin(memory)
    put(memory, begun)

    received = receive(memory, begun.upload.id)

    assert received.document is not None
    memory.wired.worker(Work(Job.INGEST, received.document), lambda: 1_000.0)
    shown = memory.wired.service.library.show(OWNER, received.document).document
    assert (received.outcome, received.path, shown.path, shown.state) == ("added", "", "ops/tides.md", "ready")
    _, content = memory.wired.service.library.original(OWNER, received.document)
    assert b"".join(content) == TEXT
    assert not [each for each in blobs(tmp_path) if "uploads" in each]
    assert receive(memory, begun.upload.id) == received


def test_what_is_the_same_as_before_is_unchanged(memory: Installation) -> None:
    added = memory.wired.service.add_document(OWNER, Sending("ops/tides.md", TEXT))
    begun = begin(memory)
    put(memory, begun)

    received = receive(memory, begun.upload.id)

    assert (received.document, received.outcome) == (added.document.id, "unchanged")


@pytest.mark.parametrize(
    ("announced", "error"),
    [
        (replace(ANNOUNCED, size=1_000_000_000), TooLong),
        (replace(ANNOUNCED, media_type="image/png"), Invalid),
        (replace(ANNOUNCED, path="a\0b"), Invalid),
    ],
)
def test_what_could_not_be_kept_gets_no_address(memory: Installation, announced: Announced, error: type) -> None:
    with pytest.raises(error):
        begin(memory, announced)


def test_bytes_that_are_more_or_fewer_than_was_announced_leave_nothing(memory: Installation, tmp_path: Path) -> None:
    begun = begin(memory)
    touched: list[bytes] = []

    def content() -> Iterator[bytes]:
        touched.append(b"")
        yield TEXT

    with pytest.raises(TooLong):
        memory.wired.service.upload_document.put(begun.upload.id, begun.place.url, 1_000_000_000, content())
    assert touched == []
    with pytest.raises(TooLong):
        put(memory, begun, TEXT + b"x", size=len(TEXT))
    with pytest.raises(Invalid):
        put(memory, begun, TEXT[:-1])
    assert blobs(tmp_path) == []
    assert receive(memory, begun.upload.id).state == "waiting"


def test_only_its_own_address_takes_the_bytes_and_only_in_its_time(memory: Installation) -> None:
    begun, other = begin(memory), begin(memory)
    take = memory.wired.service.upload_document.put

    for url in (other.place.url, begun.place.url[:-1], f"{begun.place.url}0", ""):
        with pytest.raises(NotFound):
            take(begun.upload.id, url, len(TEXT), [TEXT])
    with pytest.raises(NotFound):
        take(UploadId("upl_none"), begun.place.url, len(TEXT), [TEXT])
    memory.clock.turn(timedelta(hours=1))
    with pytest.raises(NotFound):
        put(memory, begun)


def test_an_address_holds_for_an_upload_as_the_table_has_it_which_knows_no_microseconds(memory: Installation) -> None:
    memory.clock.turn(timedelta(microseconds=123))
    begun = begin(memory)

    put(memory, begun)

    assert receive(memory, begun.upload.id).state == "received"


def test_what_never_comes_is_cleared_away_when_its_time_is_over(memory: Installation) -> None:
    begun = begin(memory)

    assert receive(memory, begun.upload.id).state == "waiting"
    memory.clock.turn(timedelta(hours=2))
    finish(memory)

    failed = memory.wired.service.upload_document.show(OWNER, begun.upload.id)
    assert (failed.state, failed.failure, failed.path) == ("failed", "not_arrived", "")


def test_what_came_and_was_not_told_of_is_taken_in_when_its_time_is_over(memory: Installation) -> None:
    begun = begin(memory)
    memory.wired.service.add_document.blobs.put(begun.upload.blob, TEXT)

    memory.clock.turn(timedelta(hours=2))
    finish(memory)

    assert memory.wired.service.upload_document.show(OWNER, begun.upload.id).outcome == "added"


def test_bytes_of_no_upload_are_deleted(memory: Installation, tmp_path: Path) -> None:
    memory.wired.service.add_document.blobs.put("documents/uploads/upl_01JA00000000000000VNKN0WN0", TEXT)

    memory.wired.worker(Work(Job.RECEIVE, "upl_01JA00000000000000VNKN0WN0"), lambda: 1_000.0)

    assert blobs(tmp_path) == []


def test_a_retry_gives_the_same_upload(memory: Installation) -> None:
    upload_document = memory.wired.service.upload_document

    first, again = (upload_document(OWNER, ANNOUNCED, Idempotency("1", b"x")) for _ in range(2))

    assert first == again
    assert upload_document(OWNER, ANNOUNCED, Idempotency("2", b"x")).upload.id != first.upload.id


def test_an_upload_is_a_writers_and_shown_to_nobody_outside_of_its_space(memory: Installation) -> None:
    begun = begin(memory)
    upload_document = memory.wired.service.upload_document

    with pytest.raises(NotAllowed):
        upload_document(Caller(KeyId("r"), Role.READER, spaces=None), ANNOUNCED)
    stranger = Caller(KeyId("w"), Role.WRITER, spaces=("elsewhere",), max_trust=Trust.A1)
    with pytest.raises(NotFound):
        upload_document.show(stranger, begun.upload.id)


def test_the_word_that_s3_has_an_upload_asks_for_it_and_other_words_do_not() -> None:
    body = '{"source": "aws.s3", "detail": {"object": {"key": "documents/uploads/upl_01JA00000000000000000VP0AD"}}}'

    assert arrival(body) == Work(Job.RECEIVE, "upl_01JA00000000000000000VP0AD")
    for other in (body.replace("uploads/", "other/"), body.replace("aws.s3", "me"), "[]", "{", '{"source": "aws.s3"}'):
        assert arrival(other) is None
