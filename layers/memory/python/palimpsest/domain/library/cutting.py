"""A text too long for a window, cut where it hurts least."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from palimpsest.domain.library.sentences import ends

Measure: TypeAlias = Callable[[str], int]
"""What a text takes of a window; words with white space between them take at most what all of these take alone."""

Rung: TypeAlias = Callable[[str], Iterator[int]]
"""Where a text may be cut: the places at which a part begins, in order."""

_LONG_TOKEN: Final = 16
"""Characters; a text that would need longer ones to fit is cut without being measured."""

# No pattern can match in more than one way, so all take linear time.
_BLANK_LINE: Final = re.compile(r"\n(?:[^\S\n]*\n)+")
_LINE: Final = re.compile(r"\n")
_ITEM: Final = re.compile(r"\n(?=\S)")
_WORD: Final = re.compile(r"\s+")
_JOINER: Final = "\u200d"
_SKIN_TONES: Final = ("\U0001f3fb", "\U0001f3ff")
_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")


class Part(NamedTuple):
    """A part of a text, from `begin` to `end`, without white space around it, and what it takes."""

    begin: int
    end: int
    size: int


def blank_lines(text: str) -> Iterator[int]:
    """After each blank line."""
    return _places(_BLANK_LINE, text)


def items(text: str) -> Iterator[int]:
    """At lines that are not indented."""
    return _places(_ITEM, text)


def lines(text: str) -> Iterator[int]:
    """At each line."""
    return _places(_LINE, text)


def sentences(text: str) -> Iterator[int]:
    """Where a sentence begins for sure."""
    return (end.at for end in ends(text) if end.is_sure)


def clauses(text: str) -> Iterator[int]:
    """Where a sentence may begin."""
    return (end.at for end in ends(text))


def words(text: str) -> Iterator[int]:
    """At each word."""
    return _places(_WORD, text)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Where a kind of text may be cut.

    Attributes:
        rungs: The best places first.
        keeps_indent: The spaces before the first word of a line stay with it.
    """

    rungs: tuple[Rung, ...]
    keeps_indent: bool = False


PROSE: Final = Ladder((blank_lines, sentences, clauses, words))
LIST: Final = Ladder((items, lines, *PROSE.rungs), keeps_indent=True)
CODE: Final = Ladder((blank_lines, lines, words), keeps_indent=True)
ROWS: Final = Ladder((lines, *PROSE.rungs))


def cut(text: str, ladder: Ladder, measure: Measure, limit: int) -> list[Part]:
    """Few parts of `text` that fit `limit`, of about equal size, in order.

    Nothing but white space lies between them. Where a part that one rung leaves is still too long, the next one cuts
    it; what no rung cuts is cut between characters, and only one that by itself takes more than `limit` stays so large.

    Args:
        text: Anything; nothing but white space has no parts.
        ladder: Where it may be cut.
        measure: Is asked once for what fits, and a few times over for what does not.
        limit: At least 1.
    """
    return _Cutting(text, ladder, measure, limit).parts()


class _Cutting:
    """One text being cut."""

    def __init__(self, text: str, ladder: Ladder, measure: Measure, limit: int) -> None:
        self._text = text
        self._ladder = ladder
        self._measure = measure
        self._limit = limit
        self._gaps: dict[str, int] = {}

    def parts(self) -> list[Part]:
        """As `cut`."""
        pieces = list(self._pieces(self._trimmed(0, len(self._text)), 0))
        return list(self._levelled(pieces))

    def _pieces(self, span: tuple[int, int], rung: int) -> Iterator[Part]:
        begin, end = span
        if begin == end:
            return
        if end - begin <= self._limit * _LONG_TOKEN and (size := self._size(begin, end)) <= self._limit:
            yield Part(begin, end, size)
        elif rung == len(self._ladder.rungs):
            yield from self._fragments(begin, end)
        else:
            places = self._ladder.rungs[rung](self._text[begin:end])
            for a, b in pairwise([begin, *(begin + at for at in places), end]):
                yield from self._pieces(self._trimmed(a, b), rung + 1)

    def _fragments(self, begin: int, last: int) -> Iterator[Part]:
        """A word without an end, in lengths that are halved until they fit."""
        length = self._limit * _LONG_TOKEN
        while begin < last:
            end = _between_characters(self._text, begin, min(last, begin + length))
            size = self._size(begin, end)
            if size > self._limit and length > 1:
                length //= 2
                continue
            yield Part(begin, end, size)
            begin = end

    def _levelled(self, pieces: Sequence[Part]) -> Iterator[Part]:
        """Neighbours put together to as few parts as can be, of about equal size."""
        left = sum(piece.size for piece in pieces) + sum(self._gap(*both) for both in pairwise(pieces))
        whole: Part | None = None
        for piece in pieces:
            equal = left / max(1, -(-left // self._limit))
            if whole is None:
                whole = piece
                continue
            size = self._joined(whole, piece)
            if size > self._limit or size - piece.size / 2 > equal:
                yield whole
                left -= size - piece.size
                whole = piece
            else:
                whole = Part(whole.begin, piece.end, size)
        if whole is not None:
            yield whole

    def _size(self, begin: int, end: int) -> int:
        return self._measure(self._text[begin:end])

    def _joined(self, one: Part, other: Part) -> int:
        """What two neighbours take together, at most."""
        if one.end == other.begin:
            return self._size(one.begin, other.end)  # where no space parts words, a measure promises nothing
        return one.size + self._gap(one, other) + other.size

    def _gap(self, one: Part, other: Part) -> int:
        """What the white space between two neighbours takes."""
        gap = self._text[one.end : other.begin]
        if gap not in self._gaps:
            self._gaps[gap] = self._measure(gap) if gap else 0
        return self._gaps[gap]

    def _trimmed(self, begin: int, end: int) -> tuple[int, int]:
        part = self._text[begin:end]
        stripped = part.lstrip()
        if not stripped:
            return end, end
        first = end - len(stripped)
        last = first + len(stripped.rstrip())
        if self._ladder.keeps_indent:
            line = self._text.rfind("\n", begin, first) + 1 or begin
            is_line_start = line == 0 or self._text[line - 1] == "\n"
            first = line if is_line_start else first
        return first, last


def _between_characters(text: str, begin: int, end: int) -> int:
    """`end`, or a place before it that parts no accent from its letter and no emoji; `end` if there is none."""
    at = end
    while begin < at < len(text) and _belong_together(text, begin, at):
        at -= 1
    return at if at > begin else end


def _belong_together(text: str, begin: int, at: int) -> bool:
    """Whether the characters before and after `at` are seen as one, `begin` being between two that are not."""
    before, after = text[at - 1], text[at]
    return (
        before == _JOINER
        or after == _JOINER
        or _SKIN_TONES[0] <= after <= _SKIN_TONES[1]
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
        or (_is_half_of_flag(after) and _halves_of_flags(text, begin, at) % 2 == 1)
    )


def _halves_of_flags(text: str, begin: int, at: int) -> int:
    """How many there are before `at`, without another character between."""
    first = at
    while first > begin and _is_half_of_flag(text[first - 1]):
        first -= 1
    return at - first


def _is_half_of_flag(character: str) -> bool:
    return _FLAGS[0] <= character <= _FLAGS[1]


def _places(pattern: re.Pattern[str], text: str) -> Iterator[int]:
    return (found.end() for found in pattern.finditer(text))
