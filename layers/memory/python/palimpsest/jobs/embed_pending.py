"""Embed what was saved past the embedder's time box. A text that can't be embedded keeps no other from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from palimpsest.domain import lineage
from palimpsest.domain.belief import State
from palimpsest.domain.errors import CorruptItem, HeadMoved, ItemTooLarge, NotFound
from palimpsest.domain.ids import SYSTEM, RootId
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.talk import words_said
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Embedder, Vector
from palimpsest.stores import keys
from palimpsest.stores.beliefs import Belief, Beliefs
from palimpsest.stores.pending import Pending
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.texts import Words
from palimpsest.usecases.featurise import FAILURES, Featurise, batches, vectors_of_each


class _End(Enum):
    """What became of one that waited; MOVED: another step came first."""

    DONE = auto()
    MOVED = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A belief that waits, and its sort key among the pending."""

    listed: str
    belief: Belief

    @property
    def content(self) -> str:
        return self.belief.current.statement.content


@dataclass(frozen=True, slots=True)
class EmbedPending:
    """Gives vectors to current versions that have none."""

    pending: Pending
    beliefs: Beliefs
    spaces: Spaces
    embedder: Embedder
    featurise: Featurise
    clock: Clock

    def __call__(self, limit: int = 32) -> int:
        """Embed at most `limit` of the waiting beliefs, shortest texts first, in batches; how many were done.

        The texts of a batch that fails are tried one by one. One that fails alone waits behind all others from then
        on; after three of them in a row the rest is left for the next call.
        """
        waiting = sorted(self._read(self.pending.listed(limit)), key=lambda each: len(each.content))
        done = failures = 0
        for batch in batches(waiting, length=lambda each: len(each.content)):
            for each, vectors in vectors_of_each(self.embedder, batch, content=lambda each: words_said(each.content)):
                end = self._settle(each, vectors)
                done += end is _End.DONE
                failures = failures + 1 if end is _End.FAILED else 0
                if failures == FAILURES:
                    return done
        return done

    def slice(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Embed until nothing is left or nothing succeeds; True when the time was up before."""
        while self():
            if seconds_left() <= 0:
                return True
        return False

    def waiting(self, limit: int) -> list[RootId]:
        """At most `limit` of the beliefs that wait, those that wait longest first."""
        return [keys.root_of_listed(listed) for listed in self.pending.listed(limit)]

    def _read(self, all_listed: Sequence[str]) -> Iterator[_Waiting]:
        """The beliefs that still wait."""
        for listed in all_listed:
            try:
                belief = self.beliefs.read(keys.root_of_listed(listed))
            except NotFound:
                continue
            except CorruptItem:
                self.pending.put_off(listed, self.clock.now())
                continue
            if belief.head.state is State.LIVE and belief.head.embedded < belief.head.current:
                yield _Waiting(listed, belief)

    def _settle(self, each: _Waiting, vectors: Vector | None) -> _End:
        """Keep the vectors, or let the belief wait behind the others."""
        try:
            if vectors is not None:
                return _End.DONE if self._keep(each.belief, vectors) else _End.MOVED
        except (CorruptItem, ItemTooLarge, NotFound):
            pass
        self.pending.put_off(each.listed, self.clock.now())
        return _End.FAILED

    def _keep(self, belief: Belief, vectors: Vector) -> bool:
        """Keep the vectors; False when another step came first."""
        step = lineage.mark_embedded(belief.head, belief.head.current, Stamp(self.clock.now(), SYSTEM))
        if step is None:
            return False
        words = Words.of(belief.current.statement)
        try:
            space = self.spaces.by_id(belief.head.space)
            self.beliefs.commit(step, space, self.featurise.again(belief.current.statement, vectors), text_before=words)
        except HeadMoved:
            return False
        return True
