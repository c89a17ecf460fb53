"""The outline of plain text."""

from __future__ import annotations

import pytest

from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.library.plain_text import read_plain_text


def blocks(text: str) -> list[tuple[str, str]]:
    return [(_name(block), block.text) for block in read_plain_text(text.splitlines(keepends=True)).blocks]


def _name(block: Block) -> str:
    return f"h{block.level}" if block.kind is BlockKind.HEADING else block.kind.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UMOWA NAJMU\nzawarta w Łodzi", [("h1", "UMOWA NAJMU"), ("paragraph", "zawarta w Łodzi")]),
        ("Overview\n========\nText", [("h1", "Overview"), ("paragraph", "Text")]),
        ("Overview\n---\nText", [("paragraph", "Overview\n---\nText")]),
        (
            "1. Scope\n\nText\n\n1.2 The parties\nText",
            [("h5", "1. Scope"), ("paragraph", "Text"), ("h6", "1.2 The parties"), ("paragraph", "Text")],
        ),
        ("§ 3\nText", [("h4", "§ 3"), ("paragraph", "Text")]),
        ("§ 3. Czynsz najmu\nText", [("h4", "§ 3. Czynsz najmu"), ("paragraph", "Text")]),
        ("Art. 5. Każdy ma prawo do obrony.", [("h4", "Art. 5."), ("paragraph", "Każdy ma prawo do obrony.")]),
        ("IV. Final provisions\nText", [("h3", "IV. Final provisions"), ("paragraph", "Text")]),
        ("Chapter 2: The fox\n\nText", [("h2", "Chapter 2: The fox"), ("paragraph", "Text")]),
        ("Rozdział XII\n\nText", [("h2", "Rozdział XII"), ("paragraph", "Text")]),
        ("Załącznik nr 1\nText", [("h2", "Załącznik nr 1"), ("paragraph", "Text")]),
    ],
)
def test_these_are_headings(text: str, expected: list[tuple[str, str]]) -> None:
    assert blocks(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Art. 5 of the act says so",
        "art. 5 ustawy",
        "1. The tenant shall pay the rent on the\nfirst day of each month.",
        "2. It ends with a point.",
        "2024 was a good year",
        "3.14 is pi",
        "OK",
        "THIS IS SHOUTED\nOVER MORE LINES\nTHAN ONE",
        "Part of it was\nlost",
        "I think so",
        "Chapter 2 of the book says otherwise.",
        "see\n§ 5 Of what",
    ],
)
def test_these_are_none(text: str) -> None:
    assert [kind for kind, _ in blocks(text) if kind != "paragraph"] == []


def test_numbered_lines_are_a_list() -> None:
    assert blocks("1. Buy milk\n2. Buy bread") == [("list", "1. Buy milk\n2. Buy bread")]
    assert blocks("- milk\n- bread") == [("list", "- milk\n- bread")]


def test_no_word_is_lost() -> None:
    text = "TITLE HERE\n§ 1. Scope\n1. a\n2. b\n\nArt. 2. Each one.\nMore.\n\nUnder\n-----\nEnd"

    told = "\n".join(text for _, text in blocks(text))

    assert told.split() == text.replace("-----\n", "").split()


def test_a_text_without_blank_lines_is_given_in_parts() -> None:
    lines = (f"entry {n} of the log\n" for n in range(1_000))

    assert [block.text.count("entry") for block in read_plain_text(lines).blocks] == [400, 400, 200]
