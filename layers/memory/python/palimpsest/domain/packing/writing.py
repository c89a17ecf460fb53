"""A context as text: parts with a heading each, an entry a line or several, all of it behind one fence.

Nothing that is stored begins a line, so no text can pass for a heading, for another entry or for the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.fencing import fence
from palimpsest.domain.packing.counting import count_tokens
from palimpsest.domain.packing.entry import Entry

_LABEL: Final = "memory"
_ABOUT_CHARACTERS: Final = 120
_MOST_NUMBERED: Final = 999
_MARK_AT_ITS_DEAREST: Final = "a1" * 8


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry in a context. `text` is what is left of it there; `part`: under which heading."""

    entry: Entry
    part: str
    text: str
    is_cut: bool = False


def written(placed: Sequence[Placed], note: str = "") -> str:
    """The context: entries in the order given, numbered from 1, and `note` at the end; empty without entries."""
    if not placed:
        return ""
    lines: list[str] = []
    part = ""
    for number, each in enumerate(placed, start=1):
        if each.part != part:
            lines.append(heading(each.part))
            part = each.part
        lines.append(line(number, each))
    return fence(_LABEL, "\n".join([*lines, *([note] if note else [])]))


def heading(part: str) -> str:
    return f"{part.capitalize()}:"


def line(number: int, placed: Placed) -> str:
    """An entry with its number; its further lines are moved in."""
    entry = placed.entry
    said = f"{entry.said_at:%Y-%m-%d}" if entry.said_at is not None else ""
    about = " ".join(entry.about.split())[:_ABOUT_CHARACTERS]
    before = ", ".join(filter(None, (about, said)))
    first, *others = [each.rstrip() for each in placed.text.splitlines() if each.strip()] or [""]
    head = f"[{number}] {before}: {first.strip()}" if before else f"[{number}] {first.strip()}"
    return "\n  ".join([head, *others])


def frame_cost(note: str = "") -> int:
    """Tokens of what stands around the entries, at most."""
    framed = fence(_LABEL, note or "x")
    mark = framed.split()[1].rstrip(":")
    return count_tokens(framed.replace(mark, _MARK_AT_ITS_DEAREST))


def entry_cost(placed: Placed) -> int:
    """Tokens of the entry and of its line end, whatever its number will be."""
    return count_tokens(line(_MOST_NUMBERED, placed)) + 1


def heading_cost(part: str) -> int:
    """Tokens of the heading and of its line end."""
    return count_tokens(heading(part)) + 1
