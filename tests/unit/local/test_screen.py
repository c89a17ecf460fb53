"""What people see fits their terminal and can't steer it."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.local.cli.screen import Screen, columns, wrapped

ROWS = [
    ("mem_1", "2026-11-29", "The ingest worker restarts via systemd, after ten seconds"),
    ("mem_2", "2026-11-28", "ł"),
]


def shown(width: int | None, *, has_color: bool = False, rows: list[tuple[str, str, str]] | None = None) -> str:
    out = io.StringIO()
    Screen(out, width, has_color).table(("memory", "said", "text"), rows or ROWS)
    return out.getvalue()


def test_a_table_fits_the_terminal() -> None:
    assert shown(50) == (
        "memory  said        text\n"
        "mem_1   2026-11-29  The ingest worker restarts via\n"
        "                    systemd, after ten seconds\n"
        "mem_2   2026-11-28  ł\n"
    )


def test_in_a_pipe_each_row_is_one_line() -> None:
    rows = [("mem_1", "2026-11-29", "first line\nsecond line " + "x" * 200)]

    assert shown(None, rows=rows).splitlines()[1].endswith("first line second line " + "x" * 200)


def test_a_narrow_terminal_gets_blocks() -> None:
    assert shown(30).splitlines() == [
        "mem_1",
        "  2026-11-29",
        "  The ingest worker restarts",
        "  via systemd, after ten",
        "  seconds",
        "",
        "mem_2",
        "  2026-11-28",
        "  ł",
        "",
    ]


def test_long_cells_are_cut_with_a_mark() -> None:
    rows = [("mem_1", "2026-11-29", "word " * 60)]

    assert shown(50, rows=rows).splitlines()[-1].endswith("…")
    assert len(shown(50, rows=rows).splitlines()) == 4


def test_colour_is_shown_only_where_it_may() -> None:
    assert "\x1b[1m" in shown(50, has_color=True)
    assert "\x1b" not in shown(50)


@pytest.mark.parametrize("text", ["\x1b[2Jgone", "bell\x07", "back\x08space", "\x9b31m", "carriage\rreturn"])
def test_what_was_stored_cannot_steer_the_terminal(text: str) -> None:
    out = io.StringIO()
    screen = Screen(out, 40)
    screen.paragraph(text)
    screen.table(("text",), [(text,)])
    screen.fields([("text", text)])

    assert not any(ord(character) < 32 and character != "\n" for character in out.getvalue())
    assert "\x9b" not in out.getvalue()


def test_wide_characters_take_two_columns() -> None:
    assert columns("日本語") == 6
    assert columns("e\u0301") == 1
    assert wrapped("日本語", 4) == ["日本", "語"]


@given(st.text(max_size=80), st.integers(4, 30))
def test_wrapped_lines_fit_and_lose_nothing_but_space(text: str, width: int) -> None:
    rows = wrapped(text, width)

    assert all(columns(row) <= width for row in rows)
    assert "".join(rows).replace(" ", "").replace("\n", "") == text.replace(" ", "").replace("\n", "")


def test_a_paragraph_is_indented_below_its_first_line() -> None:
    out = io.StringIO()

    Screen(out, 20).paragraph("one two three four\nfive", first="1. ")

    assert out.getvalue() == "1. one two three\n   four\n   five\n"
