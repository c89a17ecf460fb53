"""Rows of tables and records as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from palimpsest.domain.library.blocks import Block, BlockKind

_WIDE_CHARACTERS: Final = 400
"""A row that takes more on average is easier to read as a record."""


def table(body: Iterable[Sequence[str]], head: Sequence[str] | None = None) -> Block:
    """A table with a row a line and its head, if it has one, in the first."""
    lines = [line(row) for row in ([head, *body] if head is not None else body)]
    return Block(BlockKind.TABLE, "\n".join(lines), head_rows=0 if head is None else 1)


def line(cells: Iterable[str]) -> str:
    return " | ".join(" ".join(cell.split()) for cell in cells).rstrip()


def record(fields: Iterable[tuple[str, str]]) -> Block:
    """What has a value, a name and its value a line."""
    lines = [f"{name.strip()}: {value.strip()}" for name, value in fields if value.strip()]
    return Block(BlockKind.PREFORMATTED, "\n".join(lines))


def are_wide(sample: Sequence[Sequence[str]]) -> bool:
    return sum(len(cell) for row in sample for cell in row) > _WIDE_CHARACTERS * len(sample)
