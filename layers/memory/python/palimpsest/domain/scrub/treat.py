"""A text with what was found in it taken out, or only pointed at, as the rules say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from palimpsest.domain.scrub.kinds import MARKS, Found, Rules, Treatment


class Treated(NamedTuple):
    """The text as it is stored, and the pieces in it: marks of what is gone, and what is pointed at."""

    text: str
    redacted: list[Found]
    flagged: list[Found]


def treat(text: str, found: Sequence[Found], rules: Rules) -> Treated:
    """Replace each piece by its mark, or leave it and point at it; `found` is in order and apart."""
    treated = Treated("", [], [])
    parts: list[str] = []
    read, written = 0, 0
    for piece in found:
        treatment = rules.treatment(piece.kind)
        if treatment is Treatment.OFF:
            continue
        left = text[read : piece.start]
        shown = MARKS[piece.kind] if treatment is Treatment.REDACT else text[piece.start : piece.end]
        parts += [left, shown]
        start = written + len(left)
        written = start + len(shown)
        read = piece.end
        pieces = treated.redacted if treatment is Treatment.REDACT else treated.flagged
        pieces.append(Found(start, written, piece.kind))
    return treated._replace(text="".join([*parts, text[read:]]))
