"""Laws of sections, over made-up documents and windows of every size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.domain.library import sentences
from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.library.cutting import Measure
from palimpsest.domain.library.section import Section
from palimpsest.domain.library.sectioning import sections
from tests.support.documents import BODIES, DOCUMENTS, HEAD_OF_TABLE, HEADING_LETTERS, MEASURES
from tests.support.examples import examples

measures = st.sampled_from(MEASURES)
windows = st.integers(1, 200)


@settings(max_examples=examples(40))
@given(DOCUMENTS, measures, windows)
def test_a_section_fits_the_window_with_its_breadcrumb(blocks: list[Block], measure: Measure, window: int) -> None:
    for section in sections(blocks, measure, window):
        assert measure(section.headed) <= window or len(section.text) == 1
        assert section.text.strip()


@settings(max_examples=examples(40))
@given(DOCUMENTS, measures, windows)
def test_no_word_is_lost_or_told_twice(blocks: list[Block], measure: Measure, window: int) -> None:
    bodies = [block for block in blocks if block.kind is not BlockKind.HEADING]

    cut = list(sections(blocks, measure, window))

    assert _letters(section.text for section in cut) == _letters(block.text for block in bodies)


@settings(max_examples=examples(40))
@given(DOCUMENTS, measures, windows)
def test_every_heading_stands_over_its_text_or_is_told_where_there_is_none(
    blocks: list[Block], measure: Measure, window: int
) -> None:
    headings = {block.text for block in blocks if block.kind is BlockKind.HEADING}

    cut = list(sections(blocks, measure, window))

    over = {heading for section in cut for heading in section.breadcrumb}
    texts = _squeezed(section.text for section in cut)
    assert {heading for heading in headings - over if _squeezed([heading]) not in texts} == set()


@settings(max_examples=examples(40))
@given(st.lists(BODIES, max_size=6), measures, windows)
def test_no_sentence_that_fits_is_cut(blocks: list[Block], measure: Measure, window: int) -> None:
    texts = [section.text for section in sections(blocks, measure, window)]

    for block in blocks:
        if block.kind is BlockKind.PARAGRAPH:
            for sentence in _sentences(block.text):
                assert measure(sentence) > window or any(sentence in text for text in texts)


@settings(max_examples=examples(40))
@given(DOCUMENTS, measures, windows)
def test_no_section_lies_on_two_pages_and_each_is_known_by_digest_and_ordinal(
    blocks: list[Block], measure: Measure, window: int
) -> None:
    pages = {block.page for block in blocks}

    cut = list(sections(blocks, measure, window))

    assert [section.position for section in cut] == list(range(len(cut)))
    assert len({(section.digest, section.ordinal) for section in cut}) == len(cut)
    assert {section.page for section in cut} <= pages


@settings(max_examples=examples(40))
@given(DOCUMENTS, DOCUMENTS, measures, windows)
def test_what_is_added_at_the_end_leaves_all_sections_but_the_last(
    blocks: list[Block], more: list[Block], measure: Measure, window: int
) -> None:
    before = list(sections(blocks, measure, window))
    settled = [section for section in before if not _is_bare(section)][:-1]

    after = list(sections([*blocks, *more], measure, window))

    assert {*_identities(settled)} <= {*_identities(after)}


def test_sections_come_while_the_document_is_still_read() -> None:
    read = 0

    def blocks() -> Iterator[Block]:
        nonlocal read
        for n in range(1_000):
            read += 1
            yield Block(BlockKind.PARAGRAPH, f"The paragraph of number {n} has eight words.")

    first = next(sections(blocks(), lambda text: len(text.split()), 20))

    assert first.position == 0
    assert read < 5


def _identities(cut: list[Section]) -> Iterator[tuple[str, int]]:
    return ((section.digest, section.ordinal) for section in cut)


def _is_bare(section: Section) -> bool:
    return any(letter in section.text for letter in HEADING_LETTERS)


def _letters(texts: Iterable[str]) -> str:
    """All but white space, headings that are told as texts, and heads of tables, which are repeated."""
    return "".join(letter for letter in _squeezed(texts) if letter not in HEADING_LETTERS + HEAD_OF_TABLE)


def _squeezed(texts: Iterable[str]) -> str:
    return "".join("".join(text.split()) for text in texts)


def _sentences(text: str) -> Iterator[str]:
    begin = 0
    for end in sentences.ends(text):
        if end.is_sure:
            yield text[begin : end.at].strip()
            begin = end.at
    yield text[begin:].strip()
