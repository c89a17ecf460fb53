"""A DOCX is read with its headings, lists and tables, and unfolds to no more than people write."""

from __future__ import annotations

import pytest

from tests.support.docx_files import docx, paragraph, table, zipped
from tests.support.reading_files import blocks, reading, refusal

LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def test_headings_lists_and_tables_are_found() -> None:
    body = [
        paragraph("Runbook", "Tytu"),
        paragraph("Restart", "Nagwek1"),
        "<w:p><w:r><w:t>By </w:t></w:r><w:r><w:t>hand</w:t><w:br/><w:t>or not</w:t></w:r></w:p>",
        paragraph("Deeper", "Own"),
        paragraph("log in", depth=0),
        paragraph("by key", depth=1),
        paragraph("restart", depth=0),
        table(["host", "role"], ["orchard", "database"], look='<w:tblLook w:val="04A0"/>'),
        paragraph("Ünd &amp; so", "Loop"),
    ]

    content = docx("".join(body), title="Ops runbook")

    assert reading("docx", content).title == "Ops runbook"
    assert blocks("docx", content) == [
        ("h1", "Runbook"),
        ("h2", "Restart"),
        ("paragraph", "By hand\nor not"),
        ("h3", "Deeper"),
        ("list", "1. log in\n  - by key\n2. restart"),
        ("table", "host | role\norchard | database"),
        ("paragraph", "Ünd & so"),
    ]
    assert [block.head_rows for block in reading("docx", content).blocks if block.kind.value == "table"] == [1]


def test_what_was_deleted_under_review_or_stands_there_twice_is_not_read() -> None:
    body = (
        "<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
        "<w:p><w:r><w:AlternateContent><w:Choice><w:t>once</w:t></w:Choice>"
        "<w:Fallback><w:t>once</w:t></w:Fallback></w:AlternateContent></w:r></w:p>"
    )

    assert blocks("docx", docx(body)) == [("paragraph", "new"), ("paragraph", "once")]


def test_a_table_within_a_table_is_read_in_its_cell() -> None:
    inner = table(["a", "b"])
    body = f"<w:tbl><w:tr><w:tc>{inner}</w:tc><w:tc>{paragraph('c')}</w:tc></w:tr></w:tbl>"

    assert blocks("docx", docx(body)) == [("table", "a b | c")]


def test_a_long_table_keeps_its_head_over_each_part() -> None:
    lines = [["n", "square"], *([str(n), str(n * n)] for n in range(700))]

    parts = [text.split("\n") for _, text in blocks("docx", docx(table(*lines, look='<w:tblLook w:firstRow="1"/>')))]

    assert [(len(lines), lines[0]) for lines in parts] == [(501, "n | square"), (201, "n | square")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (docx(paragraph("&b;"), doctype=LAUGHS), "xml_entities"),
        (docx(paragraph("&a;"), doctype=OUTSIDE), "xml_entities"),
        (docx(paragraph("x"), **{"word/styles.xml": LAUGHS + "<x/>"}), "xml_entities"),
        (docx(paragraph("0" * 40_000_000)), "zip_bomb"),
        (zipped({f"a{n}": "" for n in range(10_001)}), "zip_bomb"),
        (docx("<w:p><w:pPr/></w:p>"), "no_text"),
        (docx(paragraph("x") + "</w:body>"), "damaged"),
        (zipped({"mimetype": "application/epub+zip"}), "damaged"),
        (b"%PDF-1.7", "damaged"),
        (b"", "damaged"),
        (docx(paragraph("x"))[:-30], "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 WordDocument", "unknown_format"),
    ],
)
def test_what_can_not_be_read_is_refused(content: bytes, reason: str) -> None:
    assert refusal("docx", content) == reason


def test_a_changed_byte_harms_nobody() -> None:
    content = docx(paragraph("The ingest worker restarts via systemd."))
    broken = (content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :] for at in range(0, len(content), 3))

    assert {refusal("docx", each) for each in broken} <= {"read", "damaged", "zip_bomb", "no_text"}


def test_names_that_lead_out_of_the_file_lead_nowhere() -> None:
    content = docx(paragraph("x"), **{"../../etc/passwd": "root", "/word/document.xml": "no"})

    assert blocks("docx", content) == [("paragraph", "x")]
