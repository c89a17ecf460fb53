"""Which sources are live as the table says now: everything else that tells of sources may be late."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.domain.belief import Head, State
from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.graph.links import ChunkSource, MemorySource, Source
from palimpsest.domain.ids import ChunkId, DocumentId, RootId
from palimpsest.ports.clock import Clock
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents


@dataclass(frozen=True, slots=True)
class Live:
    """The sources among some that are live, with what says so."""

    heads: Mapping[RootId, Head] = field(default_factory=dict)
    chunks: Mapping[ChunkId, Chunk] = field(default_factory=dict)
    documents: Mapping[DocumentId, Document] = field(default_factory=dict)
    now: datetime | None = None

    def __contains__(self, source: Source) -> bool:
        if isinstance(source, MemorySource):
            head = self.heads.get(source.root)
            return head is not None and is_current(head, source.number, self.now)
        chunk, document = self.chunks.get(source.chunk), self.documents.get(source.document)
        return chunk is not None and document is not None and chunk.position_in(document) is not None


@dataclass(frozen=True, slots=True)
class LiveSources:
    """Looks strongly, in three batches at most."""

    beliefs: Beliefs
    chunks: Chunks
    documents: Documents
    clock: Clock

    def __call__(self, sources: Iterable[Source]) -> Live:
        """Those of the sources that are live."""
        known = list(dict.fromkeys(sources))
        roots = dict.fromkeys(each.root for each in known if isinstance(each, MemorySource))
        chunks = {each.chunk: each.document for each in known if isinstance(each, ChunkSource)}
        heads = self.beliefs.heads(list(roots), only_readable=True) if roots else {}
        found = self.chunks.find(chunks) if chunks else {}
        documents = self.documents.find(chunk.document for chunk in found.values()) if found else {}
        return Live(heads, found, documents, self.clock.now())


def is_current(head: Head, number: int, now: datetime | None) -> bool:
    """That version of the belief is what recall returns."""
    is_over = now is not None and head.is_expired(now)
    return head.state is State.LIVE and head.current == number and not is_over
