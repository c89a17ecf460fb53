"""Embed what was saved past the embedder's time box."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.belief import State
from palimpsest.domain.errors import EmbedderUnavailable, HeadMoved, NotFound
from palimpsest.domain.ids import KeyId, RootId
from palimpsest.domain.lineage import Stamp
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.table import Index, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.beliefs import Belief, Beliefs
from palimpsest.stores.codec import Reader
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.featurise import Featurise

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
        """Embed at most `limit` of the waiting beliefs, shortest text first; how many were done."""
        waiting = [belief for root in self.waiting(limit) if (belief := self._read(root)) is not None]
        waiting.sort(key=lambda belief: len(belief.current.statement.content))
        return sum(map(self._embed, waiting))

    def waiting(self, limit: int) -> list[RootId]:
        """Some of the beliefs that wait, those that wait longest first in each shard."""
        roots: list[RootId] = []
        for shard in range(keys.PENDING_SHARDS):
            page = self.table.query(Query(keys.pending(shard), index=Index.TWO, limit=limit))
            roots += [keys.root_of_listed(Reader(entry).text("g2sk")) for entry in page.items]
        return roots[:limit]

    def _read(self, root: RootId) -> Belief | None:
        try:
            return self.beliefs.read(root)
        except NotFound:
            return None

    def _embed(self, belief: Belief) -> bool:
        """Done; False when it is not needed any more, the embedder can't, or another step came first."""
        head = belief.head
        step = lineage.mark_embedded(head, head.current, Stamp(self.clock.now(), _BY))
        if head.state is not State.LIVE or step is None:
            return False
        content = belief.current.statement.content
        try:
            vectors = self.embedder.passages([content])[0]
            features = self.featurise.again(content, vectors)
            self.beliefs.commit(step, self.spaces.by_id(head.space), features, text_before=content)
        except (EmbedderUnavailable, HeadMoved):
            return False
        return True
