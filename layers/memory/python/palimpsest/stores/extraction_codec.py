"""Extractions as maps in the items of versions."""

from __future__ import annotations

from palimpsest.domain.extraction import Extraction, Method
from palimpsest.domain.ids import ChunkId, DocumentId
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader


def written(extraction: Extraction) -> dict[str, Value]:
    """The extraction as a map."""
    told: dict[str, Value | None] = {
        "subject": extraction.subject,
        "percent": extraction.percent,
        "method": extraction.method,
        "model": extraction.model,
        "date_phrase": extraction.date_phrase,
        "document": extraction.document,
        "chunk": extraction.chunk,
        "characters": list(extraction.characters),
    }
    return {name: value for name, value in told.items() if value is not None}


def read(r: Reader) -> Extraction:
    """The extraction in a map; CorruptItem when it is none."""
    return Extraction(
        subject=r.text("subject"),
        percent=r.integer("percent"),
        method=r.choice("method", Method),
        model=r.optional("model", r.text),
        date_phrase=r.optional("date_phrase", r.text),
        document=DocumentId(r.text("document")),
        chunk=ChunkId(r.text("chunk")),
        characters=r.range("characters"),
    )
