"""What people see: tables and wrapped text that fit the terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

_GAP = "  "
_LEAST_LAST_COLUMN = 24
_SHOWN = 500
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32"}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Screen:
    """Where answers go.

    Attributes:
        width: Columns of the terminal; None for a file or a pipe, where each row is one line of any length.
        has_color: Styles may be shown.
    """

    out: TextIO
    width: int | None = None
    has_color: bool = False

    def line(self, text: str = "") -> None:
        """One line, as it is."""
        self.out.write(f"{text}\n")

    def paragraph(self, text: str, *, first: str = "") -> None:
        """Text of somebody, wrapped, with its line breaks; `first` stands before it, the rest is indented as far."""
        for number, row in enumerate(wrapped(plain(text), None if self.width is None else self.width - len(first))):
            self.line(f"{' ' * len(first)}{row}" if number else f"{first}{row}")

    def fields(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Names and values below each other."""
        widest = max((len(name) for name, _ in pairs), default=0)
        for name, value in pairs:
            self.line(f"{self.styled(name.ljust(widest), 'dim')}{_GAP}{one_line(value)}")

    def table(self, titles: Sequence[str], rows: Sequence[Sequence[str]], *, most_lines: int = 3) -> None:
        """Rows under titles; the last column is wrapped into what is left of the width, at most so many lines."""
        cells = [[one_line(cell) for cell in row] for row in rows]
        widths = [max(map(columns, column)) for column in zip(titles, *cells, strict=True)]
        room = None if self.width is None else self.width - sum(widths[:-1]) - len(_GAP) * (len(widths) - 1)
        if room is not None and room < min(_LEAST_LAST_COLUMN, widths[-1]):
            self._stack(titles, cells, most_lines)
            return
        self.line(self.styled(_joined(titles, widths), "bold"))
        for row in cells:
            first, *rest = shortened(wrapped(row[-1], room), most_lines)
            self.line(_joined([*row[:-1], first], widths))
            for more in rest:
                self.line(_joined([""] * (len(row) - 1) + [more], widths))

    def _stack(self, titles: Sequence[str], rows: Sequence[Sequence[str]], most_lines: int) -> None:
        """For narrow terminals: each row as a block."""
        for row in rows:
            for title, cell in zip(titles, row, strict=True):
                for number, text in enumerate(shortened(wrapped(cell, self.width and self.width - 2), most_lines)):
                    self.line(f"  {text}" if number or title != titles[0] else text)
            self.line()

    def styled(self, text: str, *styles: str) -> str:
        """Text in a style, where styles can be shown."""
        if not self.has_color or not text:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


def plain(text: str) -> str:
    """Text without control characters, so that what somebody stored can't steer a terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.expandtabs(4))


def one_line(text: str) -> str:
    """Plain text with every run of white space as one space."""
    return plain(" ".join(text.split()))


def beginning(text: str) -> str:
    """As much of a text as a list shows: one may be 100 KB, and whoever wants all of it asks `show`."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def columns(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def wrapped(text: str, width: int | None) -> list[str]:
    """Lines of at most so many columns, broken between words where possible; at least one line."""
    if width is None:
        return text.split("\n")
    return [row for line in text.split("\n") for row in _wrapped_line(line, max(width, 2))]


def shortened(rows: Sequence[str], most: int) -> list[str]:
    """At most so many rows; the last one shows when there are more."""
    return list(rows) if len(rows) <= most else [*rows[: most - 1], f"{rows[most - 1]} …"]


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _wrapped_line(line: str, width: int) -> Iterator[str]:
    row = ""
    for word in line.split(" "):
        for piece in _pieces(word, width):
            candidate = f"{row} {piece}" if row else piece
            if row and columns(candidate) > width:
                yield row
                row = piece
            else:
                row = candidate
    yield row


def _pieces(word: str, width: int) -> Iterator[str]:
    piece, used = "", 0
    for character in word:
        size = _columns(character)
        if used + size > width:
            yield piece
            piece, used = "", 0
        piece, used = piece + character, used + size
    yield piece


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (width - columns(cell)) for cell, width in zip(cells, widths, strict=True)]
    return _GAP.join(padded).rstrip()
