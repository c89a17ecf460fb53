"""A PDF is read page by page: headings by their size, paragraphs by their gaps, without what repeats at the edges."""

from __future__ import annotations

import pytest

from palimpsest.adapters.documents.pdf_file import PAGES_LIMIT
from tests.support.pdf_files import Written, page, pdf
from tests.support.reading_files import blocks, reading, refusal

STORY = ["The ingest worker restarts via systemd,", "and whoever is on call is told about it."]


def chapter(number: int) -> list[Written]:
    return [
        ("Runbook of the orchard", 800, 9),
        (f"{number}. Restarting", 770, 20),
        *page(*STORY, "", "After a restart the log is written to the data-", "base and to the archive.", top=740),
        (f"Page {number}", 30, 9),
    ]


def test_headings_paragraphs_and_pages_are_found() -> None:
    content = pdf([chapter(1), chapter(2)], title="Runbook (draft)")

    read = reading("pdf", content)

    assert read.title == "Runbook (draft)"
    assert [(block.page, block.level) for block in read.blocks] == [(1, 1), (1, 0), (1, 0), (2, 1), (2, 0), (2, 0)]
    assert blocks("pdf", content)[:3] == [
        ("h1", "1. Restarting"),
        ("paragraph", "\n".join(STORY)),
        ("paragraph", "After a restart the log is written to the database and to the archive."),
    ]


def test_heads_and_feet_are_kept_where_they_do_not_repeat() -> None:
    said = " ".join(text for _, text in blocks("pdf", pdf([[("Only here", 800, 11), ("12", 30, 9)]])))

    assert said == "Only here"


def test_the_outline_of_a_plain_page_is_read_as_that_of_a_text() -> None:
    content = pdf([page("UMOWA NAJMU", "", "1. Scope", "", "The rent is paid monthly.")])

    assert [kind for kind, _ in blocks("pdf", content)] == ["h1", "h5", "paragraph"]


def test_something_before_the_beginning_is_tolerated() -> None:
    assert blocks("pdf", b"\r\n\r\n" + pdf([page("Hello there")])) == [("paragraph", "Hello there")]


def test_a_name_of_a_file_is_no_title() -> None:
    assert reading("pdf", pdf([page("x")], title="Microsoft Word - draft7.doc")).title is None
    assert reading("pdf", pdf([page("x")])).title is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pdf([page("Secret")], encrypted=True), "encrypted"),
        (b"%PDF-1.7\n" + b"\x00garbage" * 200, "damaged"),
        (b"PK\x03\x04 no PDF", "damaged"),
        (b"", "damaged"),
        (pdf([[], []], padding=5_000), "no_text"),
        (pdf([]), "empty"),
        (pdf([page("Short")] * (PAGES_LIMIT + 1)), "too_many_pages"),
    ],
    ids=["encrypted", "garbage", "zip", "empty", "scanned", "zero pages", "too many pages"],
)
def test_what_can_not_be_read_is_refused(content: bytes, reason: str) -> None:
    assert refusal("pdf", content) == reason


def test_a_page_that_is_cut_off_harms_nobody() -> None:
    content = pdf([page("Hello there")] * 3)

    assert {refusal("pdf", content[:length]) for length in range(20, len(content), 97)} <= {
        "read",
        "damaged",
        "empty",
        "no_text",
    }
