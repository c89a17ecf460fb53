"""How documents are cut, by example; the laws are in the property tests."""

from __future__ import annotations

from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.library.markdown import read_markdown
from palimpsest.domain.library.plain_text import read_plain_text
from palimpsest.domain.library.sectioning import sections

RUNBOOK = """\
# Ingest worker

It reads the queue.

It writes the table.

## Restart

| step | who |
|---|---|
| stop the unit | operator |
| drain the queue | operator |
| start the unit | operator on call |

## Limits

## Contacts
Dr. Ola Nowak, ul. Długa 5. Call her e.g. at night. Then write down what happened.
"""


def words(text: str) -> int:
    return len(text.split())


def cut(blocks: list[Block], window: int) -> list[tuple[tuple[str, ...], str]]:
    return [(section.breadcrumb, section.text) for section in sections(blocks, words, window)]


def test_a_document_is_cut_by_its_headings_and_fills_the_window() -> None:
    blocks = list(read_markdown(RUNBOOK.splitlines()).blocks)

    assert cut(blocks, 24) == [
        (("Ingest worker",), "It reads the queue.\n\nIt writes the table."),
        (
            ("Ingest worker", "Restart"),
            "| step | who |\n|---|---|\n| stop the unit | operator |\n| drain the queue | operator |",
        ),
        (("Ingest worker", "Restart"), "| step | who |\n|---|---|\n| start the unit | operator on call |"),
        (("Ingest worker",), "Limits"),
        (
            ("Ingest worker", "Contacts"),
            "Dr. Ola Nowak, ul. Długa 5. Call her e.g. at night. Then write down what happened.",
        ),
    ]


def test_code_is_cut_at_blank_lines_and_keeps_its_indents() -> None:
    code = "def a():\n    return 1\n\n    # more\n    x = 2\n\n\ndef b():\n    return 2"

    assert cut([Block(BlockKind.CODE, code)], 7) == [
        ((), "def a():\n    return 1"),
        ((), "    # more\n    x = 2"),
        ((), "def b():\n    return 2"),
    ]


def test_a_list_is_cut_between_items_that_keep_what_is_nested_in_them() -> None:
    items = "1. tea\n   - green\n   - black\n2. coffee"

    assert cut([Block(BlockKind.LIST, items)], 6) == [((), "1. tea\n   - green\n   - black"), ((), "2. coffee")]


def test_a_head_that_takes_half_of_the_window_is_not_repeated() -> None:
    table = Block(BlockKind.TABLE, "a very long head row\n1\n2\n3\n4\n5\n6", head_rows=1)

    assert cut([table], 8) == [((), "a very long head row\n1"), ((), "2\n3\n4\n5\n6")]


def test_no_section_holds_the_head_of_a_table_twice() -> None:
    rows = ["x " * words for words in (40, 56, 50, 55)]  # of these the first two would fit one window
    table = Block(BlockKind.TABLE, "\n".join(["head", *rows]), head_rows=1)

    assert [text.count("head") for _, text in cut([table], 101)] == [1, 1, 1, 1]


def test_sentences_without_a_space_between_them_are_not_put_together_unmeasured() -> None:
    def measure(text: str) -> int:
        return sum(len(word) ** 2 for word in text.split())

    found = list(sections([Block(BlockKind.PARAGRAPH, "雨です。晴れる。" * 3)], measure, 36))

    assert [section.text for section in found] == ["雨です。", "晴れる。"] * 3


def test_headings_with_nothing_under_them_are_told_together() -> None:
    blocks = [Block(BlockKind.HEADING, text, 1) for text in ("1. Milk", "2. Bread", "3. Tea")]

    assert cut(blocks, 20) == [((), "1. Milk\n\n2. Bread\n\n3. Tea")]


def test_the_highest_headings_are_left_out_of_a_breadcrumb_that_is_too_long() -> None:
    blocks = [Block(BlockKind.HEADING, f"level {level} of the document", level) for level in (1, 2, 3)]

    assert cut([*blocks, Block(BlockKind.PARAGRAPH, "Text.")], 33) == [
        (("level 2 of the document", "level 3 of the document"), "Text."),
        ((), "level 1 of the document"),
    ]


def test_a_heading_that_is_too_long_for_a_breadcrumb_is_a_text() -> None:
    long = Block(BlockKind.HEADING, "a heading that never comes to an end", 1)

    assert cut([long, Block(BlockKind.PARAGRAPH, "Text.")], 12) == [((), f"{long.text}\n\nText.")]


def test_pages_are_kept_apart() -> None:
    blocks = [Block(BlockKind.PARAGRAPH, f"Page {page}.", page=page) for page in (1, 1, 2)]

    found = [(section.page, section.text) for section in sections(blocks, words, 50)]

    assert found == [(1, "Page 1.\n\nPage 1."), (2, "Page 2.")]


def test_equal_sections_are_told_apart_by_their_ordinal() -> None:
    blocks = [Block(BlockKind.PARAGRAPH, "Same words again.")] * 3

    found = list(sections(blocks, words, 3))

    assert len({section.digest for section in found}) == 1
    assert [section.ordinal for section in found] == [0, 1, 2]


def test_another_page_or_heading_makes_another_section() -> None:
    text = Block(BlockKind.PARAGRAPH, "Text.")
    documents = [
        [text],
        [Block(BlockKind.PARAGRAPH, "Text.", page=2)],
        [Block(BlockKind.HEADING, "A", 1), text],
        [Block(BlockKind.HEADING, "A", 1), Block(BlockKind.HEADING, "B", 2), text],
        [Block(BlockKind.HEADING, "A > B", 1), text],
    ]

    digests = {section.digest for blocks in documents for section in sections(blocks, words, 50)}

    assert len(digests) == 5


def test_a_measure_is_asked_once_for_a_block_that_fits() -> None:
    asked: list[str] = []

    def measure(text: str) -> int:
        asked.append(text)
        return words(text)

    blocks = [Block(BlockKind.PARAGRAPH, f"Paragraph {n}.") for n in range(100)]
    assert len(list(sections(blocks, measure, 50))) == 4

    assert len(asked) == 101  # and for the gap between blocks


def test_a_polish_act_keeps_its_numbers() -> None:
    act = (
        "USTAWA O BIBLIOTEKACH\n\nRozdział 1\n\nArt. 1. Ustawa określa zasady działania\nbibliotek, o których mowa w\n"
        "art. 5.\n\nArt. 2.\n1. Biblioteki są dobrem.\n2. Są otwarte.\n"
    )

    assert cut(list(read_plain_text(act.splitlines()).blocks), 40) == [
        (
            ("USTAWA O BIBLIOTEKACH", "Rozdział 1", "Art. 1."),
            "Ustawa określa zasady działania\nbibliotek, o których mowa w\nart. 5.",
        ),
        (("USTAWA O BIBLIOTEKACH", "Rozdział 1", "Art. 2."), "1. Biblioteki są dobrem.\n2. Są otwarte."),
    ]
