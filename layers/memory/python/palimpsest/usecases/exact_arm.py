"""The exact arm: what a query names by its id, and what has all words of what it quotes or spells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from palimpsest.domain.belief import Head, State
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.domain.instants import UNDATED
from palimpsest.domain.matching import Passages
from palimpsest.domain.talk import Sayings
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import Candidates, Kind, Search, SearchIndex
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.question import Question

_EACH: Final = 30
"""Candidates of one phrase."""

_VERSIONS: Final = 50
"""The newest of a belief that is asked for at another time than now."""


@dataclass(frozen=True, slots=True)
class ExactArm:
    """Finds what is asked for to the letter; the table decides of all that it finds, as of what any arm finds."""

    beliefs: Beliefs
    chunks: Chunks
    model: Model

    def named(self, search: Search, ids: Sequence[str]) -> Candidates:
        """What these ids stand for in the search's space, as entries without a word of the query."""
        roots = [RootId(each) for each in ids if each.startswith("mem_")] if Kind.MEMORY in search.kinds else []
        heads = self.beliefs.heads(roots, only_readable=True)
        refs = [ref for head in heads.values() if head.space == search.space for ref in _asked(head, search.filters)]
        vectors = self.beliefs.vectors_of(refs, self.model) if refs else {}
        given: dict[str, Vector | None] = {entry_key(*ref): vectors.get(ref) for ref in refs}
        wanted = [ChunkId(each) for each in ids if each.startswith("chk_")] if Kind.CHUNK in search.kinds else []
        chunks = [each.id for each in self.chunks.find(wanted).values() if each.space == search.space] if wanted else []
        of_chunks = self.chunks.vectors(chunks, self.model) if chunks else {}
        given |= {chunk: of_chunks.get(chunk) for chunk in chunks}
        kinds = [Kind.MEMORY] * len(refs) + [Kind.CHUNK] * len(chunks)
        passages = Passages.given(list(given.values()), self.model.dimensions)
        counts, lengths = np.zeros((len(given), len(search.terms)), np.int64), np.zeros(len(given), np.int64)
        undated = np.full(len(given), UNDATED)
        return Candidates(list(given), kinds, counts, lengths, undated, passages, Sayings.alone(len(given)))

    def spelled(self, index: SearchIndex, search: Search, question: Question) -> list[Candidates]:
        """Of each phrase what has all of its words."""
        found = []
        for words in question.phrases:
            having = replace(search, words=words, limit=_EACH)
            found.append(index.keyword(having).candidates)
        return found


def _asked(head: Head, filters: Filters) -> list[tuple[RootId, int]]:
    """The version that is current; of another time, or where older ones are shown, the table says which it is.

    None of what is not shown: it would draw up what is like it.
    """
    if head.state is not State.LIVE and not (filters.is_timed and head.state is State.RETIRED):
        return []
    if not (filters.is_timed or filters.shows_stale):
        return [(head.root, head.current)]
    return [(head.root, number) for number in range(max(head.count - _VERSIONS, 0) + 1, head.count + 1)]
