"""Build an index generation beside the one that answers, from the table alone, and swap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from palimpsest.domain.analysis import ANALYSIS_VERSION
from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.jobs.index_changes import IndexChanges
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Embedder, Model
from palimpsest.ports.ids import Ids
from palimpsest.ports.search_index import Generation
from palimpsest.stores import changes
from palimpsest.stores.generations import GenerationStore
from palimpsest.stores.listing import Listing
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.entries import Entries
from palimpsest.usecases.searching import Opened, Searching

SCHEMA = ANALYSIS_VERSION
_BATCH = 100
_GONE = frozenset({"index_missing", "index_corrupt", "index_mapping"})
"""Reasons that no waiting mends; an index that is only busy or out of reach is not built anew."""


@dataclass(frozen=True, slots=True)
class BuildIndex:
    """Begins and finishes generations."""

    generations: GenerationStore
    searching: Searching
    spaces: Spaces
    listing: Listing
    entries: Entries
    index_changes: IndexChanges
    embedder: Embedder
    clock: Clock
    ids: Ids

    def begin(self, *, model: Model | None = None) -> Generation:
        """Begin a generation (with the embedder's model unless another is given); what was being built is dropped."""
        wanted = Generation(self.ids.ulid(), model or self.embedder.model, SCHEMA)
        # Made before anybody can know of it, so that nobody's work is lost.
        generation = self.searching.create(wanted).generation
        state = self.generations.read()
        while not self.generations.move(state, active=state.active, building=generation):
            state = self.generations.read()
        if state.building is not None:
            self.searching.drop(state.building)
        self.searching.forget()
        return generation

    def finish(self) -> bool:
        """Fill the generation that is being built and let it answer; False when there is none or it was replaced.

        What an interrupted attempt has put in is put in again. The old generation answers until the swap.
        """
        state = self.generations.read()
        generation = state.building
        if generation is None:
            return False
        opened = self._opened(generation)
        spaces = self.spaces.every()
        for space in spaces:
            self._fill(opened, space)
        if not self.generations.move(state, active=generation, building=None):
            return False
        self.searching.forget()
        if state.active is not None:
            self.searching.drop(state.active)
        for space in spaces:
            for partition in space.log_partitions():
                self.index_changes.catch_up(partition)
        return True

    def _opened(self, generation: Generation) -> Opened:
        try:
            return self.searching.open(generation)
        except IndexUnavailable:
            return self.searching.create(generation)

    def _fill(self, opened: Opened, space: Space) -> None:
        """Everything that the space holds, then what came meanwhile."""
        watermarks = self.searching.watermarks(opened.generation)
        start = changes.place_at(self.clock.now())
        for state in (State.LIVE, State.RETIRED):
            for heads in _batches(head for _, head in self.listing.walk(space, state, None, None)):
                self._embed_missing(opened, heads)
                wanted = [(head, range(1, head.count + 1)) for head in heads]
                opened.index.upsert(self.entries.of(wanted, opened.generation.model))
        for partition in space.log_partitions():
            watermarks.advance(partition, watermarks.read(partition), start, self.clock.now())
            self.index_changes.bring_up(opened.generation, partition)

    def _embed_missing(self, opened: Opened, heads: Sequence[Head]) -> None:
        """Vectors under the generation's model for current versions that were embedded under another one."""
        model = opened.generation.model
        refs = [(head.root, head.current) for head in heads if head.embedded >= head.current]
        missing = sorted(set(refs) - set(self.entries.beliefs.vectors_of(refs, model)))
        if missing and model == self.embedder.model:
            versions = self.entries.beliefs.versions(missing)
            vectors = self.embedder.passages([versions[ref].statement.content for ref in missing])
            self.entries.beliefs.add_vectors(dict(zip(missing, vectors, strict=True)), model)

    def prepare(self) -> bool:
        """See to it that an index answers or is being built; True when `finish` has work to do.

        Without an index, with one whose data is gone or one of an older schema, a build begins. An index of another
        model stays until somebody asks for a rebuild, since that embeds everything anew.
        """
        state = self.generations.read()
        if state.building is not None:
            return True
        if state.active is not None and state.active.schema == SCHEMA and self._opens(state.active):
            return False
        self.begin(model=state.active.model if state.active else None)
        return True

    def _opens(self, generation: Generation) -> bool:
        try:
            self.searching.open(generation)
        except IndexUnavailable as error:
            return error.reason not in _GONE
        return True


def _batches(heads: Iterator[Head]) -> Iterator[list[Head]]:
    while batch := list(islice(heads, _BATCH)):
        yield batch
