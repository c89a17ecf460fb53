"""A document: a source that the memory mirrors in chunks, edition by edition, each shown only once it is whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import ChunkId, DocumentId, KeyId, SpaceId
from palimpsest.domain.library.section import under
from palimpsest.domain.source import Trust

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
class Original:
    """The bytes of an edition, as they were sent.

    Attributes:
        blob: Where they lie.
        digest: SHA-256 of them, in hex.
        size: In bytes.
    """

    blob: str
    digest: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """What was sent last, on its way to be the edition that is shown.

    Attributes:
        edition: Its number; each attempt has one of its own.
        sections: How many of its sections are kept already.
        failure: The word that says why it can't be read; empty while it is on its way.
    """

    edition: int
    original: Original
    asked_at: datetime
    asked_by: KeyId
    sections: int = 0
    failure: str = ""


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
        trust: Of what was sent last.
        revision: How many times it was written.
        restore_until: End of the recovery window when it is forgotten.
    """

    id: DocumentId
    space: SpaceId
    path: str
    title: str
    kind: DocumentKind
    created_at: datetime
    changed_at: datetime
    created_by: KeyId
    trust: Trust
    revision: int = 1
    edition: int = 0
    editions: int = 0
    chunk_count: int = 0
    original: Original | None = None
    arrival: Arrival | None = None
    stale: tuple[int, ...] = ()
    restore_until: datetime | None = None

    @property
    def state(self) -> DocumentState:
        if self.restore_until is not None:
            return DocumentState.FORGOTTEN
        if self.arrival is None:
            return DocumentState.READY
        if self.arrival.failure:
            return DocumentState.FAILED
        return DocumentState.READING if self.arrival.sections else DocumentState.QUEUED

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

    @property
    def is_shown(self) -> bool:
        """There is an edition to be found."""
        return self.restore_until is None and self.edition > 0

    def has(self, original: Original) -> bool:
        """What was sent last is the same."""
        newest = self.arrival.original if self.arrival and not self.arrival.failure else self.original
        same = newest is not None and (newest.digest, newest.media_type) == (original.digest, original.media_type)
        return same and self.restore_until is None

    def sent(self, original: Original, title: str, trust: Trust, at: datetime, by: KeyId) -> Document:
        """With something new to be read, in place of what may be on its way."""
        arrival = Arrival(self.editions + 1, original, at, by)
        is_overtaken = self.arrival is not None and not self.arrival.failure
        stale = (*self.stale, self.editions) if is_overtaken else self.stale
        told = {"title": title, "trust": trust, "restore_until": None}
        return self._moved(at, editions=arrival.edition, arrival=arrival, stale=stale, **told)

    def read_to(self, sections: int, at: datetime) -> Document:
        """With so many sections kept."""
        return self._moved(at, arrival=replace(self.arrived, sections=sections))

    def shown(self, chunk_count: int, at: datetime) -> Document:
        """With what was on its way as its edition."""
        arrival = self.arrived
        stale = (*self.stale, self.edition) if self.edition else self.stale
        told = {"original": arrival.original, "chunk_count": chunk_count, "arrival": None}
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

    def _moved(self, at: datetime, **changes: object) -> Document:
        moved = {"revision": self.revision + 1, "changed_at": max(self.changed_at, at), **changes}
        return replace(self, **moved)  # type: ignore[arg-type]


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

    @property
    def searched(self) -> str:
        """What it is found by: its text under its breadcrumb, or after who says it."""
        return under(self.breadcrumb, self.text if self.fragment is None else self.fragment.label + self.text)

    def position_in(self, document: Document) -> int | None:
        """Where it stands in what is shown of its document; None when it is not in that."""
        return self.positions.get(document.edition) if document.is_shown else None
