"""A table is read row by row, whatever parts its cells and in whichever encoding it is."""

from __future__ import annotations

import pytest

from tests.support.reading_files import blocks, reading, refusal

TABLE = [("table", "name | city\nMarta | Łódź\nJan, jr. | Oslo")]


@pytest.mark.parametrize(
    "content",
    [
        'name,city\r\nMarta,Łódź\r\n"Jan, jr.",Oslo\r\n'.encode(),
        "name;city\nMarta;Łódź\nJan, jr.;Oslo".encode("utf-8-sig"),
        "name\tcity\n\nMarta\tŁódź\nJan, jr.\tOslo\n".encode("utf-16"),
        "name;city\nMarta;Łódź\nJan, jr.;Oslo".encode("cp1250"),
        b"name|city\nMarta|\xc5\x81\xc3\xb3d\xc5\xba\nJan, jr.|Oslo",
    ],
)
def test_delimiter_and_encoding_are_found(content: bytes) -> None:
    assert blocks("csv", content) == TABLE


def test_a_table_without_a_head_has_none() -> None:
    assert [(block.text, block.head_rows) for block in reading("csv", "1,2\n3,4\n").blocks] == [("1 | 2\n3 | 4", 0)]
    assert [block.head_rows for block in reading("csv", "a,b\n3,4\n").blocks] == [1]


def test_a_long_table_is_read_in_parts_with_its_head_over_each() -> None:
    content = "number,square\n" + "".join(f"{n},{n * n}\n" for n in range(450))

    tables = [text.split("\n") for _, text in blocks("csv", content)]

    assert [len(lines) for lines in tables] == [201, 201, 51]
    assert {lines[0] for lines in tables} == {"number | square"}
    assert tables[2][-1] == "449 | 201601"


def test_wide_rows_are_read_as_records() -> None:
    story = "It rained in Oslo for days. " * 20

    assert blocks("csv", f'title,story,tags\nRain,"{story}",\n') == [
        ("preformatted", f"title: Rain\nstory: {story.strip()}")
    ]


def test_lines_within_a_cell_stay_one_row() -> None:
    assert blocks("csv", 'a,b\n"x\ny",z\n') == [("table", "a | b\nx y | z")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b",,\n,,\n", "empty"),
        (b"PK\x03\x04\x00\x00binary", "damaged"),
        (b'a,b\n"' + b"never closed\n" * 20_000, "damaged"),
        (b"a," * 2_000_000, "too_large"),
    ],
)
def test_what_is_no_table_is_refused(content: bytes, reason: str) -> None:
    assert refusal("csv", content) == reason
