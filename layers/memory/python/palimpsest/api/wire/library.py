"""Documents and their chunks: what is sent, and what is told of them."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, Strict, StrictBool, model_validator

from palimpsest.api.wire.entities import NamedEntityItem
from palimpsest.api.wire.fields import (
    Answer,
    LibraryPath,
    Name,
    Range,
    Request,
    Space,
    WrittenInstant,
    is_none,
    refused,
)
from palimpsest.api.wire.memory import SourceItem, written
from palimpsest.api.wire.sources import SourceRequest
from palimpsest.domain import instants
from palimpsest.domain.document import Chunk, Document, DocumentKind, DocumentState, Fragment
from palimpsest.domain.ids import DocumentId
from palimpsest.domain.library.web_address import LONGEST
from palimpsest.domain.link import Link
from palimpsest.domain.source import Trust
from palimpsest.usecases.add_document import Added, DocumentAdded, Sending
from palimpsest.usecases.contents import LinkTo
from palimpsest.usecases.library import ChunkShown, ChunksListed, DocumentShown, DocumentsListed

WHY: Final[Mapping[str, str]] = {
    "bad_redirect": "Its server leads on to what is no address of the web; give the address where the page is.",
    "damaged": "It is not what its media type says, or a part of it is missing; send it again.",
    "empty": "There is nothing in it.",
    "encrypted": "It is encrypted; send it without its password.",
    "inside": "It leads to an address inside a network; send the text of the page itself.",
    "lost": "What was sent is not where it was kept; send it again.",
    "no_text": "There is no text in it that could be recalled.",
    "not_found": "Its server says that it is not there; give the address where the page is.",
    "not_utf8": "It is no text in UTF-8; save it as UTF-8 and send it again.",
    "server_failed": "Its server failed; send the link again later.",
    "server_refused": "Its server gives it to nobody who is not logged in; send the text of the page itself.",
    "thin": "It is a page that scripts fill, with hardly any text of its own; send its text.",
    "too_deep": "It is nested deeper than is read; flatten it.",
    "too_large": "It is larger than is read of its format; send it in parts.",
    "too_many_pages": "It has more pages than are read; send it in parts.",
    "too_many_redirects": "Its server leads on more than five times; give the address where the page is.",
    "too_slow": "Its server takes longer than 20 s; send the link again later.",
    "unknown_format": "Nobody here reads its format; send it as text.",
    "unreachable": "Nothing answers there, or it breaks off; look at the address, or send the link again later.",
    "xml_entities": "It defines entities of XML, which no program that writes text needs; save it anew and send it.",
    "zip_bomb": "Unpacked it is far larger than a document is; send its text.",
}


def _storable(text: str) -> str:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise refused("invalid", "text holds a NUL character or half of a surrogate pair; take it out")
    return text


def _decoded(text: str) -> str:
    try:
        b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise refused("invalid", "must be base64, with its padding and without line breaks") from None
    return text


DocumentText: TypeAlias = Annotated[str, Strict(), Field(min_length=1), AfterValidator(_storable)]
Base64: TypeAlias = Annotated[
    str, Strict(), Field(min_length=1, json_schema_extra={"contentEncoding": "base64"}), AfterValidator(_decoded)
]
Url: TypeAlias = Annotated[str, Strict(), Field(min_length=1, max_length=LONGEST), AfterValidator(_storable)]


class DocumentRequest(Request):
    """A document to be kept and read: exactly one of `text`, `base64` and `url`.

    The same path in the same space is the same document; what is sent is then its next edition. With a `url` the path
    may be left out, and `watch` belongs to it.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"path": "ops/runbook.md", "text": "# Runbook\n\nThe ingest worker restarts via systemd."}]
        }
    )

    path: LibraryPath | None = None
    title: Name | None = None
    media_type: Name | None = None
    text: DocumentText | None = None
    base64: Base64 | None = None
    url: Url | None = None
    watch: StrictBool | None = None
    space: Space | None = None
    source: SourceRequest | None = None

    @model_validator(mode="after")
    def _has_one_content(self) -> DocumentRequest:
        if [self.text, self.base64, self.url].count(None) != 2:
            raise refused("one_of", "give exactly one of text, base64 and url")
        if self.url is None and self.path is None:
            raise refused("missing", "give a path: it is what identifies the document")
        if self.url is None and self.watch is not None:
            raise refused("one_of", "watch belongs to a url")
        if self.url is not None and self.media_type is not None:
            raise refused("one_of", "the media type of a url is what its server says; leave it out")
        return self

    def to_sending(self) -> Sending:
        """The same for the core. What is fetched comes from outside, unless its sender says otherwise."""
        source = self.source or SourceRequest(agent="api" if self.url is None else "external_web")
        told = self.space, self.title, self.media_type, source.to_claim()
        if self.url is not None:
            return Sending(self.path, LinkTo(self.url, bool(self.watch)), *told)
        content = self.text.encode() if self.text is not None else b64decode(self.base64 or "")
        return Sending(self.path, content, *told)


class DocumentLinkItem(Answer):
    """Where a document is fetched from. `fetched_at`: when it was last had; `next_at`: when it is looked at next."""

    url: str
    watch: bool
    fetched_at: WrittenInstant | None
    next_at: WrittenInstant | None

    @classmethod
    def of(cls, link: Link) -> DocumentLinkItem:
        """What is told of it."""
        next_at, fetched_at = written(link.wanted_at), written(link.fetched_at)
        return cls(url=link.shown, watch=link.is_watched, fetched_at=fetched_at, next_at=next_at)


class DocumentItem(Answer):
    """A document as it stands.

    `chunk_count` is that of what is shown. While something newer is on its way, `sections_read` says how much of it was
    read; when it can't be read, `failure` and `failure_detail` say why, and what was shown before stays.
    """

    id: str = Field(examples=["doc_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    space: str
    path: str
    title: str
    kind: DocumentKind
    state: DocumentState
    media_type: str
    size: int
    chunk_count: int
    sections_read: int | None
    failure: str | None
    failure_detail: str | None
    created_at: WrittenInstant
    changed_at: WrittenInstant
    created_by: str
    trust: Trust
    source: SourceItem
    link: DocumentLinkItem | None
    revision: int
    restore_until: WrittenInstant | None = Field(default=None, exclude_if=is_none)

    @classmethod
    def of(cls, document: Document, space: str) -> DocumentItem:
        """What is told of a document."""
        arrival = document.arrival
        original = document.original or (arrival.original if arrival else None)
        failure = document.failure
        return cls(
            id=document.id,
            space=space,
            path=document.path,
            title=document.title,
            kind=document.kind,
            state=document.state,
            media_type=original.media_type if original else "",
            size=original.size if original else 0,
            chunk_count=document.chunk_count,
            sections_read=document.arrived.sections if document.is_arriving and not failure else None,
            failure=failure or None,
            failure_detail=WHY.get(failure, "It can't be read.") if failure else None,
            created_at=instants.write(document.created_at),
            changed_at=instants.write(document.changed_at),
            created_by=document.created_by,
            trust=document.trust,
            source=SourceItem.of(document.source),
            link=None if document.link is None else DocumentLinkItem.of(document.link),
            revision=document.revision,
            restore_until=written(document.restore_until),
        )


class DocumentAddedAnswer(Answer):
    """The document, and what became of what was sent: `unchanged` is what is there already, and is not read again."""

    document: DocumentItem
    outcome: Added

    @classmethod
    def of(cls, added: DocumentAdded) -> DocumentAddedAnswer:
        """What is told of a document that was sent."""
        return cls(document=DocumentItem.of(added.document, added.space), outcome=added.outcome)


class DocumentAnswer(Answer):
    """The document as it is now."""

    document: DocumentItem

    @classmethod
    def of(cls, shown: DocumentShown) -> DocumentAnswer:
        """What is told of a document that was moved."""
        return cls(document=DocumentItem.of(shown.document, shown.space))


class DocumentForgottenAnswer(Answer):
    """The document is on no surface; until then it can be restored."""

    document: DocumentItem
    restore_until: WrittenInstant

    @classmethod
    def of(cls, shown: DocumentShown) -> DocumentForgottenAnswer:
        """What is told of a document that was forgotten."""
        until = shown.document.restore_until or shown.document.changed_at
        return cls(document=DocumentItem.of(shown.document, shown.space), restore_until=instants.write(until))


class DocumentsAnswer(Answer):
    """One page of documents, newest first. It may be short and yet have a cursor."""

    documents: tuple[DocumentItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: DocumentsListed) -> DocumentsAnswer:
        """What is told of a page."""
        items = tuple(DocumentItem.of(each.document, each.space) for each in listed.documents)
        return cls(documents=items, next_cursor=listed.next_cursor)


class FragmentItem(Answer):
    """Where a chunk of a conversation stands in it. Ranges are in the whole text; their end is not in them."""

    source: str = Field(examples=["doc_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    index: int
    role: str
    speaker: str | None
    at: WrittenInstant | None
    chars: Range
    bytes: Range

    @classmethod
    def of(cls, fragment: Fragment, source: DocumentId) -> FragmentItem:
        """What is told of it. `source`: the conversation."""
        return cls(
            source=source,
            index=fragment.index,
            role=fragment.role,
            speaker=fragment.speaker,
            at=written(fragment.at),
            chars=fragment.characters,
            bytes=fragment.octets,
        )


class DocumentChunkItem(Answer):
    """A part of a document, with the headings above it and what it names; `fragment` only of a conversation."""

    id: str = Field(examples=["chk_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    text: str
    breadcrumb: tuple[str, ...]
    page: int | None
    position: int
    embedding: Literal["ready"] = "ready"
    entities: tuple[NamedEntityItem, ...]
    fragment: FragmentItem | None = None

    @classmethod
    def of(cls, shown: ChunkShown) -> DocumentChunkItem:
        """What is told of it."""
        chunk: Chunk = shown.chunk
        return cls(
            id=chunk.id,
            text=chunk.text,
            breadcrumb=chunk.breadcrumb,
            page=chunk.page,
            position=shown.position,
            entities=tuple(map(NamedEntityItem.of, shown.entities)),
            fragment=None if chunk.fragment is None else FragmentItem.of(chunk.fragment, chunk.document),
        )


class ChunksAnswer(Answer):
    """One page of what is shown of a document, in its order."""

    chunks: tuple[DocumentChunkItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: ChunksListed) -> ChunksAnswer:
        """What is told of a page."""
        return cls(chunks=tuple(map(DocumentChunkItem.of, listed.chunks)), next_cursor=listed.next_cursor)
