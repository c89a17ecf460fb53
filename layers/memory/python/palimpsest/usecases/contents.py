"""What a document is sent as, its bytes or a link to them, and how that may be kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from palimpsest.domain import text
from palimpsest.domain.arrival import Original
from palimpsest.domain.document import Document, DocumentKind
from palimpsest.domain.errors import Invalid
from palimpsest.domain.ids import DocumentId, KeyId, SpaceId
from palimpsest.domain.library import web_address
from palimpsest.domain.library.web_address import WebAddress
from palimpsest.domain.link import Link
from palimpsest.domain.source import Source
from palimpsest.ports.table import Write
from palimpsest.usecases.scrub import Scrubber

_MARK: Final = 12
"""Hex digits that tell addresses apart which read the same once they are scrubbed."""


@dataclass(frozen=True, slots=True)
class LinkTo:
    """A link. `is_watched`: it is fetched again every day."""

    url: str
    is_watched: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """Bytes that lie in a blob already. `digest`: SHA-256 of them, in hex."""

    blob: str
    digest: str
    size: int


Content: TypeAlias = bytes | Kept | LinkTo


@dataclass(frozen=True, slots=True)
class AcceptedLink:
    """A link that may be fetched. `shown`: its address as people are told."""

    address: WebAddress
    shown: str
    is_watched: bool

    def link(self, by: KeyId, at: datetime) -> Link:
        """As that of a document, to be fetched at once."""
        return Link(self.address.url, self.shown, self.is_watched, at, by)


@dataclass(frozen=True, slots=True)
class AcceptedContent:
    """What is sent of a document as it may be kept. `also`: what is written with it, in one transaction."""

    path: str
    title: str | None
    content: bytes | Kept | AcceptedLink
    media_type: str
    kind: DocumentKind
    source: Source
    also: Callable[[Document], Iterable[Write]] = lambda document: ()


def accept_path(path: str, scrubber: Scrubber) -> str:
    """What identifies a document, as it may be stored."""
    return scrubber.text(text.accept(path, "path", limit_characters=text.PATH_CHARACTERS), "path")


def accept_link(link: LinkTo, scrubber: Scrubber) -> AcceptedLink:
    """The link; Invalid when it is none of the web, or leads inside a network by its looks."""
    address = web_address.read(link.url)
    return AcceptedLink(address, _shown(address.url, scrubber), link.is_watched)


def path_of(link: AcceptedLink, scrubber: Scrubber) -> str:
    """What identifies the page behind a link."""
    path = _shown(link.address.identity, scrubber)
    if len(path) > text.PATH_CHARACTERS:
        raise Invalid("url", f"is longer than {text.PATH_CHARACTERS:,} characters; give a path with it")
    return path


def original(document: Document, content: bytes | Kept, media_type: str) -> Original:
    """Bytes as those of the document's next edition."""
    if isinstance(content, Kept):
        digest, size = content.digest, content.size
    else:
        digest, size = hashlib.sha256(content).hexdigest(), len(content)
    return Original(f"{blobs_of(document, document.editions + 1)}{digest[:16]}", digest, media_type, size)


def blobs_of(document: Document, edition: int) -> str:
    """What the keys of the blobs of an edition begin with: of several who sent one at once each has its own."""
    return f"{blobs_of_document(document.space, document.id)}{edition:08d}-"


def blobs_of_document(space: SpaceId, document: DocumentId) -> str:
    """What the keys of the blobs of all its editions begin with."""
    return f"documents/{space}/{document}/"


def _shown(url: str, scrubber: Scrubber) -> str:
    scrubbed = scrubber.alone(url)
    mark = hashlib.sha256(url.encode()).hexdigest()[:_MARK]
    return url if scrubbed == url else f"{scrubbed}#{mark}"
