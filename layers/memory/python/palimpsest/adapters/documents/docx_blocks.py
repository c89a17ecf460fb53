"""The paragraphs, lists and tables of a DOCX as blocks, each as soon as it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from palimpsest.adapters.documents import rows
from palimpsest.adapters.documents.docx_styles import TITLE, Numberings, Style, Styles, number
from palimpsest.adapters.documents.xml_events import Event, Happening
from palimpsest.domain.library.blocks import Block, BlockKind

_UNREAD: Final = frozenset(("del", "moveFrom", "Fallback", "instrText", "delText", "pPrChange", "rPrChange", "sectPr"))
"""What was deleted or moved under review, what is there twice, what is no text."""
_BREAKS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_AT_ONCE: Final = 500
"""Lines of a list or a table; what is longer is given in parts."""
_FIRST_ROW: Final = 0x20
"""The bit of a table's look that says that its first row is a head."""


@dataclass(slots=True)
class _Paragraph:
    style: Style
    level: int | None = None
    numbering: str | None = None
    depth: int = 0
    parts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    has_head: bool = False
    head: list[str] | None = None
    body: list[list[str]] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    cell: list[str] = field(default_factory=list)


class Paragraphs:
    """Reads one document."""

    def __init__(self, styles: Styles, numberings: Numberings) -> None:
        self._styles = styles
        self._numberings = numberings
        self._unread = 0  # how deep within what is not read
        self._runs = 0
        self._is_text = False
        self._open: list[_Paragraph] = []  # a text box is a paragraph within one
        self._tables: list[_Table] = []
        self._items: list[str] = []
        self._counts: Counter[tuple[str, int]] = Counter()
        self._below_title = 0

    def blocks(self, events: Iterable[Event]) -> Iterator[Block]:
        for event in events:
            if event.kind is Happening.TEXT:
                if self._is_text and self._open and not self._unread:
                    self._open[-1].parts.append(event.said)
            elif self._unread or event.said in _UNREAD:
                self._unread += 1 if event.kind is Happening.START else -1
            elif event.kind is Happening.START:
                self._start(event)
            else:
                yield from self._end(event.said)
        yield from self._end_list()

    def _start(self, event: Event) -> None:
        name = event.said
        if name == "p":
            self._open.append(_Paragraph(Style()))
        elif name == "tbl":
            self._tables.append(_Table())
        elif name == "r":
            self._runs += 1
        elif name == "t":
            self._is_text = True
        elif name in _BREAKS and self._runs and self._open:
            self._open[-1].parts.append(_BREAKS[name])
        elif name in ("tblHeader", "tblLook") and self._tables:
            self._tables[-1].has_head |= name == "tblHeader" or _says_first_row(event)
        elif self._open:
            self._look(name, event.told.get("val"))

    def _look(self, name: str, value: str | None) -> None:
        paragraph = self._open[-1]
        if name == "pStyle":
            paragraph.style = self._styles.get(value or "", paragraph.style)
        elif name == "outlineLvl":
            paragraph.level = number(value)
        elif name == "ilvl":
            paragraph.depth = min(number(value), 8)
        elif name == "numId":
            paragraph.numbering = value

    def _end(self, name: str) -> Iterator[Block]:
        if name == "t":
            self._is_text = False
        elif name == "r":
            self._runs -= 1
        elif name == "p" and self._open:
            yield from self._paragraph(self._open.pop())
        elif name == "tc" and len(self._tables) == 1:
            table = self._tables[0]
            table.row.append(" ".join(table.cell))
            table.cell = []
        elif name == "tr" and len(self._tables) == 1:
            yield from self._row(self._tables[0])
        elif name == "tbl" and self._tables:
            table = self._tables.pop()
            if not self._tables and (table.body or table.head):
                yield rows.table(table.body, table.head)

    def _row(self, table: _Table) -> Iterator[Block]:
        row, table.row = table.row, []
        if not any(cell.strip() for cell in row):
            return
        if table.has_head and table.head is None and not table.body:
            table.head = row
        else:
            table.body.append(row)
        if len(table.body) == _AT_ONCE:
            yield rows.table(table.body, table.head)
            table.body = []
            table.has_head = table.head is not None

    def _paragraph(self, paragraph: _Paragraph) -> Iterator[Block]:
        text = "".join(paragraph.parts).strip()
        if not text:
            return
        if self._tables:
            yield from self._end_list()
            self._tables[0].cell.append(text)
            return
        level = paragraph.style.level if paragraph.level is None else paragraph.level
        numbering = paragraph.numbering or paragraph.style.numbering
        if level is not None and level < 9:
            yield from self._end_list()
            yield self._heading(text, level)
        elif numbering not in (None, "0"):
            yield from self._item(text, numbering or "", paragraph.depth)
        else:
            yield from self._end_list()
            yield Block(BlockKind.PARAGRAPH, text)

    def _heading(self, text: str, level: int) -> Block:
        if level == TITLE:
            self._below_title = 1
            return Block(BlockKind.HEADING, text, level=1)
        return Block(BlockKind.HEADING, " ".join(text.split()), level=level + 1 + self._below_title)

    def _item(self, text: str, numbering: str, depth: int) -> Iterator[Block]:
        marker = "-"
        if self._numberings.get((numbering, depth)):
            self._counts[numbering, depth] += 1
            marker = f"{self._counts[numbering, depth]}."
        for deeper in range(depth + 1, 9):
            self._counts.pop((numbering, deeper), None)
        indent = "  " * depth
        self._items.append(f"{indent}{marker} " + text.replace("\n", f"\n{indent}  "))
        if len(self._items) == _AT_ONCE:
            yield from self._end_list()

    def _end_list(self) -> Iterator[Block]:
        if self._items:
            yield Block(BlockKind.LIST, "\n".join(self._items))
            self._items = []


def _says_first_row(look: Event) -> bool:
    if "firstRow" in look.told:
        return look.told["firstRow"] in ("1", "true", "on")
    try:
        return bool(int(look.told.get("val", "0"), 16) & _FIRST_ROW)
    except ValueError:
        return False
