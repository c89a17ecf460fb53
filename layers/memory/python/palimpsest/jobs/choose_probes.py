"""Choose entries of a space that each arm has to give back when it is asked for them in their own words.

The table alone is asked, so what an index has lost is missed; and nothing is chosen that an index need not show yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from palimpsest.domain.asking.spellings import spellings
from palimpsest.domain.belief import State
from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.graph.links import ChunkSource, MemorySource, Source
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.domain.naming.names import name_key
from palimpsest.jobs.probes import Chosen, Probe
from palimpsest.jobs.unshown import Unshown
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Generation, Kind
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents
from palimpsest.stores.entities import Entities
from palimpsest.stores.links import LinkStore
from palimpsest.stores.listing import Listing
from palimpsest.stores.spaces import Space
from palimpsest.usecases.candidates import entry_key

T = TypeVar("T")

_NEWEST: Final = 50
"""Memories that are chosen from."""
_MEMORIES: Final = 3
_DOCUMENTS: Final = 10
"""Looked at for those that are shown."""
_CHUNKS: Final = 2


@dataclass(frozen=True, slots=True)
class ChooseProbes:
    """Chooses: of the newest fifty memories three, and of the newest ten documents the first chunk of two."""

    unshown: Unshown
    listing: Listing
    beliefs: Beliefs
    documents: Documents
    chunks: Chunks
    links: LinkStore
    entities: Entities

    def __call__(self, space: Space, generation: Generation) -> Chosen:
        memories, chunks = self._memories(space, generation), self._chunks(space, generation)
        return Chosen((*memories.probes, *chunks.probes), memories.is_all and chunks.is_all)

    def standing(self, space: Space, generation: Generation, probes: Sequence[Probe]) -> list[Probe]:
        """Those that are as they were chosen; the others may have gone, or changed, while they were asked for."""
        roots = [RootId(each.id) for each in probes if each.kind is Kind.MEMORY]
        heads = self.beliefs.heads(roots, only_readable=True)
        unshown = self.unshown.memories(space, generation)
        there = self.chunks.find(ChunkId(each.id) for each in probes if each.kind is Kind.CHUNK)
        shown = self._shown(there.values())
        return [
            each
            for each in probes
            if (each.kind is Kind.CHUNK and ChunkId(each.id) in shown)
            or (
                each.kind is Kind.MEMORY
                and unshown is not None
                and RootId(each.id) not in unshown
                and (head := heads.get(RootId(each.id))) is not None
                and (head.state, head.revision) == (State.LIVE, each.revision)
            )
        ]

    def _memories(self, space: Space, generation: Generation) -> Chosen:
        newest, unshown = self.listing.newest(space, State.LIVE, _NEWEST), self.unshown.memories(space, generation)
        if unshown is None:
            return Chosen((), is_all=False)
        settled = [root for root in newest if root not in unshown]
        heads = self.beliefs.heads(_spread(settled, _MEMORIES), only_readable=True).values()
        live = [head for head in heads if head.state is State.LIVE]
        refs = [(head.root, head.current) for head in live]
        versions = self.beliefs.versions(refs, only_readable=True) if refs else {}
        vectors = self.beliefs.vectors_of(refs, generation.model) if refs else {}
        probes = [
            Probe(
                entry_key(*ref),
                Kind.MEMORY,
                head.root,
                versions[ref].statement.content,
                head.revision,
                _first(vectors.get(ref)),
                self._name(MemorySource(*ref)),
            )
            for head, ref in zip(live, refs, strict=True)
            if ref in versions
        ]
        return Chosen(tuple(probes), is_all=len(settled) == len(newest))

    def _chunks(self, space: Space, generation: Generation) -> Chosen:
        shown = [each for _, each in islice(self.documents.walk(space.id), _DOCUMENTS) if _is_shown(each)]
        unshown = self.unshown.chunks(space, generation) if shown else frozenset()
        if unshown is None:
            return Chosen((), is_all=False)
        firsts = [place.chunk for each in shown for place in self.chunks.part(each.id, each.edition, 0)[:1]]
        settled = [each for each in firsts if each not in unshown][:_CHUNKS]
        found = self.chunks.find(settled)
        vectors = self.chunks.vectors(found, generation.model) if found else {}
        probes = [
            Probe(
                each.id,
                Kind.CHUNK,
                each.id,
                each.searched,
                vector=_first(vectors.get(each.id)),
                name=self._name(ChunkSource(each.id, each.document)),
            )
            for each in found.values()
        ]
        return Chosen(tuple(probes), is_all=not unshown.intersection(firsts))

    def _shown(self, chunks: Iterable[Chunk]) -> set[ChunkId]:
        """Those of them that stand in the edition of their document that is shown."""
        there = list(chunks)
        documents = self.documents.find(each.document for each in there)
        return {
            each.id
            for each in there
            if (document := documents.get(each.document)) is not None
            and _is_shown(document)
            and each.position_in(document) is not None
        }

    def _name(self, source: Source) -> str | None:
        """Of an entity that it names and that is found by that name."""
        linked = [each for each in self.links.of(source) if each.source == source and each.is_live]
        standing = self.entities.standing(entity for each in linked for entity in each.entities)
        names = (each.name for each in standing.values())
        return next((name for name in names if name_key(name) in spellings(name, ())), None)


def _is_shown(document: Document) -> bool:
    return bool(document.edition) and document.restore_until is None and document.erased_at is None


def _first(vectors: Vector | None) -> Vector | None:
    return None if vectors is None or not len(vectors) else vectors[0]


def _spread(some: Sequence[T], most: int) -> list[T]:
    """At most so many, from the first to the last."""
    if len(some) <= most:
        return list(some)
    return [some[round(at * (len(some) - 1) / (most - 1))] for at in range(most)]
