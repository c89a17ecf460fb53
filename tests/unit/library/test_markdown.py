"""The blocks of Markdown."""

from __future__ import annotations

import pytest

from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.library.markdown import read_markdown


def blocks(text: str) -> list[tuple[str, str]]:
    return [(_name(block), block.text) for block in read_markdown(text.splitlines(keepends=True)).blocks]


def _name(block: Block) -> str:
    return f"h{block.level}" if block.kind is BlockKind.HEADING else block.kind.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n## Two ##\n#tag\n", [("h1", "One"), ("h2", "Two"), ("paragraph", "#tag")]),
        ("Title\n=====\nUnder\n-----\nText\n", [("h1", "Title"), ("h2", "Under"), ("paragraph", "Text")]),
        ("# **Bold** and `code`", [("h1", "Bold and code")]),
        ("a\nb\n\nc\n***\nd", [("paragraph", "a\nb"), ("paragraph", "c"), ("paragraph", "d")]),
        (
            "a\n```py\n# no heading\n\nx\n```\nb",
            [("paragraph", "a"), ("code", "```py\n# no heading\n\nx\n```"), ("paragraph", "b")],
        ),
        ("~~~\n```\n~~~~\n# H", [("code", "~~~\n```\n~~~~"), ("h1", "H")]),
        ("```\nnever closed\n\n# no heading", [("code", "```\nnever closed\n\n# no heading")]),
        ("a `code` b ``` c", [("paragraph", "a `code` b ``` c")]),
        (
            "text\n\n    x = 1\n\n    y = 2\ntext",
            [("paragraph", "text"), ("code", "    x = 1\n\n    y = 2"), ("paragraph", "text")],
        ),
        (
            "- a\n  - b\n\n  more of a\n- c\nlazy\n\nend",
            [("list", "- a\n  - b\n\n  more of a\n- c\nlazy"), ("paragraph", "end")],
        ),
        (
            "1. a\n   ```\n   # no heading\n   ```\n2. b\n# H",
            [("list", "1. a\n   ```\n   # no heading\n   ```\n2. b"), ("h1", "H")],
        ),
        ("- a\n  ```\n# no heading\n  ```\n- b", [("list", "- a\n  ```\n# no heading\n  ```\n- b")]),
        ("In the year\n2020. It rained\n- a", [("paragraph", "In the year\n2020. It rained"), ("list", "- a")]),
        (
            "Intro\na | b\n--|--\n1 | 2\nafter",
            [("paragraph", "Intro"), ("table", "a | b\n--|--\n1 | 2"), ("paragraph", "after")],
        ),
        ("> quoted\n> # not a heading", [("paragraph", "> quoted\n> # not a heading")]),
        ("---\nno front matter", [("paragraph", "no front matter")]),
        ("a\r\nb\r\n\r\nc", [("paragraph", "a\nb"), ("paragraph", "c")]),
        (" \n\t\n", []),
        ("", []),
    ],
)
def test_markdown_is_read_as(text: str, expected: list[tuple[str, str]]) -> None:
    assert blocks(text) == expected


def test_a_table_has_two_lines_of_head() -> None:
    (table,) = read_markdown(["| a |", "|---|", "| 1 |"]).blocks

    assert table.head_rows == 2


@pytest.mark.parametrize("line", ["title: The runbook", "title: 'The runbook'", 'title:   "The runbook"  '])
def test_front_matter_names_the_document_and_is_no_text(line: str) -> None:
    matter = ["draft:", "# of the team", "tags:", "- ops", "  - night", "", '"og:image": x.png', line, "x: |", "  a b"]

    reading = read_markdown(["---", *matter, "---", "# H"])

    assert reading.title == "The runbook"
    assert [block.text for block in reading.blocks] == ["H"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", [("h1", "The runbook")]),
        ("Restart it.\n\n## Backups", [("h1", "The runbook"), ("paragraph", "Restart it."), ("h2", "Backups")]),
        ("# Runbook\nRestart it.", [("h1", "Runbook"), ("paragraph", "Restart it.")]),
    ],
)
def test_a_title_that_stands_in_front_matter_alone_is_the_first_heading(
    body: str, expected: list[tuple[str, str]]
) -> None:
    assert blocks(f"---\ntitle: The runbook\n---\n{body}") == expected


@pytest.mark.parametrize("line", ["title:", 'title: ""', "title: >-", "title: [a]", "subtitle: x", "  title: nested"])
def test_front_matter_without_a_plain_title_names_no_document(line: str) -> None:
    assert read_markdown(["---", "tags: ops", line, "---", "text"]).title is None


@pytest.mark.parametrize("words", ["Note: it rains.\nTake a coat.", "# A heading", "- an item\n\nNote: it rains."])
def test_words_between_two_lines_are_text_when_they_are_no_fields(words: str) -> None:
    assert blocks(f"---\n{words}\n---\n# H") == [("preformatted", words), ("h1", "H")]


@pytest.mark.parametrize("lines", [["---"], ["---", "title: x"], ["---", *["a: b"] * 300, "---"]])
def test_front_matter_without_an_end_is_text(lines: list[str]) -> None:
    reading = read_markdown(lines)

    assert reading.title is None
    assert "".join(block.text for block in reading.blocks).count(":") == sum(":" in line for line in lines)


@pytest.mark.parametrize(
    "unit", ["#", "# ", "|", "| ", "|-", "- ", "-", "*", "`", "```\n", "\t", " ", "> ", "1. ", "a|b\n", "---\n"]
)
def test_a_text_of_nothing_but_marks_takes_linear_time(unit: str) -> None:
    text = "a|b\n" + unit * (50_000 // len(unit)) + "a"

    assert sum(len(text) for _, text in blocks(text)) <= len(text)


def test_a_paragraph_without_an_end_is_given_in_parts() -> None:
    reading = read_markdown("line\n" for _ in range(1_000))

    assert [block.text.count("line") for block in reading.blocks] == [400, 400, 200]
