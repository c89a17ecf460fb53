"""A document: a source that the memory mirrors in chunks, edition by edition, each shown only once it is whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from palimpsest.domain.arrival import Arrival, Original
from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import ChunkId, DocumentId, KeyId, SpaceId
from palimpsest.domain.library.section import under
from palimpsest.domain.link import Link
from palimpsest.domain.source import Source, Trust

CONTEXT: Final = "context"
"""The memory type that results say of a chunk; no memory can be saved with it."""


class DocumentKind(StrEnum):
    """Where a document comes from."""

    FILE = "file"
    LINK = "link"
    CONVERSATION = "conversation"


class DocumentState(StrEnum):
    """How a document stands, as people are told."""

    QUEUED = "queued"
    """Nobody has begun to read it."""
    READING = "reading"
    READY = "ready"
    """What was sent last is what is shown."""
    FAILED = "failed"
    """What was sent last can't be read; the edition before is still shown, if there is one."""
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it stands.

    Attributes:
        path: What identifies it in its space.
        edition: The number of the edition that is shown; 0 before the first.
        chunk_count: Of that edition.
        original: Of that edition; None before the first.
        arrival: None once what was sent last is shown.
        stale: Editions that are shown no more, or never were, and are to be cleared away.
        source: Where what was sent last comes from, as its sender says.
        revision: How many times it was written.
        restore_until: End of the recovery window when it is forgotten.
        is_titled: Its sender gave the title; else it is what the document says itself, or the end of its path.
        link: Where it is fetched from; None of what was sent.
        erased_at: When it was erased for good: from then on it has no path, no title and no text.
    """

    id: DocumentId
    space: SpaceId
    path: str
    title: str
    kind: DocumentKind
    created_at: datetime
    changed_at: datetime
    created_by: KeyId
    source: Source
    revision: int = 1
    edition: int = 0
    editions: int = 0
    chunk_count: int = 0
    original: Original | None = None
    arrival: Arrival | None = None
    stale: tuple[int, ...] = ()
    restore_until: datetime | None = None
    is_titled: bool = True
    link: Link | None = None
    erased_at: datetime | None = None

    @property
    def trust(self) -> Trust:
        """Of what was sent last."""
        return self.source.trust

    @property
    def state(self) -> DocumentState:
        if self.restore_until is not None:
            return DocumentState.FORGOTTEN
        if self.failure:
            return DocumentState.FAILED
        if self.is_arriving:
            return DocumentState.READING if self.arrived.sections else DocumentState.QUEUED
        return DocumentState.READY if self.edition and not self._is_asked_for else DocumentState.QUEUED

    @property
    def failure(self) -> str:
        """The word that says why what was sent or fetched last can't be had or read; empty when nothing failed."""
        if self._is_asked_for:
            return ""
        unread = self.arrival.failure if self.arrival else ""
        return unread or (self.link.failure if self.link else "")

    @property
    def _is_asked_for(self) -> bool:
        """Its link was sent, and nobody has looked at it since."""
        return self.is_to_be_fetched(self.changed_at)

    @property
    def is_arriving(self) -> bool:
        """Something is to be read."""
        return self.arrival is not None and not self.arrival.failure and self.restore_until is None

    @property
    def arrived(self) -> Arrival:
        """What is to be read; ValueError when there is nothing."""
        if self.arrival is None or self.arrival.failure:
            raise ValueError(f"nothing of {self.id} is on its way")
        return self.arrival

    @property
    def wanted(self) -> frozenset[int]:
        """The editions that are not to be cleared away."""
        is_coming = self.arrival is not None and not self.arrival.failure
        return frozenset((self.edition, self.editions) if is_coming else (self.edition,))

    @property
    def has_work(self) -> bool:
        """Something is to be read or cleared away."""
        return bool(self.stale) or self.is_arriving

    def is_to_be_fetched(self, at: datetime) -> bool:
        """Its link is to be looked at by then."""
        wanted = self.link.wanted_at if self.link and self.restore_until is None else None
        return wanted is not None and wanted <= at

    def waits_for(self, link: Link, at: datetime) -> bool:
        """The same link is to be fetched already."""
        return self.is_to_be_fetched(at) and self.link is not None and self.link.is_like(link)

    @property
    def is_shown(self) -> bool:
        """There is an edition to be found."""
        return self.restore_until is None and self.edition > 0

    def has(self, original: Original) -> bool:
        """What was sent last is the same."""
        newest = self.arrival.original if self.arrival and not self.arrival.failure else self.original
        same = newest is not None and (newest.digest, newest.media_type) == (original.digest, original.media_type)
        return same and self.restore_until is None

    def sent(self, original: Original, title: str | None, source: Source, at: datetime, by: KeyId) -> Document:
        """With something new to be read, in place of what may be on its way, and of a link."""
        return self._arriving(original, at, by, link=None, **self._told(title, source))

    def linked(self, link: Link, title: str | None, source: Source, at: datetime) -> Document:
        """To be fetched from there."""
        return self._moved(at, link=link, kind=DocumentKind.LINK, **self._told(title, source))

    def fetched(self, original: Original | None, link: Link, at: datetime) -> Document:
        """With what its link gave; None when nothing new came."""
        if original is None:
            return self._moved(at, link=link)
        return self._arriving(original, at, link.wanted_by, link=link)

    def read_to(self, sections: int, at: datetime) -> Document:
        """With so many sections kept."""
        return self._moved(at, arrival=replace(self.arrived, sections=sections))

    def shown(self, chunk_count: int, at: datetime, title: str | None = None) -> Document:
        """With what was on its way as its edition; `title`: what it says itself."""
        arrival = self.arrived
        stale = (*self.stale, self.edition) if self.edition else self.stale
        told = {"original": arrival.original, "chunk_count": chunk_count, "arrival": None}
        told["title"] = self.title if self.is_titled else title or last_part(self.path)
        return self._moved(at, edition=arrival.edition, stale=stale, **told)

    def failed(self, failure: str, at: datetime) -> Document:
        """What was sent last can't be read."""
        arrival = replace(self.arrived, failure=failure)
        return self._moved(at, arrival=arrival, stale=(*self.stale, arrival.edition))

    def cleared(self, edition: int, at: datetime) -> Document:
        """Nothing is left of that edition that another one does not have."""
        return self._moved(at, stale=tuple(each for each in self.stale if each != edition))

    def forgotten(self, restore_until: datetime, at: datetime) -> Document:
        """Out of every surface; WrongState when it is already."""
        if self.restore_until is not None:
            raise WrongState(self.state, "this document is forgotten already")
        return self._moved(at, restore_until=restore_until)

    def restored(self, at: datetime) -> Document:
        """There again; WrongState when it is not forgotten, or its recovery window is over."""
        if self.restore_until is None:
            raise WrongState(self.state, "this document is not forgotten; there is nothing to restore")
        if at >= self.restore_until:
            raise WrongState(self.state, "the recovery window of this document is over")
        return self._moved(at, restore_until=None)

    def erased(self, at: datetime) -> Document:
        """Nothing is left of it but its id and its numbers."""
        gone = {"original": None, "arrival": None, "link": None, "edition": 0, "chunk_count": 0, "stale": ()}
        told = {"path": "", "title": "", "source": Source(trust=self.trust), "restore_until": None, "erased_at": at}
        return self._moved(at, **gone, **told)

    def _arriving(self, original: Original, at: datetime, by: KeyId, **changes: object) -> Document:
        arrival = Arrival(self.editions + 1, original, at, by)
        is_overtaken = self.arrival is not None and not self.arrival.failure
        stale = (*self.stale, self.editions) if is_overtaken else self.stale
        return self._moved(at, editions=arrival.edition, arrival=arrival, stale=stale, **changes)

    def _told(self, title: str | None, source: Source) -> dict[str, object]:
        kept = last_part(self.path) if self.is_titled else self.title
        return {"title": title or kept, "is_titled": title is not None, "source": source, "restore_until": None}

    def _moved(self, at: datetime, **changes: object) -> Document:
        moved = {"revision": self.revision + 1, "changed_at": max(self.changed_at, at), **changes}
        return replace(self, **moved)  # type: ignore[arg-type]


def last_part(path: str) -> str:
    """What a document without a title is called."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Fragment:
    """Where a chunk of a conversation stands in it.

    Attributes:
        index: Of the turn, from 0.
        label: Who speaks, as it stands before the text where that is embedded and searched.
        characters, octets: The range in the whole text, in characters and in bytes of UTF-8; the end is not in it.
    """

    index: int
    role: str
    speaker: str | None
    at: datetime | None
    label: str
    characters: tuple[int, int]
    octets: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document. It never changes; a part that reads otherwise is another chunk.

    Attributes:
        positions: Where it stands in each edition that has it, from 0: in the one that is shown, and in the one that
            is on its way.
        digest: Of text, breadcrumb and page, by which it is known again in the next edition.
        source: Where it came from, when it was sent first.
    """

    id: ChunkId
    document: DocumentId
    space: SpaceId
    text: str
    breadcrumb: tuple[str, ...]
    digest: str
    added_at: datetime
    positions: Mapping[int, int] = field(default_factory=dict)
    page: int | None = None
    fragment: Fragment | None = None
    source: Source = Source()

    @property
    def searched(self) -> str:
        """What it is found by: its text under its breadcrumb, or after who says it."""
        return under(self.breadcrumb, self.text if self.fragment is None else self.fragment.label + self.text)

    @property
    def embedded(self) -> str:
        """What its vectors are of: its text under its breadcrumb, or what was said without who says it."""
        return self.searched if self.fragment is None else self.text

    def position_in(self, document: Document) -> int | None:
        """Where it stands in what is shown of its document; None when it is not in that."""
        return self.positions.get(document.edition) if document.is_shown else None
