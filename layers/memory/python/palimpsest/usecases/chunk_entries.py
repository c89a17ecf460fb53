"""Index entries of chunks, from what the table holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from palimpsest.domain.analysis import analyse
from palimpsest.domain.belief import Status
from palimpsest.domain.document import Chunk
from palimpsest.domain.ids import ChunkId
from palimpsest.domain.language import Linguist
from palimpsest.domain.talk import ALONE, Place, Said, said, talk_in
from palimpsest.domain.traits import Traits
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import Entry, Kind
from palimpsest.stores.chunks import Chunks

THERE, GONE = 1, 2
"""Revisions of entries of chunks: what is gone stays gone."""


@dataclass(frozen=True, slots=True)
class ChunkEntries:
    """Makes entries; embeds nothing."""

    chunks: Chunks
    linguist: Linguist

    def of(self, chunks: Sequence[ChunkId], model: Model, *, revision: int) -> list[Entry]:
        """The entries of those chunks that are there, with the vectors that they have under `model`."""
        none = np.empty((0, model.dimensions), np.float32)
        found = self.chunks.find(chunks)
        vectors = self.chunks.vectors(list(found), model)
        return [self._entry(each, vectors.get(each.id, none), revision) for each in found.values()]

    def _entry(self, chunk: Chunk, vectors: Vector, revision: int) -> Entry:
        analysed, traits = analyse(chunk.searched, self.linguist), Traits.of_chunk(chunk)
        return Entry(
            key=chunk.id,
            space=chunk.space,
            kind=Kind.CHUNK,
            status=Status.CURRENT,
            memory_type=traits.memory_type,
            level=traits.level,
            labels=traits.labels,
            dated_at=traits.dated_at,
            terms=analysed.terms,
            length=analysed.length,
            vectors=vectors,
            revision=revision,
            said=self._said(chunk),
        )

    def _said(self, chunk: Chunk) -> Said:
        if chunk.fragment is None:
            return ALONE
        place, speaker = (
            Place(talk_in(chunk.document), chunk.fragment.index),
            chunk.fragment.speaker or chunk.fragment.role,
        )
        return said(chunk.text, self.linguist.languages(chunk.text), place=place, speaker=speaker)
