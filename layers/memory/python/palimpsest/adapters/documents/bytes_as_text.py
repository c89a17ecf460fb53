"""Bytes of texts whose encoding is not said, or said wrongly."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import IO, Final

from palimpsest.domain.errors import Unreadable

_PIECE_BYTES: Final = 1024 * 1024
_LINE_CHARACTERS: Final = 1024 * 1024
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_POLISH: Final = re.compile(rb"[A-Za-z\xf3\xea][\xb9\xb3\x9c\x9f\xbf\xf1\xe6]|[\xb9\xb3\x9c\x9f\xbf][A-Za-z\xf3]")
_CALLED_OTHERWISE: Final = {"iso8859-1": "cp1252", "ascii": "cp1252"}
"""What browsers take them for."""


def bounded(file: IO[bytes], limit_bytes: int) -> bytes:
    """All bytes of a file; Unreadable when there are more than the limit, or none."""
    content = file.read(limit_bytes + 1)
    if len(content) > limit_bytes:
        raise Unreadable("too_large")
    if not content.strip():
        raise Unreadable("empty")
    return content


def known_encoding(name: str | None) -> str | None:
    """An encoding by what somebody calls it, as browsers take it; None when it is none of texts."""
    try:
        found = codecs.lookup((name or "").strip()).name
        b"a".decode(found, "replace")
    except (LookupError, ValueError):
        return None
    return _CALLED_OTHERWISE.get(found, found)


def marked_encoding(content: bytes) -> str | None:
    """The encoding that the first bytes tell, if they do."""
    return next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None)


def encoding_of(file: IO[bytes]) -> str:
    """The encoding of a file of text, from its first mark, else the first that fits: UTF-8, then Windows' ones.

    Raises:
        Unreadable: There is nothing in it, or what is no text.
    """
    first = file.read(_PIECE_BYTES)
    if not first.strip():
        raise Unreadable("empty")
    if marked := marked_encoding(first):
        return marked
    decoder, piece, guess = codecs.getincrementaldecoder("utf-8")(), first, "cp1252"
    while piece:
        if b"\0" in piece:
            raise Unreadable("damaged")
        if _POLISH.search(piece):
            guess = "cp1250"
        try:
            decoder.decode(piece)
        except UnicodeDecodeError:
            return guess
        piece = file.read(_PIECE_BYTES)
    return "utf-8"


def lines_of(file: IO[bytes], encoding: str) -> Iterator[str]:
    """The lines of a file from its beginning, with their ends; Unreadable when one is longer than a million signs."""
    file.seek(0)
    reader = codecs.getreader(encoding)(file, "replace")
    rest = ""
    while piece := reader.read(_PIECE_BYTES // 4):
        *whole, rest = (rest + piece).split("\n")
        if len(rest) > _LINE_CHARACTERS:
            raise Unreadable("too_large")
        yield from (line + "\n" for line in whole)
    if rest:
        yield rest
