"""Keep the links of a memory equal to its head: the current version is read, those of other versions count no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from palimpsest.domain.belief import Head, State
from palimpsest.domain.document import Chunk
from palimpsest.domain.errors import LostRace
from palimpsest.domain.graph.links import ChunkSource, Links, MemorySource
from palimpsest.domain.ids import ChunkId, RootId, RunId
from palimpsest.ports.table import All, Check, Equals, Exists
from palimpsest.stores import keys, library_keys
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents
from palimpsest.stores.links import LinkStore
from palimpsest.stores.moves import Guarded
from palimpsest.stores.spaces import Space
from palimpsest.usecases.link_source import Linked, LinkSource, Readable

_ATTEMPTS: Final = 5

Outdated = Callable[[Links], bool]
"""Whether what was found in a source has to be found anew."""


@dataclass(frozen=True, slots=True)
class For:
    """The run that something is read for, if there is one."""

    run: RunId | None = None
    fence: Guarded | None = None


@dataclass(frozen=True, slots=True)
class LinkMemory:
    """Links memories."""

    beliefs: Beliefs
    links: LinkStore
    link: LinkSource

    def __call__(self, space: Space, root: RootId, is_outdated: Outdated, reading: For) -> Linked:
        """Read its current version unless that was read; nothing of one that is not live is read.

        Raises:
            LostRace: Others changed it each time.
        """
        for _ in range(_ATTEMPTS):
            head = self.beliefs.heads([root]).get(root)
            if head is None or head.state.is_erased:
                return Linked(None)
            stored = self.links.of(MemorySource(root, head.current))
            number = head.current if head.state is State.LIVE else 0
            if not all(self._settled(head, each, reading, is_live=each.source.number == number) for each in stored):
                continue
            read = [each for each in stored if each.source.number == number]
            if not number:
                return Linked(None)
            if read and not is_outdated(read[0]):
                return Linked(read[0])
            return self._read(space, head, reading)
        raise LostRace(_ATTEMPTS)

    def _settled(self, head: Head, links: Links, reading: For, *, is_live: bool) -> bool:
        """The links of a version count as that stands; False when somebody came between."""
        if links.is_live == is_live:
            return True
        guard = Check(keys.head(head.root), Equals("revision", head.revision))
        return self.links.move(links, replace(links, is_live=is_live), guard=guard, fence=reading.fence)

    def _read(self, space: Space, head: Head, reading: For) -> Linked:
        number = head.current
        version = self.beliefs.versions([(head.root, number)]).get((head.root, number))
        if version is None:
            return Linked(None)
        guard = Check(keys.head(head.root), All((Equals("state", State.LIVE), Equals("current", number))))
        source = MemorySource(head.root, number)
        said = version.statement.content
        return self.link(
            Readable(source, space, said, version.recorded_at, guard, run=reading.run, fence=reading.fence)
        )


@dataclass(frozen=True, slots=True)
class LinkChunk:
    """Links chunks."""

    chunks: Chunks
    documents: Documents
    links: LinkStore
    link: LinkSource

    def __call__(self, space: Space, chunk: ChunkId, is_outdated: Outdated, reading: For) -> Linked:
        """Read it unless it was read or is gone; LostRace as of a memory."""
        found = self.chunks.find([chunk]).get(chunk)
        if found is None:
            return Linked(None)
        source = ChunkSource(chunk, found.document)
        stored = self.links.of(source)
        if stored and not is_outdated(stored[0]):
            return Linked(stored[0])
        guard = Check(library_keys.chunk(chunk), Exists("pk"))
        told = found.added_at, guard, self._title(found), reading.run, reading.fence
        return self.link(Readable(source, space, found.text, *told))

    def _title(self, chunk: Chunk) -> str:
        document = self.documents.find([chunk.document]).get(chunk.document)
        return " > ".join(([document.title] if document is not None else []) + list(chunk.breadcrumb))
