"""Chunks that were proposed, as they stand in the table (law 3): best first, until there are enough."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.ids import ChunkId, DocumentId
from palimpsest.domain.traits import Traits
from palimpsest.ports.search_index import Kind
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents
from palimpsest.usecases.answers import ContextHit, RecallQuery
from palimpsest.usecases.candidates import Scored
from palimpsest.usecases.rank_space import Ranked


@dataclass(frozen=True, slots=True)
class RereadChunks:
    """Reads chunks and their documents again."""

    chunks: Chunks
    documents: Documents

    def __call__(self, query: RecallQuery, ranked: Ranked, most: int) -> list[ContextHit]:
        """The best of one space: as many as are asked for if there are so many, and `most` of them at the most."""
        hits: list[ContextHit] = []
        known: dict[DocumentId, Document] = {}
        proposed = ranked.ranking.of_kind(Kind.CHUNK)
        for at in range(0, len(proposed), most):
            part = proposed.part(at, at + most)
            fair = [scored for scored in part if scored.score >= query.least_score]
            hits += self._hits(query, ranked, {s.chunk: s for s in fair if s.chunk is not None}, known)
            if len(hits) >= query.limit or len(fair) < len(part):
                break
        return hits[:most]

    def _hits(
        self, query: RecallQuery, ranked: Ranked, proposed: dict[ChunkId, Scored], known: dict[DocumentId, Document]
    ) -> list[ContextHit]:
        found = self.chunks.find(proposed)
        known |= self.documents.find(chunk.document for chunk in found.values() if chunk.document not in known)
        hits = []
        for chunk_id, scored in proposed.items():
            chunk = found.get(chunk_id)
            document = None if chunk is None else known.get(chunk.document)
            if chunk is None or document is None or not _is_asked_for(query, ranked, chunk):
                continue
            position = chunk.position_in(document)
            if position is not None:
                told = scored.score, scored.similarity, scored.why, dict(scored.parts)
                hits.append(ContextHit(chunk, document, position, *told))
        return hits


def _is_asked_for(query: RecallQuery, ranked: Ranked, chunk: Chunk) -> bool:
    """It is of the space, passes the filters, and was there at the time that is asked for."""
    believed_at = query.filters.believed_at
    is_there = chunk.space == ranked.space.id and (believed_at is None or chunk.added_at <= believed_at)
    return is_there and query.filters.take(Traits.of_chunk(chunk))
