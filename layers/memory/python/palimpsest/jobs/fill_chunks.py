"""Put what the documents of a space say into an index generation: from the table alone, part by part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from palimpsest.domain.errors import EntriesRefused, IndexUnavailable
from palimpsest.domain.ids import ChunkId
from palimpsest.jobs.reached import REFUSES
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.embedder import Embedder, Model
from palimpsest.stores.builds import Progress
from palimpsest.stores.documents import Documents
from palimpsest.stores.spaces import Space
from palimpsest.stores.watermarks import MOST_STUCK
from palimpsest.usecases.chunk_entries import THERE, ChunkEntries
from palimpsest.usecases.searching import Opened

Save = Callable[[Progress], Progress]
"""Keeps the progress and gives it as it was kept; raises when somebody else goes on with the build."""


@dataclass(frozen=True, slots=True)
class FillChunks:
    """Fills with the chunks of one space. A few that the index refuses for good are not found by it."""

    documents: Documents
    entries: ChunkEntries
    embedder: Embedder

    def __call__(
        self, opened: Opened, space: Space, progress: Progress, save: Save, seconds_left: SecondsLeft
    ) -> tuple[Progress, bool]:
        """All documents from where `progress` stands: how far it came, and whether that was the end.

        Raises:
            IndexUnavailable: More is refused than can be put up with.
        """
        for place, document in self.documents.walk(space.id, progress.before):
            at = progress.versions if progress.within == place else 0
            for part in self.entries.chunks.manifest(document.id, document.edition, at):
                at += len(part)
                refused = progress.refused + self._put_in(opened, [each.chunk for each in part])
                progress = save(replace(progress, within=place, versions=at, refused=refused))
                if refused > MOST_STUCK:
                    raise IndexUnavailable(
                        REFUSES, f"the search index refuses more than {MOST_STUCK} entries; the build was given up"
                    )
                if seconds_left() <= 0:
                    return progress, False
            progress = save(replace(progress, before=place, within=None, versions=0))
        return progress, True

    def _put_in(self, opened: Opened, chunks: Sequence[ChunkId]) -> int:
        """These chunks; how many were refused for good."""
        model = opened.generation.model
        if model == self.embedder.model:
            self._embed(chunks, model)
        try:
            opened.index.upsert(self.entries.of(chunks, model, revision=THERE))
        except EntriesRefused as error:
            return len(error.keys)
        return 0

    def _embed(self, chunks: Sequence[ChunkId], model: Model) -> None:
        """Vectors for those that have none of this model."""
        missing = set(chunks) - self.entries.chunks.vectors(chunks, model).keys()
        found = self.entries.chunks.find(missing)
        vectors = self.embedder.passages([chunk.embedded for chunk in found.values()]) if found else []
        self.entries.chunks.add_vectors(dict(zip(found, vectors, strict=True)), model)
