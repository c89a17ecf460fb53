"""Which sources are live as the table says now: everything else that tells of sources may be late."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.domain.belief import Head, State
from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.links import ChunkSource, MemorySource, Source
from palimpsest.domain.ids import ChunkId, DocumentId, RootId, VersionRef
from palimpsest.ports.clock import Clock
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents
from palimpsest.usecases.sources import Sources
from palimpsest.usecases.timelines import Timelines


@dataclass(frozen=True, slots=True)
class Live:
    """The sources among some that are live, with what says so.

    Attributes:
        answering: Of each memory the version that answers at the time that is asked for; None: now.
        hidden: Versions of which something that they were made from is not there.
        until: Chunks that were added later are not meant.
    """

    heads: Mapping[RootId, Head] = field(default_factory=dict)
    answering: Mapping[RootId, int] | None = None
    hidden: frozenset[VersionRef] = frozenset()
    chunks: Mapping[ChunkId, Chunk] = field(default_factory=dict)
    documents: Mapping[DocumentId, Document] = field(default_factory=dict)
    now: datetime | None = None
    until: datetime | None = None

    def __contains__(self, source: Source) -> bool:
        if isinstance(source, ChunkSource):
            return self._has_chunk(source)
        if VersionRef(source.root, source.number) in self.hidden:
            return False
        if self.answering is not None:
            return self.answering.get(source.root) == source.number
        head = self.heads.get(source.root)
        return head is not None and is_current(head, source.number, self.now)

    def _has_chunk(self, source: ChunkSource) -> bool:
        chunk, document = self.chunks.get(source.chunk), self.documents.get(source.document)
        if chunk is None or document is None or chunk.position_in(document) is None:
            return False
        return self.until is None or chunk.added_at <= self.until


@dataclass(frozen=True, slots=True)
class LiveSources:
    """Looks strongly, in four batches; what was made from others costs a few more."""

    beliefs: Beliefs
    chunks: Chunks
    documents: Documents
    clock: Clock

    def __call__(self, sources: Iterable[Source], when: Filters | None = None) -> Live:
        """Those of the sources that are live, or were at the time that `when` asks for, and are not forgotten now."""
        known = list(dict.fromkeys(sources))
        roots = dict.fromkeys(each.root for each in known if isinstance(each, MemorySource))
        chunks = {each.chunk: each.document for each in known if isinstance(each, ChunkSource)}
        heads = self.beliefs.heads(list(roots), only_readable=True) if roots else {}
        found = self.chunks.find(chunks) if chunks else {}
        documents = self.documents.find(chunk.document for chunk in found.values()) if found else {}
        hidden = self._hidden([(each.root, each.number) for each in known if isinstance(each, MemorySource)])
        now = self.clock.now()
        if when is None or not when.is_timed:
            return Live(heads, None, hidden, found, documents, now)
        answering = Timelines(self.beliefs)(heads.values(), {}, when, now)
        numbers = {root: version.number for root, version in answering.items()}
        return Live(heads, numbers, hidden, found, documents, now, until=when.believed_at or when.as_of)

    def current(self, heads: Sequence[Head]) -> list[Head]:
        """Those of the beliefs that recall returns."""
        now, hidden = self.clock.now(), self._hidden([(head.root, head.current) for head in heads])
        return [
            head
            for head in heads
            if is_current(head, head.current, now) and VersionRef(head.root, head.current) not in hidden
        ]

    def _hidden(self, refs: Sequence[tuple[RootId, int]]) -> frozenset[VersionRef]:
        versions = self.beliefs.versions(refs, only_readable=True) if refs else {}
        return Sources(self.beliefs).hidden(versions.values())


def is_current(head: Head, number: int, now: datetime | None) -> bool:
    """That version of the belief is what recall returns."""
    is_over = now is not None and head.is_expired(now)
    return head.state is State.LIVE and head.current == number and not is_over
