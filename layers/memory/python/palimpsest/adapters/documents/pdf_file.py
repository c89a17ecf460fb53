"""PDF, read by PDFium through pypdfium2: the text layer, page by page."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import IO, Any, Final

from palimpsest.adapters.documents.pdf_lines import Layout, Line, Page
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Block, Reading
from palimpsest.ports.document_reader import Endings

PAGES_LIMIT: Final = 5_000
_PAGE_CHARACTERS: Final = 500_000
_BEGINNING: Final = b"%PDF-"
_BEGINNING_BYTES: Final = 1024
"""Within so many people tolerate something else before it."""
_ENCRYPTED: Final = (4, 5)
_NO_FILE: Final = 2
_NO_TITLE: Final = re.compile(
    r"untitled|\(anonymous\)|Microsoft (?:Word|PowerPoint|Excel) - .*|.*\.(?:docx?|pdf|indd|tex)", re.IGNORECASE
)
_UNSEEN: Final = re.compile(r"[\x00-\x01\x03-\x08\x0b\x0c\x0e-\x1f]")
_CUT_WORDS: Final = dict.fromkeys(map(ord, "\x02\ufffe\u00ad"))
"""PDFium joins a word that the end of a line has cut, with a sign of its own in between."""
_ONE_AT_A_TIME: Final = threading.RLock()
"""PDFium is not made for several threads, not even with a document each."""


class PdfReader:
    """Reads what a page says, with its number. Pictures of text say nothing."""

    endings: Endings = MappingProxyType({"pdf": "application/pdf"})

    def read(self, file: IO[bytes]) -> Reading:
        if _BEGINNING not in file.read(_BEGINNING_BYTES):
            raise Unreadable("damaged")
        document = _open(file)
        with _ONE_AT_A_TIME:
            title = _UNSEEN.sub("", document.get_metadata_value("Title")).strip()
        return Reading(None if _NO_TITLE.fullmatch(title) else title or None, _blocks(document))


def _open(file: IO[bytes]) -> Any:  # noqa: ANN401 - the library is loaded late
    library = _library()
    file.seek(0)
    try:
        with _ONE_AT_A_TIME:
            _raw().FPDF_LoadDocument(
                b"\0", None
            )  # fails for lack of a file: the last error is kept where there is no new one
            document = library.PdfDocument(file)
            pages = len(document)
    except library.PdfiumError as error:
        if error.err_code in _ENCRYPTED:
            raise Unreadable("encrypted") from error
        raise Unreadable("empty" if error.err_code == _NO_FILE else "damaged") from error
    if pages > PAGES_LIMIT:
        _close(document)
        raise Unreadable("too_many_pages")
    return document


def _blocks(document: Any) -> Iterator[Block]:  # noqa: ANN401
    """Blocks with the pages they stand on; a page is read when the one before it has been."""
    layout = Layout()
    has_text = False
    try:
        for number, page in enumerate(layout.without_edges(_pages(document)), 1):
            for block in layout.blocks(page):
                has_text = has_text or bool(block.text.strip())
                yield replace(block, page=number)
    finally:
        _close(document)
    if not has_text:
        raise Unreadable("no_text")


def _pages(document: Any) -> Iterator[Page]:  # noqa: ANN401
    for number in range(len(document)):
        try:
            with _ONE_AT_A_TIME:
                page = _page(document, number)
        except _library().PdfiumError as error:
            raise Unreadable("damaged") from error
        yield page


def _page(document: Any, number: int) -> Page:  # noqa: ANN401
    page = document[number]
    try:
        text_page = page.get_textpage()
        if text_page.count_chars() > _PAGE_CHARACTERS:
            raise Unreadable("too_large")
        return Page(list(_lines(text_page)), page.get_height())
    finally:
        page.close()


def _lines(text_page: Any) -> Iterator[Line]:  # noqa: ANN401
    """The lines in the order in which the file has them, each with where its first sign stands."""
    raw = _raw()
    begin = 0
    for line in text_page.get_text_range().split("\r\n"):
        said = _UNSEEN.sub("", line).translate(_CUT_WORDS)
        if said.strip():
            index = raw.FPDFText_GetCharIndexFromTextIndex(text_page, begin + len(line) - len(line.lstrip()))
            _, bottom, _, top = text_page.get_charbox(max(index, 0), loose=True)
            yield Line(said.strip(" \t"), top, bottom)
        begin += len(line) + 2


def _close(document: Any) -> None:  # noqa: ANN401
    with _ONE_AT_A_TIME:
        document.close()


@cache
def _library() -> ModuleType:
    try:
        return import_module("pypdfium2")
    except ImportError as error:
        raise Unreadable("unknown_format") from error


def _raw() -> ModuleType:
    return import_module("pypdfium2.raw")
