"""Plain text, read for its outline: titles in capitals or underlined, numbered points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from palimpsest.domain.library.blocks import Block, BlockKind, Reading
from palimpsest.domain.library.points import Title, title_in

_UNDERLINE: Final = re.compile(r"\s*(?:(={3,})|-{3,}|~{3,})\s*")
_ITEM: Final = re.compile(r"\s*(?:[-*•–]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_SENTENCE_OVER: Final = (".", "!", "?", "…", ":", ";")
_PARAGRAPH_LINES: Final = 400
"""A text without blank lines is given in parts of so many."""


def read_plain_text(lines: Iterable[str]) -> Reading:
    """A text from its lines, with or without their ends.

    A heading is a line in capitals, an underlined one, and a numbered point ("1.2 Scope", "§ 3", "Art. 5", "IV.",
    "Chapter 2") that reads like a title; it keeps its number. Of "Art. 5. Each member …" the number is the heading.
    """
    return Reading(None, _blocks(lines))


def _blocks(lines: Iterable[str]) -> Iterator[Block]:
    paragraph: list[str] = []
    for line in lines:
        if line.strip() and len(paragraph) < _PARAGRAPH_LINES:
            paragraph.append(line.rstrip("\r\n"))
            continue
        yield from _outlined(paragraph)
        paragraph = [line.rstrip("\r\n")] if line.strip() else []
    yield from _outlined(paragraph)


def _outlined(lines: list[str]) -> Iterator[Block]:
    """The headings among neighbouring lines and what is under them."""
    body: list[str] = []
    skip = False
    for n, line in enumerate(lines):
        following = lines[n + 1] if n + 1 < len(lines) else ""
        begins = not body or body[-1].rstrip().endswith(_SENTENCE_OVER)
        if skip:
            skip = False
        elif title := _title(line, following) if begins else None:
            yield from _body(body)
            body = [title.rest] if title.rest else []
            yield Block(BlockKind.HEADING, title.text, title.level)
            skip = bool(_UNDERLINE.fullmatch(following))
        else:
            body.append(line)
    yield from _body(body)


def _title(line: str, following: str) -> Title | None:
    if underline := _UNDERLINE.fullmatch(following):
        long_enough = 2 * len(following.strip()) >= len(line.strip())
        return Title(line.strip(), 1 if underline[1] else 2) if long_enough else None
    return title_in(line.strip(), following.strip())


def _body(lines: list[str]) -> Iterator[Block]:
    if lines:
        is_list = sum(1 for line in lines if _ITEM.match(line)) > 1 and _ITEM.match(lines[0])
        yield Block(BlockKind.LIST if is_list else BlockKind.PARAGRAPH, "\n".join(lines))
