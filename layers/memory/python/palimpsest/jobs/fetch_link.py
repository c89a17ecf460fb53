"""Fetch what a document's link leads to: what is new arrives as its next edition, the rest costs one write."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from palimpsest.domain.document import Document
from palimpsest.domain.errors import Invalid, Unreadable
from palimpsest.domain.library import web_address
from palimpsest.domain.library.media_types import MediaTypes
from palimpsest.domain.link import Link
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.clock import Clock
from palimpsest.ports.fetcher import Fetched, Fetcher, Validators
from palimpsest.stores.documents import Documents
from palimpsest.usecases import contents


@dataclass(frozen=True, slots=True)
class FetchLink:
    """Looks at one link. Whoever moved the document meanwhile wins; it is looked at again then."""

    documents: Documents
    blobs: Blobs
    fetcher: Fetcher
    media_types: MediaTypes
    clock: Clock

    def __call__(self, document: Document, link: Link) -> None:
        """Fetch it once. What can't be had leaves what is shown, and says why."""
        try:
            fetched = self._fetched(link)
        except Unreadable as error:
            now = self.clock.now()
            self.documents.move(document, document.fetched(None, link.failed(error.reason, now), now))
            return
        now = self.clock.now()
        if fetched is None:
            self.documents.move(document, document.fetched(None, link.looked_at(now), now))
        else:
            validators = fetched.validators
            self._arrive(document, link.gave(validators.etag, validators.last_modified, now), fetched)

    def _fetched(self, link: Link) -> Fetched | None:
        try:
            address = web_address.read(link.url)
        except Invalid as error:  # an earlier release took it
            raise Unreadable("inside") from error
        fetched = self.fetcher.fetch(address, Validators(link.etag, link.last_modified), self.media_types.of)
        if fetched is not None and not fetched.content.strip():
            raise Unreadable("empty")
        return fetched

    def _arrive(self, document: Document, link: Link, fetched: Fetched) -> None:
        content = _readable(fetched)
        original = contents.original(document, content, fetched.media_type)
        if document.has(original):
            self.documents.move(document, document.fetched(None, link, self.clock.now()))
            return
        self.blobs.put(original.blob, content)
        self.documents.move(document, document.fetched(original, link, self.clock.now()))  # erasures wait for this job


def _readable(fetched: Fetched) -> bytes:
    """The bytes, with a mark where the server alone says which encoding a text has: a file has nobody to say so."""
    if fetched.charset is None or not fetched.media_type.startswith("text/"):
        return fetched.content
    try:
        text = fetched.content.decode(fetched.charset)
    except (LookupError, ValueError):
        return fetched.content
    return fetched.content if codecs.lookup(fetched.charset).name == "utf-8" else codecs.BOM_UTF8 + text.encode()
