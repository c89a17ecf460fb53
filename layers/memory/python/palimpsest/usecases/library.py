"""The documents of a space for callers: listed, shown with their chunks and as they came, forgotten and restored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.errors import LostRace, NotFound
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import DocumentId
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.table import Put
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.documents import Documents
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.usecases.named_by import NamedBy
from palimpsest.usecases.steps import ATTEMPTS, Steps


@dataclass(frozen=True, slots=True)
class DocumentShown:
    """A document, and the name of its space."""

    document: Document
    space: str


@dataclass(frozen=True, slots=True)
class DocumentsListed:
    """One page of documents, newest first."""

    documents: tuple[DocumentShown, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class ChunkShown:
    """A chunk, where it stands in what is shown of its document, from 0, and the entities that it names."""

    chunk: Chunk
    position: int
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class ChunksListed:
    """One page of a document's chunks, in its order."""

    chunks: tuple[ChunkShown, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Library:
    """Shows and moves documents. `recovery_days`: the window where a space sets none of its own."""

    steps: Steps
    documents: Documents
    chunks: Chunks
    blobs: Blobs
    cursors: Cursors
    recovery_days: int
    named: NamedBy
    ask: Callable[[Work], object]

    def page(self, caller: Caller, *, space: str | None, limit: int = 50, cursor: str | None = None) -> DocumentsListed:
        """The documents of a space that are not forgotten.

        Raises:
            NotAllowed: The key may not enter the space.
            CursorRefused: Not a cursor of this query and this key.
        """
        caller.require(Role.READER)
        name = caller.require_space(space)
        binding = ("documents", name, caller.key)
        before = self.cursors.open(cursor, *binding) if cursor else None
        found = self.steps.spaces.find(name)
        if found is None:
            return DocumentsListed((), None)
        walk = ((at, each) for at, each in self.documents.walk(found.id, before) if each.restore_until is None)
        some = list(islice(walk, limit + 1))
        more = self.cursors.seal(some[limit - 1][0], *binding) if len(some) > limit else None
        return DocumentsListed(tuple(DocumentShown(each, name) for _, each in some[:limit]), more)

    def show(self, caller: Caller, document: DocumentId) -> DocumentShown:
        """The document; NotFound when it is unknown, forgotten, or lies in a space that the key may not enter."""
        caller.require(Role.READER)
        space, found = self._find(caller, document)
        if found.restore_until is not None:
            raise NotFound("document")
        return DocumentShown(found, space.name)

    def chunks_of(
        self, caller: Caller, document: DocumentId, *, limit: int = 50, cursor: str | None = None
    ) -> ChunksListed:
        """The chunks of what is shown of a document; NotFound as above, CursorRefused as in `page`."""
        found = self.show(caller, document).document
        binding = ("chunks", document, str(found.edition), caller.key)
        begin = int(self.cursors.open(cursor, *binding)) if cursor else 0
        chunks = list(islice(self._in_order(found, begin), limit + 1))
        more = self.cursors.seal(str(begin + limit), *binding) if len(chunks) > limit else None
        named = self.named.chunks(each.chunk for each in chunks[:limit])
        return ChunksListed(tuple(replace(each, entities=named[each.chunk.id]) for each in chunks[:limit]), more)

    def original(self, caller: Caller, document: DocumentId) -> tuple[Document, Iterator[bytes]]:
        """What is shown of a document as it came, in pieces; NotFound as above, or when nothing is shown yet."""
        found = self.show(caller, document).document
        if found.original is None:
            raise NotFound("document")
        return found, self.blobs.read(found.original.blob)

    def forget(self, caller: Caller, document: DocumentId, idempotency: Idempotency | None = None) -> DocumentShown:
        """Out of every surface now; NotFound as above.

        Raises:
            NotAllowed: The key is no writer.
            WrongState: It is forgotten already.
        """

        def forgotten(space: Space, found: Document) -> Document:
            days = self.recovery_days if space.recovery_days is None else space.recovery_days
            now = self.steps.clock.now()
            return found.forgotten(now + timedelta(days=days), now)

        return self._move(caller, document, forgotten, "forgotten", idempotency)

    def restore(self, caller: Caller, document: DocumentId, idempotency: Idempotency | None = None) -> DocumentShown:
        """There again as it was; WrongState when it is not forgotten or its window is over."""
        return self._move(
            caller, document, lambda _, found: found.restored(self.steps.clock.now()), "restored", idempotency
        )

    def _move(
        self,
        caller: Caller,
        document: DocumentId,
        moved: Callable[[Space, Document], Document],
        outcome: str,
        idempotency: Idempotency | None,
    ) -> DocumentShown:
        caller.require(Role.WRITER)
        for _ in range(ATTEMPTS):
            earlier = self.steps.answered(caller, idempotency)
            space, found = self._find(caller, document)
            if earlier is not None:
                return DocumentShown(found, space.name)
            after = moved(space, found)
            if self.documents.move(found, after, self._record(caller, document, outcome, idempotency)):
                if after.has_work:
                    self.ask(Work(Job.INGEST, document))
                return DocumentShown(after, space.name)
        raise LostRace(ATTEMPTS)

    def _record(self, caller: Caller, document: DocumentId, outcome: str, idempotency: Idempotency | None) -> list[Put]:
        if idempotency is None:
            return []
        answered = Answered(document, 0, outcome)
        return [self.steps.idempotency.record(caller.key, idempotency, answered, self.steps.clock.now())]

    def _find(self, caller: Caller, document: DocumentId) -> tuple[Space, Document]:
        found = self.documents.find([document]).get(document)
        if found is None or found.erased_at is not None:
            raise NotFound("document")
        if not caller.may_enter((space := self.steps.spaces.by_id(found.space)).name):
            raise NotFound("document")
        return space, found

    def _in_order(self, document: Document, begin: int) -> Iterator[ChunkShown]:
        for part in self.chunks.manifest(document.id, document.edition, begin):
            found = self.chunks.find(place.chunk for place in part)
            for place in part:
                chunk = found.get(place.chunk)
                position = None if chunk is None else chunk.position_in(document)
                if chunk is not None and position is not None:
                    yield ChunkShown(chunk, position)
