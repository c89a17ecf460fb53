"""DOCX: a zip file with the text of a word processor as XML. Nothing is unpacked to a disk."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from types import MappingProxyType
from typing import IO, Final
from zipfile import BadZipFile, ZipFile

from palimpsest.adapters.documents.docx_blocks import Paragraphs
from palimpsest.adapters.documents.docx_styles import numberings, styles
from palimpsest.adapters.documents.xml_events import Event, Happening, events
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Block, Reading
from palimpsest.ports.document_reader import Endings

_MAIN: Final = re.compile(r"word/document\d*\.xml")
_MEMBERS: Final = 10_000
_UNPACKED_BYTES: Final = 256 * 1024 * 1024
_SMALL_BYTES: Final = 16 * 1024 * 1024
_RATIO: Final = 200
"""Above the small size nothing that people write is packed so tightly."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What Word's older format begins with, and what holds an encrypted file of the newer one."""
_BROKEN: Final = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""What a broken zip file raises, from wherever it is broken."""


class DocxReader:
    """Reads headings, paragraphs, lists and tables; what was deleted under review is not read."""

    endings: Endings = MappingProxyType(
        {"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}
    )

    def read(self, file: IO[bytes]) -> Reading:
        archive = _open(file)
        return Reading(_title(archive), _blocks(archive))


def _open(file: IO[bytes]) -> ZipFile:
    if file.read(len(_OLE)) == _OLE:
        is_locked = "EncryptedPackage".encode("utf-16-le") in file.read()
        raise Unreadable("encrypted" if is_locked else "unknown_format")
    file.seek(0)
    try:
        archive = ZipFile(file)
    except _BROKEN as error:
        raise Unreadable("damaged") from error
    if len(archive.infolist()) > _MEMBERS:
        raise Unreadable("zip_bomb")
    return archive


def _events(archive: ZipFile, name: str) -> Iterator[Event]:
    """Of a member; none where there is no such member."""
    if name not in archive.namelist():
        return
    member = archive.getinfo(name)
    is_bomb = member.file_size > _SMALL_BYTES and member.file_size > _RATIO * member.compress_size
    if is_bomb or member.file_size > _UNPACKED_BYTES:
        raise Unreadable("zip_bomb")
    try:
        with archive.open(member) as file:  # gives no more than the size that was told
            yield from events(file)
    except _BROKEN as error:
        raise Unreadable("damaged") from error


def _title(archive: ZipFile) -> str | None:
    """What the properties of the file say."""
    is_title, said = False, ""
    for event in _events(archive, "docProps/core.xml"):
        if event.kind is Happening.TEXT:
            said += event.said if is_title else ""
        else:
            is_title = event.said == "title" and event.kind is Happening.START
    return " ".join(said.split()) or None


def _blocks(archive: ZipFile) -> Iterator[Block]:
    main = next(filter(_MAIN.fullmatch, archive.namelist()), None)
    if main is None:
        raise Unreadable("damaged")
    looks = styles(_events(archive, "word/styles.xml")), numberings(_events(archive, "word/numbering.xml"))
    has_text = False
    for block in Paragraphs(*looks).blocks(_events(archive, main)):
        has_text = has_text or bool(block.text.strip())
        yield block
    if not has_text:
        raise Unreadable("no_text")
