"""What is to be taken away of a document: its chunks with all that lies with them, its originals, its manifests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from palimpsest.domain.erasure import Erasure
from palimpsest.domain.errors import BlobsUnavailable, TableUnavailable
from palimpsest.domain.graph.links import ChunkSource
from palimpsest.domain.ids import ChunkId, DocumentId
from palimpsest.jobs.erase_places import Part, Place
from palimpsest.jobs.remove_chunks import RemoveChunks
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Key
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import keys, library_keys
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents
from palimpsest.stores.erasures import Erasures
from palimpsest.stores.leases import Leases
from palimpsest.stores.links import LinkStore
from palimpsest.stores.mutes import Mutes
from palimpsest.stores.seen_phrases import SeenPhrases
from palimpsest.stores.surveys import Surveys
from palimpsest.stores.traces import Traces
from palimpsest.usecases.contents import blobs_of_document

_PARTS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ChunkKeys:
    """The keys of the entries of a document: the ids of its chunks, as the manifests of its editions have them."""

    chunks: Chunks

    def __call__(self, erasure: Erasure, begin: int) -> Iterator[tuple[int, Sequence[str]]]:
        for (edition, part), places in self.chunks.parts(_document(erasure), divmod(begin, _PARTS)):
            yield edition * _PARTS + part, [place.chunk for place in places]


@dataclass(frozen=True, slots=True)
class OfDocuments:
    """Takes documents away. Manifests name the chunks, so they go last, once every place was found empty."""

    erasures: Erasures
    documents: Documents
    chunks: Chunks
    remove: RemoveChunks
    blobs: Blobs
    entries: Place
    links: LinkStore
    seen_phrases: SeenPhrases
    leases: Leases
    traces: Traces
    clock: Clock
    surveys: Surveys
    mutes: Mutes

    def is_written(self, erasure: Erasure) -> bool:
        """A worker reads it or learns from it, and began before it was erased; the next one finds nothing to do."""
        jobs = (Job.INGEST, Job.LEARN)
        return any(self.leases.read(Work(job, erasure.subject)).is_held(self.clock.now()) for job in jobs)

    def by_name(self) -> Mapping[str, Place]:
        return {"path": self.path, "originals": self.originals, "chunks": self.of_chunks, "index": self.entries}

    def path(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """The record of its path, unless another document has that by now."""
        if erasure.text_mac is not None:
            place = library_keys.document_path(erasure.space, erasure.text_mac)
            found = [place] if self.documents.has_path(place, _document(erasure)) else []
            yield Part("", {f"{each.pk} {each.sk}": "document_path" for each in found}, self._gone(found))

    def originals(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """What was sent of it, edition by edition."""
        after: str | None = cursor
        while after is not None:
            page = self.blobs.list(blobs_of_document(erasure.space, _document(erasure)), after=after)
            yield Part(after, dict.fromkeys(page.keys, "original"), partial(self._delete, page.keys))
            after = page.after

    def of_chunks(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """All that lies with its chunks, those of editions that are on their way or were shown before too."""
        begin = divmod(int(cursor or 0), _PARTS)
        for (edition, part), places in self.chunks.parts(_document(erasure), begin):
            at = f"{edition * _PARTS + part:014d}"
            ids = [place.chunk for place in places]
            found = sorted(self.chunks.beside(ids))
            named = {f"{at} {key.pk} {key.sk}": keys.kind(key) or "unknown" for key in found}
            yield Part(at, named, partial(self._remove, erasure, ids, found))

    def end(self, erasure: Erasure) -> None:
        document = _document(erasure)
        erased = self.documents.find([document]).get(document)
        if erased is None:
            raise TableUnavailable("the row of a document that is being erased is gone, so its tombstone is")
        self.surveys.forget(erasure.space)  # which may name who spoke in it
        self.mutes.forget(erasure.space)  # which may come of asking for it
        manifests = [library_keys.manifest(document, *at) for at, _ in self.chunks.parts(document)]
        counted = self.erasures.move(erasure.counting({f"~ {key.sk}": "manifest" for key in manifests}))
        if counted is not None:
            self.traces.take_away(manifests)
            self.erasures.end(counted, self.documents.tombstone(erased), self.clock.now())

    def _remove(self, erasure: Erasure, chunks: Sequence[ChunkId], found: Sequence[Key]) -> None:
        if not found:
            return
        named = {key.pk for key in found if keys.kind(key) not in ("chunk", "chunk_vectors")}
        for chunk in chunks:
            if library_keys.chunk(chunk).pk in named:
                self._forget_phrases(ChunkSource(chunk, _document(erasure)))
        self.remove(erasure.space, chunks, is_erasure=True)
        self.traces.take_away(found)

    def _forget_phrases(self, source: ChunkSource) -> None:
        """That were seen in it first."""
        for each in self.links.of(source):
            self.seen_phrases.forget(each.space, each.seen, each.source)

    def _delete(self, blobs: Sequence[str]) -> None:
        for blob in blobs:
            self.blobs.delete(blob)
        if any(self.blobs.size(blob) is not None for blob in blobs):
            raise BlobsUnavailable("what was sent of a document is there again after it was deleted")

    def _gone(self, places: Sequence[Key]) -> partial[None]:
        return partial(self.traces.take_away, places)


def _document(erasure: Erasure) -> DocumentId:
    if erasure.document is None:
        raise ValueError(f"{erasure.id} is the erasure of a memory")
    return erasure.document
