"""All readers of documents."""

from __future__ import annotations

from palimpsest.adapters.documents.csv_table import CsvReader
from palimpsest.adapters.documents.docx_file import DocxReader
from palimpsest.adapters.documents.email_message import EmailReader
from palimpsest.adapters.documents.html_page import HtmlReader
from palimpsest.adapters.documents.json_values import JsonLinesReader, JsonReader
from palimpsest.adapters.documents.pdf_file import PdfReader
from palimpsest.adapters.documents.plain import MARKDOWN, PLAIN_TEXT
from palimpsest.ports.document_reader import DocumentReader


def all_readers() -> tuple[DocumentReader, ...]:
    """One for each format. What takes long to load is loaded by the first document that needs it."""
    return (
        MARKDOWN,
        PLAIN_TEXT,
        HtmlReader(),
        CsvReader(),
        JsonReader(),
        JsonLinesReader(),
        EmailReader(),
        DocxReader(),
        PdfReader(),
    )
