"""Lines on pages as blocks: what repeats at the edges goes, large lines are headings, gaps part paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.library.plain_text import read_plain_text

_EDGE_PART: Final = 0.09
"""Of the page's height: where running heads and page numbers stand."""
_GAP_PART: Final = 0.65
"""Of a line's height: what lies between two paragraphs."""
_HEADING_RATIOS: Final = ((1.7, 1), (1.35, 2), (1.15, 3))
"""How much larger than most text a heading of a level is."""
_HEADING_CHARACTERS: Final = 120
_DIGITS: Final = re.compile(r"\d+")
_PAGE_NUMBER: Final = re.compile(
    r"(?:page|strona|str\.|s\.|p\.)?\s*[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:of|z|/)\s*\d{1,4})?", re.IGNORECASE
)
_HYPHENATED: Final = re.compile(r"[^\W\d_]-$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line and where it stands, in points from the page's lower edge."""

    text: str
    top: float
    bottom: float

    @property
    def height(self) -> int:
        """In half points, so that equal sizes are equal."""
        return round(2 * (self.top - self.bottom))


@dataclass(frozen=True, slots=True)
class Page:
    """A page's lines as the file has them, and its height in points."""

    lines: list[Line]
    height: float

    def edges(self) -> dict[str, Line]:
        """What stands at its upper and lower edge, with numbers made equal."""
        band = _EDGE_PART * self.height
        return {
            _DIGITS.sub("0", line.text): line
            for line in self.lines
            if line.bottom > self.height - band or line.top < band
        }


class Layout:
    """What is known of a document's looks from the pages so far."""

    def __init__(self) -> None:
        self._heights: Counter[int] = Counter()

    def without_edges(self, pages: Iterable[Page]) -> Iterator[Page]:
        """The pages without what the page before or after has in the same place, and without their numbers."""
        before: dict[str, Line] = {}
        page: Page | None = None
        for following in chain(pages, [None]):
            if page is not None:
                after = following.edges() if following is not None else {}
                own = page.edges()
                yield Page([line for line in page.lines if not _repeats(line, own, {**before, **after})], page.height)
                before = own
            page = following

    def blocks(self, page: Page) -> Iterator[Block]:
        for line in page.lines:
            self._heights[line.height] += len(line.text)
        usual = self._heights.most_common(1)[0][0] if self._heights else 0
        lines: list[str] = []
        large: list[Line] = []
        last: Line | None = None
        for line in page.lines:
            level = _level(line, usual)
            if large and not (level and _goes_on(large, line)):
                yield _heading(large, usual)
                large = []
            if level:
                yield from read_plain_text(lines).blocks
                lines = []
                large.append(line)
            else:
                _append(lines, line, last)
            last = line
        if large:
            yield _heading(large, usual)
        yield from read_plain_text(lines).blocks


def _repeats(line: Line, own: dict[str, Line], others: dict[str, Line]) -> bool:
    key = _DIGITS.sub("0", line.text)
    return own.get(key) is line and (key in others or _PAGE_NUMBER.fullmatch(line.text) is not None)


def _level(line: Line, usual: int) -> int:
    """The level of the heading that a line is by its size; 0 when it is none."""
    if len(line.text) > _HEADING_CHARACTERS or not any(sign.isalpha() for sign in line.text):
        return 0
    return next((level for ratio, level in _HEADING_RATIOS if line.height >= ratio * usual), 0)


def _goes_on(large: list[Line], line: Line) -> bool:
    """Whether a heading takes another line: as large, right under it."""
    last = large[-1]
    return line.height == last.height and 0 <= last.top - line.top < 2 * (last.top - last.bottom)


def _heading(large: list[Line], usual: int) -> Block:
    return Block(BlockKind.HEADING, " ".join(line.text for line in large), level=_level(large[0], usual) or 3)


def _append(lines: list[str], line: Line, last: Line | None) -> None:
    """Add a line to those of the text, a blank one before it where a paragraph begins, and mend a word cut in two."""
    is_apart = last is not None and last.bottom - line.top > _GAP_PART * (line.top - line.bottom)
    if lines and is_apart:
        lines.append("")
    if lines and _HYPHENATED.search(lines[-1]) and line.text[:1].islower():
        lines.append(lines.pop()[:-1] + line.text)
    else:
        lines.append(line.text)
