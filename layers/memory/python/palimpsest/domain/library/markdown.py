"""Markdown, read for its blocks only, line by line.

A library for Markdown makes a tree of the whole document, inline markup included, which is slow to make and large to
hold; sections need the blocks, and their text is better as its author wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from palimpsest.domain.library.blocks import Block, BlockKind, Reading

_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_CLOSING: Final = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_UNDERLINE: Final = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*")
_BREAK: Final = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_FENCE: Final = re.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})")
_ITEM: Final = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_INTERRUPTING_ITEM: Final = re.compile(r" {0,3}(?:[-*+]|1[.)])[ \t]+\S")
_INDENTED: Final = re.compile(r" {2}|\t")
_CODE: Final = re.compile(r" {4}|\t")
_TITLE: Final = re.compile(r"""title:[ \t]*(?:"(.+)"|'(.+)'|([^\s"'|>\[{&*#].*))""")
_FIELD: Final = re.compile(r"""(?:\w[\w.-]*|"[^"]+"|'[^']+'):(?:\s.*)?""")
_IN_A_FIELD: Final = re.compile(r"(?:[ \t]|- |#).*|[]}-]?")
"""What stands between two fields: what is indented, an item, a remark, nothing."""
_FRONT_LINES: Final = 200
_PARAGRAPH_LINES: Final = 400
"""A text without blank lines is given in parts of so many."""


def read_markdown(lines: Iterable[str]) -> Reading:
    """A Markdown document from its lines, with or without their ends.

    The text of a block is as it is written: code with its fences, a table with the row under its head. Only a heading
    comes without its marks. Front matter is no text, but for its ``title``: that is the document's, and its first
    heading where it begins with no other. Of what is no list of fields no word is lost.
    """
    rest = iter(line.rstrip("\r\n") for line in lines)
    first = list(islice(rest, 1))
    if first and first[0].lstrip("\ufeff").rstrip() == "---":
        first += _front(rest)
        if first[-1].rstrip() in ("---", "...") and len(first) > 1:
            matter = first[1:-1]
            title, blocks = _title(matter), _Markdown().blocks(rest)
            if _is_fields(matter):
                return Reading(title, blocks if title is None else _under(title, blocks))
            return Reading(title, chain([Block(BlockKind.PREFORMATTED, "\n".join(matter))], blocks))
    return Reading(None, _Markdown().blocks(chain(first, rest)))


def _front(lines: Iterator[str]) -> Iterator[str]:
    for line in islice(lines, _FRONT_LINES):
        yield line
        if line.rstrip() in ("---", "..."):
            return


def _is_fields(lines: Sequence[str]) -> bool:
    told = [line for line in lines if not _IN_A_FIELD.fullmatch(line)]
    return told[:1] == list(lines[:1]) and all(map(_FIELD.fullmatch, told))


def _title(lines: Iterable[str]) -> str | None:
    found = (match[match.lastindex or 0].strip() for line in lines if (match := _TITLE.fullmatch(line.rstrip())))
    return next(filter(None, found), None)


def _under(title: str, blocks: Iterator[Block]) -> Iterator[Block]:
    first = next(blocks, None)
    if first is None or first.level != 1:
        yield _heading(title, 1)
    if first is not None:
        yield from chain([first], blocks)


class _Markdown:
    """The block that is being read."""

    def __init__(self) -> None:
        self._kind = BlockKind.PARAGRAPH
        self._lines: list[str] = []
        self._fence = ""
        self._blanks = 0  # after the last line, within a list or indented code

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        for line in lines:
            yield from self._line(line)
        yield from self._end()

    def _line(self, line: str) -> Iterator[Block]:
        if self._fence:
            yield from self._fenced(line)
        elif not line.strip():
            yield from self._blank()
        elif self._lines and self._kind is not BlockKind.PARAGRAPH and self._continues(line):
            self._append(line)
        elif fence := _FENCE.match(line):
            yield from self._begin(BlockKind.CODE, line)
            self._fence = fence[1]
        elif heading := _HEADING.fullmatch(line):
            yield from self._end()
            yield _heading(_CLOSING.sub("", heading[2] or ""), len(heading[1]))
        elif self._lines and self._kind is BlockKind.PARAGRAPH:
            yield from self._after_paragraph(line)
        else:
            yield from self._fresh(line)

    def _fenced(self, line: str) -> Iterator[Block]:
        self._lines.append(line)
        mark = line.strip()
        if mark.startswith(self._fence) and not mark.strip(self._fence[0]):
            self._fence = ""
            if self._kind is BlockKind.CODE:
                yield from self._end()

    def _blank(self) -> Iterator[Block]:
        if self._lines and self._kind in (BlockKind.LIST, BlockKind.CODE):
            self._blanks += 1
        else:
            yield from self._end()

    def _continues(self, line: str) -> bool:
        """Whether a list, a table or indented code goes on; a fence within a list is part of it."""
        if self._kind is BlockKind.CODE:
            return _CODE.match(line) is not None
        if self._kind is BlockKind.TABLE:
            return "|" in line
        if _INDENTED.match(line):
            fence = _FENCE.match(line)
            self._fence = fence[1] if fence else ""
            return True
        if _BREAK.fullmatch(line):
            return False
        is_lazy = not self._blanks and not _HEADING.fullmatch(line) and not _FENCE.match(line)
        return is_lazy or _ITEM.match(line) is not None

    def _after_paragraph(self, line: str) -> Iterator[Block]:
        if underline := _UNDERLINE.fullmatch(line):
            text = "\n".join(self._lines)
            self._lines = []
            yield _heading(text, 1 if underline[1] else 2)
        elif _BREAK.fullmatch(line):
            yield from self._end()
        elif "|" in self._lines[-1] and _is_under_head(line):
            head = self._lines.pop()
            yield from self._begin(BlockKind.TABLE, head)
            self._lines.append(line)
        elif _INTERRUPTING_ITEM.match(line):
            yield from self._begin(BlockKind.LIST, line)
        elif len(self._lines) == _PARAGRAPH_LINES:
            yield from self._begin(BlockKind.PARAGRAPH, line)
        else:
            self._lines.append(line)

    def _fresh(self, line: str) -> Iterator[Block]:
        """Begin a block with a line that continues none."""
        if _BREAK.fullmatch(line):
            yield from self._end()
        elif _ITEM.match(line):
            yield from self._begin(BlockKind.LIST, line)
        elif _CODE.match(line):
            yield from self._begin(BlockKind.CODE, line)
        else:
            yield from self._begin(BlockKind.PARAGRAPH, line)

    def _begin(self, kind: BlockKind, line: str) -> Iterator[Block]:
        yield from self._end()
        self._kind = kind
        self._lines = [line]

    def _append(self, line: str) -> None:
        self._lines += [""] * self._blanks
        self._lines.append(line)
        self._blanks = 0

    def _end(self) -> Iterator[Block]:
        if self._lines:
            head_rows = 2 if self._kind is BlockKind.TABLE else 0
            yield Block(self._kind, "\n".join(self._lines), head_rows=head_rows)
        self._kind, self._lines, self._blanks = BlockKind.PARAGRAPH, [], 0


def _heading(text: str, level: int) -> Block:
    return Block(BlockKind.HEADING, text.replace("**", "").replace("`", ""), level)


def _is_under_head(line: str) -> bool:
    """Whether it is the row of dashes under the head of a table."""
    cells = line.strip().strip("|").split("|")
    return "|" in line and set(line) <= set("|-: \t") and all("-" in cell for cell in cells)
