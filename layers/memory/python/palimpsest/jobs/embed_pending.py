"""Embed what was saved past the embedder's time box."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.belief import State
from palimpsest.domain.errors import EmbedderUnavailable, HeadMoved, NotFound
from palimpsest.domain.ids import KeyId, RootId
from palimpsest.domain.lineage import Stamp
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Embedder, Vector
from palimpsest.ports.table import Index, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.beliefs import Belief, Beliefs
from palimpsest.stores.codec import Reader
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.featurise import Featurise, batches

_BY = KeyId("system")


@dataclass(frozen=True, slots=True)
class EmbedPending:
    """Gives vectors to current versions that have none."""

    table: Table
    beliefs: Beliefs
    spaces: Spaces
    embedder: Embedder
    featurise: Featurise
    clock: Clock

    def __call__(self, limit: int = 32) -> int:
        """Embed at most `limit` of the waiting beliefs, shortest texts first, in batches; how many were done."""
        waiting = [belief for root in self.waiting(limit) if (belief := self._read(root)) is not None]
        waiting.sort(key=lambda belief: len(belief.current.statement.content))
        done = 0
        for batch in batches(waiting, length=lambda belief: len(belief.current.statement.content)):
            try:
                vectors = self.embedder.passages([belief.current.statement.content for belief in batch])
            except EmbedderUnavailable:
                break
            done += sum(map(self._keep, batch, vectors))
        return done

    def waiting(self, limit: int) -> list[RootId]:
        """Some of the beliefs that wait, those that wait longest first in each shard."""
        roots: list[RootId] = []
        for shard in range(keys.PENDING_SHARDS):
            page = self.table.query(Query(keys.pending(shard), index=Index.TWO, limit=limit))
            roots += [keys.root_of_listed(Reader(entry).text("g2sk")) for entry in page.items]
        return roots[:limit]

    def _read(self, root: RootId) -> Belief | None:
        """The belief, if it still waits."""
        try:
            belief = self.beliefs.read(root)
        except NotFound:
            return None
        head = belief.head
        return belief if head.state is State.LIVE and head.embedded < head.current else None

    def _keep(self, belief: Belief, vectors: Vector) -> bool:
        """Keep the vectors; False when another step came first."""
        step = lineage.mark_embedded(belief.head, belief.head.current, Stamp(self.clock.now(), _BY))
        if step is None:
            return False
        content = belief.current.statement.content
        try:
            space = self.spaces.by_id(belief.head.space)
            self.beliefs.commit(step, space, self.featurise.again(content, vectors), text_before=content)
        except HeadMoved:
            return False
        return True
