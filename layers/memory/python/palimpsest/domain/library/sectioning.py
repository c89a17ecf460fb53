"""Blocks to sections that fit the embedder's window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from palimpsest.domain.library import cutting
from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.library.cutting import Ladder, Measure
from palimpsest.domain.library.headings import Breadcrumb, Headings
from palimpsest.domain.library.section import BETWEEN_BLOCKS, Section

_LADDERS: Final = {
    BlockKind.HEADING: cutting.PROSE,
    BlockKind.PARAGRAPH: cutting.PROSE,
    BlockKind.LIST: cutting.LIST,
    BlockKind.CODE: cutting.CODE,
    BlockKind.PREFORMATTED: cutting.CODE,
}


def sections(blocks: Iterable[Block], measure: Measure, window: int) -> Iterator[Section]:
    """The sections of a document, in order, each as soon as the next one begins.

    Neighbours under one heading and on one page are put together while they fit. A paragraph that does not fit is cut
    at sentences, a list at items, a table between rows with its head over each part, code at blank lines, then lines;
    no sentence that fits is cut. A heading stands in the breadcrumb of what is under it, and in a text when there is
    nothing. No word is lost, none stands in two texts, but for those of tables' heads. What is held at any time is a
    section and a few bytes for each one before it, by which equal ones are told apart.

    Args:
        blocks: Of one document.
        measure: What a text takes of the window.
        window: The most that a section takes, breadcrumb included; less only if a single character takes more.

    Raises:
        ValueError: The window is below 1.
    """
    if window < 1:
        raise ValueError("a window holds at least one token")
    return _Sectioning(measure, window).sections(blocks)


class _Piece(NamedTuple):
    """What is never cut again.

    Attributes:
        gap: What lies between it and the one before in the same section.
        is_apart: It begins a section: the head of its table stands over it, or it goes on in the middle of a word.
    """

    text: str
    size: int
    gap: str = BETWEEN_BLOCKS
    is_apart: bool = False


class _Place(NamedTuple):
    over: Breadcrumb
    page: int | None


class _Sectioning:
    """One document being cut."""

    def __init__(self, measure: Measure, window: int) -> None:
        self._measure = measure
        self._window = window
        self._headings = Headings(measure, window)
        self._gaps = {BETWEEN_BLOCKS: measure(BETWEEN_BLOCKS)}
        self._place = _Place(Breadcrumb(), None)
        self._pieces: list[_Piece] = []
        self._taken = 0
        self._position = 0
        self._seen: dict[bytes, int] = {}

    def sections(self, blocks: Iterable[Block]) -> Iterator[Section]:
        for block in blocks:
            if block.text.strip():
                yield from self._take(block)
        yield from self._leave(level=0)
        yield from self._flush()

    def _take(self, block: Block) -> Iterator[Section]:
        if block.kind is BlockKind.HEADING:
            yield from self._leave(block.level)
            if self._headings.enter(block):
                return
        yield from self._add(block, self._headings.told())

    def _leave(self, level: int) -> Iterator[Section]:
        for bare in self._headings.leave(level):
            yield from self._add(Block(BlockKind.HEADING, bare.text, page=bare.page), bare.over)

    def _add(self, block: Block, over: Breadcrumb) -> Iterator[Section]:
        place = _Place(over, block.page)
        for piece in self._cut(block, self._window - over.size):
            size = self._gap(piece.gap) + piece.size
            is_full = over.size + self._taken + size > self._window
            if self._pieces and (is_full or piece.is_apart or place != self._place):
                yield from self._flush()
            self._taken += size if self._pieces else piece.size
            self._pieces.append(piece)
            self._place = place

    def _cut(self, block: Block, room: int) -> Iterator[_Piece]:
        if block.kind is BlockKind.TABLE:
            yield from _cut_table(block, self._measure, room)
        else:
            yield from _cut_text(block.text, _LADDERS[block.kind], self._measure, room)

    def _gap(self, gap: str) -> int:
        if gap not in self._gaps:
            self._gaps[gap] = self._measure(gap)
        return self._gaps[gap]

    def _flush(self) -> Iterator[Section]:
        if not self._pieces:
            return
        first, *others = self._pieces
        text = first.text + "".join(piece.gap + piece.text for piece in others)
        section = Section(text, self._place.over.texts, self._place.page, self._position)
        self._pieces, self._taken = [], 0
        self._position += 1
        yield self._told_apart(section)

    def _told_apart(self, section: Section) -> Section:
        key = bytes.fromhex(section.digest)[:8]
        before = self._seen.get(key, 0)
        self._seen[key] = before + 1
        return replace(section, ordinal=before) if before else section


def _cut_text(text: str, ladder: Ladder, measure: Measure, room: int) -> Iterator[_Piece]:
    last = None
    for begin, end, size in cutting.cut(text, ladder, measure, room):
        gap = BETWEEN_BLOCKS if last is None else text[last:begin]
        yield _Piece(text[begin:end], size, gap, is_apart=not gap)
        last = end


def _cut_table(table: Block, measure: Measure, room: int) -> Iterator[_Piece]:
    """Rows, with the head over each part; without it when it would take more than half of the room."""
    whole = list(_cut_text(table.text, cutting.ROWS, measure, room))
    lines = table.text.strip("\n").split("\n", table.head_rows)
    if len(whole) == 1 or len(lines) <= table.head_rows or not table.head_rows:
        yield from whole
        return
    head = "\n".join(lines[: table.head_rows]) + "\n"
    taken = measure(head)
    if 2 * taken > room:
        yield from whole
        return
    for n, part in enumerate(_cut_text(lines[-1], cutting.ROWS, measure, room - taken)):
        yield _Piece(head + part.text, taken + part.size, is_apart=n > 0)
