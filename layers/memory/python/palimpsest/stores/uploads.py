"""Uploads in the table: one item each, gone a day after its time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.ids import DocumentId, KeyId, UploadId
from palimpsest.domain.source import Trust
from palimpsest.domain.upload import KEPT_FOR, Upload, UploadState
from palimpsest.ports.table import Index, Item, Put, Query, Table, Value, Write
from palimpsest.stores import document_parts, library_keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Uploads:
    """Reads and writes uploads. Whoever takes one in twice writes the same."""

    table: Table

    def begin(self, upload: Upload, also: Iterable[Write] = ()) -> None:
        """Keep a new one, with further writes; raises what they raise."""
        self.table.transact([Put(_item(upload)), *also])

    def keep(self, upload: Upload) -> None:
        """How it stands now."""
        self.table.write(Put(_item(upload)))

    def find(self, upload: UploadId) -> Upload | None:
        """The upload, strongly read; None when there is none any more."""
        place = library_keys.upload(upload)
        stored = self.table.get([place]).items.get(place)
        return None if stored is None else read(stored)

    def ended(self, now: datetime, limit: int) -> list[UploadId]:
        """At most `limit` of those that wait although their time is over."""
        page = self.table.query(Query(library_keys.UPLOADS, index=Index.TWO, high=instants.write(now), limit=limit))
        return [UploadId(Reader(entry).text("pk").removeprefix("UP#")) for entry in page.items]


def _item(upload: Upload) -> dict[str, Value]:
    waits = upload.state is UploadState.WAITING
    return item(
        library_keys.upload(upload.id),
        space=upload.space,
        path=upload.path,
        title=upload.title,
        media_type=upload.media_type,
        size=upload.size,
        source=document_parts.source(upload.source),
        trust=upload.source.trust,
        asked_by=upload.asked_by,
        max_trust=upload.max_trust,
        expires_at=upload.expires_at,
        document=upload.document,
        outcome=upload.outcome,
        failure=upload.failure,
        ttl=instants.epoch_seconds(upload.expires_at + KEPT_FOR),
        g2pk=library_keys.UPLOADS if waits else None,
        g2sk=instants.write(upload.expires_at) if waits else None,
    )


def read(stored: Item) -> Upload:
    """The upload in an item; CorruptItem when it is none."""
    r = Reader(stored)
    document = r.optional("document", r.text)
    return Upload(
        id=UploadId(r.text("pk").removeprefix("UP#")),
        space=r.text("space"),
        path=r.text("path"),
        title=r.optional("title", r.text),
        media_type=r.text("media_type"),
        size=r.integer("size"),
        source=document_parts.read_source(r.map("source"), r.choice("trust", Trust)),
        asked_by=KeyId(r.text("asked_by")),
        max_trust=r.choice("max_trust", Trust),
        expires_at=r.instant("expires_at"),
        document=None if document is None else DocumentId(document),
        outcome=r.text("outcome"),
        failure=r.text("failure"),
    )
