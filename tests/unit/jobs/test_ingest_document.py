"""A document that was sent is read in the background, found by recall, and kept the same where it says the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.document import DocumentState
from palimpsest.domain.errors import Invalid, NotFound, TableUnavailable
from palimpsest.domain.ids import DocumentId
from palimpsest.ports.work_queue import Job, Work
from palimpsest.usecases.add_document import Added, DocumentAdded, Sending
from palimpsest.usecases.answers import ContextHit, RecallQuery
from tests.support.docx_files import docx, paragraph
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.support.pdf_files import page, pdf

RUNBOOK = """# Runbook

## Restart

The ingest worker restarts via systemd.

## Backup

Backups of the orchard database run at four in the morning.
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def send(memory: Installation, text: str) -> DocumentAdded:
    added = memory.wired.service.add_document(OWNER, Sending("ops/runbook.md", text.encode()))
    work(memory, added.document.id)
    return added


def work(memory: Installation, document: DocumentId, seconds: float = 1_000) -> None:
    memory.wired.worker(Work(Job.INGEST, document), lambda: seconds)
    memory.index()


def found(memory: Installation, query: str) -> list[ContextHit]:
    recalled = memory.wired.service.recall(OWNER, RecallQuery(query))
    return [hit for hit in recalled.hits if isinstance(hit, ContextHit)]


def texts(memory: Installation, document: DocumentId) -> list[str]:
    listed = memory.wired.service.library.chunks_of(OWNER, document, limit=200)
    return [shown.chunk.text for shown in listed.chunks]


def ids(memory: Installation, document: DocumentId) -> list[str]:
    return [shown.chunk.id for shown in memory.wired.service.library.chunks_of(OWNER, document, limit=200).chunks]


def test_a_document_is_read_shown_and_found_under_its_headings(memory: Installation) -> None:
    added = send(memory, RUNBOOK)
    shown = memory.wired.service.library.show(OWNER, added.document.id).document

    assert (added.outcome, added.document.state) == (Added.ADDED, DocumentState.QUEUED)
    assert (shown.state, shown.chunk_count, shown.title) == (DocumentState.READY, 2, "runbook.md")
    first = found(memory, "how does the worker restart")[0]
    assert first.chunk.text == "The ingest worker restarts via systemd."
    assert first.chunk.breadcrumb == ("Runbook", "Restart")
    assert (first.position, first.document.path) == (0, "ops/runbook.md")
    assert found(memory, "Backup runbook")[0].chunk.breadcrumb == ("Runbook", "Backup")


def test_what_is_sent_again_unchanged_is_not_read_again(memory: Installation) -> None:
    added = send(memory, RUNBOOK)

    again = send(memory, RUNBOOK)

    assert (again.outcome, again.document.revision) == (Added.UNCHANGED, 4)
    assert again.document.id == added.document.id


def test_a_chunk_that_says_the_same_keeps_its_id_and_is_not_embedded_again(memory: Installation) -> None:
    document = send(memory, RUNBOOK).document.id
    before = ids(memory, document)

    changed = RUNBOOK.replace("# Runbook\n", "# Runbook\n\nAn introduction.\n", 1).replace("four", "five")
    assert send(memory, changed).outcome is Added.UPDATED

    after = ids(memory, document)
    assert texts(memory, document) == [
        "An introduction.",
        "The ingest worker restarts via systemd.",
        "Backups of the orchard database run at five in the morning.",
    ]
    assert after[1] == before[0]
    assert before[1] not in after
    assert memory.wired.service.library.chunks.find([before[1]]) == {}  # type: ignore[list-item]
    assert found(memory, "worker restarts via systemd")[0].position == 1
    assert not [hit for hit in found(memory, "backups at four in the morning") if "four" in hit.chunk.text]


def test_a_document_of_many_parts_is_read_slice_by_slice(memory: Installation) -> None:
    text = "\n\n".join(f"# Part {number}\n\nThe {number}th orchard has {number} trees." for number in range(350))
    added = memory.wired.service.add_document(OWNER, Sending("orchards.md", text.encode()))

    slices = 0
    while memory.wired.service.library.show(OWNER, added.document.id).document.has_work:
        memory.wired.worker(Work(Job.INGEST, added.document.id), time_for_one_part())
        slices += 1

    assert slices == 5
    shown = memory.wired.service.library.show(OWNER, added.document.id).document
    assert (shown.state, shown.chunk_count) == (DocumentState.READY, 350)
    assert texts(memory, added.document.id)[:2] == ["The 0th orchard has 0 trees.", "The 1th orchard has 1 trees."]


def time_for_one_part() -> Callable[[], float]:
    left = iter([1_000.0, 1_000.0])
    return lambda: next(left, 0.0)


def test_the_edition_before_is_shown_until_the_next_one_is_whole(memory: Installation) -> None:
    document = send(memory, RUNBOOK).document.id
    memory.wired.service.add_document(OWNER, Sending("ops/runbook.md", b"# Nothing\n\nAll is new here."))

    assert texts(memory, document)[0] == "The ingest worker restarts via systemd."
    assert found(memory, "worker restarts")
    work(memory, document)

    assert texts(memory, document) == ["All is new here."]
    assert not [hit for hit in found(memory, "worker restarts") if "systemd" in hit.chunk.text]


def test_a_page_is_read_as_html_and_found(memory: Installation) -> None:
    page = b"<title>Ops</title><nav>Menu</nav><h1>Restart</h1><p>The ingest worker restarts via systemd.</p>"
    document = memory.wired.service.add_document(OWNER, Sending("ops.html", page)).document
    work(memory, document.id)

    assert document.arrived.original.media_type == "text/html"
    assert texts(memory, document.id) == ["The ingest worker restarts via systemd."]
    assert found(memory, "worker restarts")[0].chunk.breadcrumb == ("Restart",)


def test_a_file_of_another_format_fails_alone_and_says_why(memory: Installation) -> None:
    good = send(memory, RUNBOOK).document.id
    bad = memory.wired.service.add_document(OWNER, Sending("../../a.json", b"%PDF-1.7")).document.id
    work(memory, bad)

    shown = memory.wired.service.library.show(OWNER, bad).document
    assert (shown.state, shown.arrival and shown.arrival.failure) == (DocumentState.FAILED, "damaged")
    assert len(texts(memory, good)) == 2


def test_what_nobody_reads_is_refused(memory: Installation) -> None:
    with pytest.raises(Invalid, match="media type"):
        memory.wired.service.add_document(OWNER, Sending("a.png", b"x", media_type="image/png"))


@pytest.mark.parametrize("content", [b"", b" \n\t\r\n "])
@pytest.mark.parametrize("path", ["a.md", "a.txt", "a.html", "a.csv", "a.json", "a.pdf"])
def test_what_is_nothing_but_white_space_is_refused(memory: Installation, path: str, content: bytes) -> None:
    with pytest.raises(Invalid, match="the document is empty"):
        memory.wired.service.add_document(OWNER, Sending(path, content))


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.md", b"---\nauthor: Ola\n---\n"),
        ("a.md", b"***\n"),
        ("a.txt", "\ufeff\u00a0\u3000\n".encode()),
        ("a.html", b"<p>\xc2\xa0</p>"),
        ("a.json", b"{}"),
        ("a.docx", docx(paragraph(" "))),
        ("a.pdf", pdf([page()])),
    ],
)
def test_a_document_that_turns_out_to_have_no_text_fails(memory: Installation, path: str, content: bytes) -> None:
    document = memory.wired.service.add_document(OWNER, Sending(path, content)).document.id
    work(memory, document)

    shown = memory.wired.service.library.show(OWNER, document).document
    assert (shown.state, shown.failure) == (DocumentState.FAILED, "no_text")


def test_what_is_no_text_fails_and_the_edition_before_stays(memory: Installation) -> None:
    document = send(memory, RUNBOOK).document.id

    memory.wired.service.add_document(OWNER, Sending("ops/runbook.md", b"\xff\xfe broken"))
    work(memory, document)

    shown = memory.wired.service.library.show(OWNER, document).document
    assert (shown.state, shown.arrival and shown.arrival.failure) == (DocumentState.FAILED, "not_utf8")
    assert len(texts(memory, document)) == 2


def test_personal_data_and_secrets_of_a_document_are_in_no_chunk(memory: Installation) -> None:
    document = send(memory, "Call +48 601 234 567 or write to ola@example.com. password: hunter2-Secret").document.id

    (text,) = texts(memory, document)
    assert "601" not in text
    assert "ola@" not in text
    assert "hunter2" not in text


def test_a_forgotten_document_is_nowhere_and_restored_it_is_there_again(memory: Installation) -> None:
    library = memory.wired.service.library
    document = send(memory, RUNBOOK).document.id

    library.forget(OWNER, document)

    assert found(memory, "worker restarts via systemd") == []
    assert library.page(OWNER, space=None).documents == ()
    with pytest.raises(NotFound):
        library.show(OWNER, document)
    library.restore(OWNER, document)
    assert found(memory, "worker restarts via systemd")


def test_the_index_is_built_anew_with_all_chunks(memory: Installation) -> None:
    send(memory, RUNBOOK)

    memory.wired.build_index.begin()
    memory.wired.build_index.finish()

    assert found(memory, "worker restarts via systemd")[0].why[0] in ("keyword", "vector")


def test_chunks_whose_doorbell_was_lost_are_found_by_the_daily_look(memory: Installation) -> None:
    added = memory.wired.service.add_document(OWNER, Sending("ops/runbook.md", RUNBOOK.encode()))
    memory.wired.worker(Work(Job.INGEST, added.document.id), lambda: 1_000)
    memory.doorbells()
    assert found(memory, "worker restarts via systemd") == []

    memory.clock.turn(timedelta(days=2))
    memory.wired.worker(Work(Job.CHECK_LOGS), lambda: 1_000)
    memory.wired.worker(Work(Job.CATCH_UP), lambda: 1_000)

    assert found(memory, "worker restarts via systemd")


@pytest.mark.parametrize("at", range(14))
def test_a_crash_at_any_write_leaves_no_trace_once_it_went_on(tmp_path: Path, at: int) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    document = send(memory, RUNBOOK).document.id
    kept = ids(memory, document)[0]
    memory.wired.service.add_document(OWNER, Sending("ops/runbook.md", RUNBOOK.replace("four", "five").encode()))
    writes = count()

    def crash() -> None:
        raise TableUnavailable("a crash")

    def is_the_one(name: str, call: Call) -> bool:
        is_lease = "WORK" in str(call)
        return name in ("write", "transact", "write_batch") and not is_lease and next(writes) == at

    table.interpose(is_the_one, crash)
    with suppress(TableUnavailable):
        work(memory, document)
    memory.clock.turn(timedelta(minutes=20))
    work(memory, document)

    assert ids(memory, document)[0] == kept
    assert texts(memory, document)[1] == "Backups of the orchard database run at five in the morning."
    stored = [str(item["pk"]) for item in sqlite.scan().items]
    assert len([pk for pk in stored if pk.startswith("Q#")]) == 4
    assert {str(item["sk"]) for item in sqlite.scan().items if str(item["pk"]).startswith("D#")} == {
        "D",
        "G#00000002#000000",
    }
    assert [hit.chunk.text for hit in found(memory, "backups of the orchard database")][:1] == [
        "Backups of the orchard database run at five in the morning."
    ]
    sqlite.close()
