"""What a reader of any format gives: a document as blocks, one after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block is; it decides where a long one is cut."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    PREFORMATTED = "preformatted"


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a document, in the order in which people read it.

    Attributes:
        kind: A paragraph may hold several, with a blank line between them. A list has an item a line, nested ones
            indented. A table has a row a line, whatever a cell holds. Code and preformatted text have their lines as
            they are: code is cut at blank lines, preformatted text like verse or an address at lines.
        text: Without markup that only says what `kind` says; its number stays with a numbered heading. A blank one
            counts as none.
        level: Of a heading: 1 is the highest, any number below is let in; 0 for the others.
        page: Where it begins, from 1, in a format that has pages.
        head_rows: Of a table: how many of its first lines are repeated over each part when it is cut.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    head_rows: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as it is read.

    Attributes:
        title: What the format itself says (a title element, front matter, a property of the file), if it says any.
        blocks: To be read once. A reader makes each as it is asked for and keeps none, so that no document is in
            memory as a whole; what is wrong with the file may show only on the way.
    """

    title: str | None
    blocks: Iterator[Block]
