"""Read what arrived of a document, part by part, and show it once it is whole; then clear away what nobody shows.

A part of 100 sections is: its places in the manifest, the chunks that are new with their vectors, where kept ones
stand, a row of the log, and the document's own count. A worker that dies anywhere leaves a part that the next one
writes again to the same end, since the manifest has named the chunks before. What is shown changes with one write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.ids import ChunkId, DocumentId
from palimpsest.domain.library.piece import Piece
from palimpsest.jobs.fetch_link import FetchLink
from palimpsest.jobs.read_sections import Sections
from palimpsest.jobs.remove_chunks import RemoveChunks
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.ids import Ids
from palimpsest.stores.chunks import PART, Chunks, Place
from palimpsest.stores.documents import Documents
from palimpsest.usecases.contents import blobs_of

_ENOUGH_SECONDS: Final = 20.0
"""With less left no further part is begun."""

KnownPlaces = dict[str, list[ChunkId]]
"""Chunks of the edition that is shown, by what they say, that the arriving one has not taken over yet."""


@dataclass(frozen=True, slots=True)
class IngestDocument:
    """Does one document. `sections`: gives what arrived of it, scrubbed; raises Unreadable, also on the way."""

    documents: Documents
    chunks: Chunks
    fetch: FetchLink
    sections: Callable[[Document], Sections]
    remove: RemoveChunks
    blobs: Blobs
    embedder: Embedder
    ids: Ids
    clock: Clock

    def slice(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Fetch, read and clear until nothing is left to do; True when the time was up before."""
        while (document := self._found(DocumentId(subject))) is not None:
            if seconds_left() < _ENOUGH_SECONDS:
                return True
            if not self._do(document, seconds_left):
                return True
        return False

    def _do(self, document: Document, seconds_left: SecondsLeft) -> bool:
        """What comes next; False when the time was up before."""
        if document.is_arriving:
            return self._read(document, seconds_left)
        if document.stale:
            return self._clear(document, document.stale[0], seconds_left)
        if document.link is not None:
            self.fetch(document, document.link)
        return True

    def _found(self, document: DocumentId) -> Document | None:
        """The document, while it has work."""
        found = self.documents.find([document]).get(document)
        if found is None or not (found.has_work or found.is_to_be_fetched(self.clock.now())):
            return None
        return found

    def _read(self, document: Document, seconds_left: SecondsLeft) -> bool:
        """Write what arrived from where it stands, and show it; False when the time was up before."""
        arriving = document
        try:
            known = self._known(document)
            found = self.sections(document)
            sections = islice(found.pieces, document.arrived.sections, None)
            while some := list(islice(sections, PART)):
                moved = self._part(arriving, some, known)
                if moved is None:
                    return True  # somebody sent something else meanwhile
                arriving = moved
                if seconds_left() < _ENOUGH_SECONDS:
                    return False
        except Unreadable as error:
            self.documents.move(arriving, arriving.failed(error.reason, self.clock.now()))
            return True
        self.documents.move(arriving, arriving.shown(arriving.arrived.sections, self.clock.now(), found.title))
        return True

    def _part(self, document: Document, sections: Sequence[Piece], known: KnownPlaces) -> Document | None:
        """The document with one part more; None when somebody else moved it."""
        arrival = document.arrived
        wanted = [Place(self._chunk(section, known), section.digest) for section in sections]
        places = self.chunks.plan(document.id, arrival.edition, arrival.sections // PART, wanted)
        there = self.chunks.find(place.chunk for place in places)
        fresh: list[Chunk] = []
        kept: list[Chunk] = []
        for position, (place, section) in enumerate(zip(places, sections, strict=True), start=arrival.sections):
            chunk = there.get(place.chunk) or self._new(document, place, section)
            shown = {document.edition: chunk.positions[document.edition]} if document.edition in chunk.positions else {}
            (kept if shown else fresh).append(replace(chunk, positions={**shown, arrival.edition: position}))
        self._add(fresh)
        self.chunks.keep(kept)
        self.chunks.log(document.space, [chunk.id for chunk in fresh], self.clock.now())
        after = document.read_to(arrival.sections + len(sections), self.clock.now())
        return after if self.documents.move(document, after) else None

    def _add(self, chunks: Sequence[Chunk]) -> None:
        texts = [chunk.embedded for chunk in chunks]
        vectors = self.embedder.passages(texts) if texts else []
        self.chunks.add(list(zip(chunks, vectors, strict=True)), self.embedder.model)

    def _chunk(self, section: Piece, known: KnownPlaces) -> ChunkId:
        same = known.get(section.digest)
        return same.pop() if same else ChunkId(f"chk_{self.ids.ulid()}")

    def _new(self, document: Document, place: Place, section: Piece) -> Chunk:
        return Chunk(
            id=place.chunk,
            document=document.id,
            space=document.space,
            text=section.text,
            breadcrumb=section.breadcrumb,
            digest=place.digest,
            added_at=self.clock.now(),
            page=section.page,
            fragment=section.fragment,
            source=document.source,
        )

    def _known(self, document: Document) -> KnownPlaces:
        """The first of several that say the same come last, to be taken first."""
        known: KnownPlaces = defaultdict(list)
        if not document.edition:
            return known
        arrival = document.arrived
        taken = {place.chunk for part in self.chunks.manifest(document.id, arrival.edition) for place in part}
        for part in self.chunks.manifest(document.id, document.edition):
            for place in part:
                if place.chunk not in taken:
                    known[place.digest].append(place.chunk)
        for same in known.values():
            same.reverse()
        return known

    def _clear(self, document: Document, edition: int, seconds_left: SecondsLeft) -> bool:
        """Take away the chunks that only this edition has, part by part; False when the time was up before."""
        for (_, number), part in self.chunks.parts(document.id, (edition, 0), edition):
            there = self.chunks.find(place.chunk for place in part)
            kept = {chunk.id for chunk in there.values() if not document.wanted.isdisjoint(chunk.positions)}
            self.remove(document.space, [place.chunk for place in part if place.chunk not in kept])
            self.chunks.forget_part(document.id, edition, number)
            if seconds_left() < _ENOUGH_SECONDS:
                return False
        for blob in self.blobs.list(blobs_of(document, edition)).keys:
            self.blobs.delete(blob)
        self.documents.move(document, document.cleared(edition, self.clock.now()))
        return True
