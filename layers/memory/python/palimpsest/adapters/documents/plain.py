"""Markdown and plain text, as files in UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Final

from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Reading
from palimpsest.domain.library.markdown import read_markdown
from palimpsest.domain.library.media_types import PLAIN
from palimpsest.domain.library.plain_text import read_plain_text
from palimpsest.ports.document_reader import Endings

_PIECE_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class TextReader:
    """Reads texts by their lines."""

    endings: Endings
    by_lines: Callable[[Iterator[str]], Reading]

    def read(self, file: IO[bytes]) -> Reading:
        return self.by_lines(_lines(file))


MARKDOWN: Final = TextReader({"md": "text/markdown", "markdown": "text/markdown"}, read_markdown)
PLAIN_TEXT: Final = TextReader({"txt": PLAIN, "text": PLAIN}, read_plain_text)


def _lines(file: IO[bytes]) -> Iterator[str]:
    """The lines of a text in UTF-8, with their ends; Unreadable when it is none."""
    decoder, rest = codecs.getincrementaldecoder("utf-8-sig")(), ""
    try:
        while piece := file.read(_PIECE_BYTES):
            *whole, rest = (rest + decoder.decode(piece)).splitlines(keepends=True) or [""]
            yield from whole
        yield from (rest + decoder.decode(b"", final=True)).splitlines(keepends=True)
    except UnicodeDecodeError as error:
        raise Unreadable("not_utf8") from error
