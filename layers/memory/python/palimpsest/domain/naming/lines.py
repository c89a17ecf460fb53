"""Coded sentences, and the way back from them to the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from palimpsest.domain.naming.proposals import Span


class Coded(NamedTuple):
    """A piece of a coded sentence, and which part of the text it stands for; none for what is only understood."""

    code: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Line:
    """A coded sentence."""

    text: str
    pieces: tuple[Coded, ...]
    words: frozenset[str]

    def span(self, start: int, end: int) -> Span:
        """The part of the original text that a part of the code stands for."""
        at, touched = 0, []
        for piece in self.pieces:
            if at < end and at + len(piece.code) > start and piece.end > piece.start:
                touched.append(piece)
            at += len(piece.code) + 1
        return Span(touched[0].start, touched[-1].end) if touched else Span(0, 0)
