"""Put what a space holds into an index generation: from the table alone, a batch at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import EmbedderUnavailable, EntriesRefused, IndexUnavailable, ItemTooLarge
from palimpsest.domain.talk import words_said
from palimpsest.domain.traits import Traits
from palimpsest.jobs.fill_batches import batches_of
from palimpsest.jobs.fill_chunks import FillChunks, Save
from palimpsest.jobs.follow_logs import FollowLogs
from palimpsest.jobs.reached import REFUSES
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Embedder, Model, Vector
from palimpsest.stores import changes
from palimpsest.stores.builds import Progress
from palimpsest.stores.keys import chunk_log
from palimpsest.stores.listing import Listing
from palimpsest.stores.pending import Pending
from palimpsest.stores.spaces import Space
from palimpsest.stores.watermarks import MOST_STUCK
from palimpsest.usecases.candidates import parse_entry_key
from palimpsest.usecases.entries import Entries
from palimpsest.usecases.featurise import FAILURES, batches, features_of, vectors_of_each
from palimpsest.usecases.searching import Opened, Searching

_MARGIN = timedelta(minutes=10)
"""Before the filling began: what is as old may not have shown in the listing yet, or have the place of a slow clock."""

_STATES = (State.LIVE, State.RETIRED)


@dataclass(frozen=True, slots=True)
class FillIndex:
    """Fills one space of one generation. `chunks`: with what its documents say, after its beliefs."""

    searching: Searching
    listing: Listing
    entries: Entries
    pending: Pending
    follow: FollowLogs
    chunks: FillChunks
    embedder: Embedder
    clock: Clock

    def __call__(
        self, opened: Opened, space: Space, progress: Progress, save: Save, seconds_left: SecondsLeft
    ) -> tuple[Progress, bool]:
        """Everything that the space holds from where `progress` stands, then what came meanwhile.

        Returns:
            How far it came, and whether the space is done.
        """
        for state in () if progress.is_at_chunks else _STATES[_STATES.index(progress.state) :]:
            if state is not progress.state:
                progress = save(replace(progress, state=state, before=None))
            for batch in batches_of(
                self.listing.walk(space, state, progress.before, None, only_readable=True), progress
            ):
                heads = [head for head, _ in batch.wanted]
                missing = self._missing(opened.generation.model, heads)
                unembedded = self._embed(opened.generation.model, missing, seconds_left)
                if unembedded is None:
                    return progress, False
                refused = progress.refused + self._put_in(opened, space, batch.wanted)
                progress = save(
                    replace(
                        progress,
                        before=batch.before,
                        within=batch.within,
                        versions=batch.versions,
                        refused=refused,
                        unembedded=progress.unembedded + unembedded,
                    )
                )
                if refused > MOST_STUCK:
                    raise IndexUnavailable(
                        REFUSES, f"the search index refuses more than {MOST_STUCK} memories; the build was given up"
                    )
                if seconds_left() <= 0:
                    return progress, False
        progress, is_done = self.chunks(opened, space, progress.at_chunks(), save, seconds_left)
        return progress, is_done and self._catch_up(opened, space, progress, seconds_left)

    def _put_in(self, opened: Opened, space: Space, wanted: Sequence[tuple[Head, range]]) -> int:
        """These versions; how many beliefs were refused for good. Those get a fresh row, and recall reads that."""
        try:
            opened.index.upsert(self.entries.of(wanted, opened.generation.model))
        except EntriesRefused as error:
            refused = {parse_entry_key(key) for key in error.keys}
            for head, _ in wanted:
                if head.state is State.LIVE and (head.root, head.current) in refused:
                    self._announce(space, head)
            return len({root for root, _ in refused})
        return 0

    def _announce(self, space: Space, head: Head) -> None:
        beliefs, ref = self.entries.beliefs, (head.root, head.current)
        version = beliefs.versions([ref], only_readable=True).get(ref)
        if version is not None:
            vectors = beliefs.vectors_of([ref], beliefs.model).get(ref, beliefs.no_vectors())
            said = version.statement
            features = features_of(said.content, vectors, self.entries.linguist).at(said.place)
            beliefs.announce(head, space, features, self.clock.now(), Traits.of(said))

    def _missing(self, model: Model, heads: Sequence[Head]) -> list[Head]:
        """Beliefs whose current version was embedded, but under another model."""
        if model != self.embedder.model:
            return []
        embedded = {(head.root, head.current): head for head in heads if head.embedded >= head.current}
        have = self.entries.beliefs.vectors_of(list(embedded), model)
        return [head for ref, head in embedded.items() if ref not in have]

    def _embed(self, model: Model, heads: Sequence[Head], seconds_left: SecondsLeft) -> int | None:
        """Vectors for these beliefs; how many texts were refused and wait from now on, None when time was up before."""
        refs = [(head.root, head.current) for head in heads]
        texts = {
            root: v.statement.content
            for (root, _), v in self.entries.beliefs.versions(refs, only_readable=True).items()
        }
        known = sorted((head for head in heads if head.root in texts), key=lambda head: len(texts[head.root]))
        refused = in_a_row = 0
        for batch in batches(known, length=lambda head: len(texts[head.root])):
            if seconds_left() <= 0:
                return None
            for head, vectors in vectors_of_each(
                self.embedder, batch, content=lambda head: words_said(texts[head.root])
            ):
                if vectors is not None and self._keep(head, vectors, model):
                    in_a_row = 0
                    continue
                refused, in_a_row = refused + 1, in_a_row + 1
                if in_a_row == FAILURES:
                    raise EmbedderUnavailable(
                        "embedder_failed", "the embedder gives no vectors; the build goes on later"
                    )
                self.pending.wait_again(head, self.clock.now())
        return refused

    def _keep(self, head: Head, vectors: Vector, model: Model) -> bool:
        try:
            self.entries.beliefs.add_vectors({(head.root, head.current): vectors}, model)
        except ItemTooLarge:
            return False
        return True

    def _catch_up(self, opened: Opened, space: Space, progress: Progress, seconds_left: SecondsLeft) -> bool:
        """What came since the filling began; False when time was up before."""
        watermarks = self.searching.watermarks(opened.generation)
        now = self.clock.now()
        start = changes.place_at((progress.began_at or now) - _MARGIN)
        for partition in (*space.log_partitions(), chunk_log(space.id)):
            seen = watermarks.read(partition)
            if not seen.marks:
                watermarks.advance(partition, seen, start, now)
            if not self.follow(opened.generation, partition, seconds_left=seconds_left):
                return False
        return True
