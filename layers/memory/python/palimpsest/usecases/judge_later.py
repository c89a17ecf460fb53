"""Judge in the background what a save could not wait for, and write what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from palimpsest.domain import disputing, joining
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import State
from palimpsest.domain.errors import Conflict, CorruptItem, HeadMoved, NotFound
from palimpsest.domain.ids import RootId
from palimpsest.domain.judgement import Opinion, Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import MemoryType
from palimpsest.stores import unjudged
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words
from palimpsest.stores.unjudged import Unjudged, Waiting
from palimpsest.usecases import statements
from palimpsest.usecases.accepted import Accepted
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.drafts import Draft, Outcome, Saved
from palimpsest.usecases.notice import Notice

_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class JudgeLater:
    """Judges what waits. `judge`: the verdict on a belief that is there."""

    judge: Callable[[Space, Belief], Verdict]
    unjudged: Unjudged
    confront: Confront
    notice: Notice

    def __call__(self, waiting: Waiting) -> bool:
        """Judge one that waits; False when it has to wait on.

        A belief that was changed, forgotten or retired meanwhile needs no judgement any more. It may be called twice,
        or die anywhere, with the same end.
        """
        for _ in range(_ATTEMPTS):
            belief = self._found(waiting)
            if belief is None:
                self.unjudged.end(waiting)
                return True
            if not len(belief.vectors):
                return False
            space = self.confront.steps.spaces.by_id(belief.head.space)
            verdict = self.judge(space, belief)
            if not verdict.is_complete:
                return False
            try:
                self._write(space, belief, verdict, waiting)
            except HeadMoved:
                continue
            return True
        return False

    def _found(self, waiting: Waiting) -> Belief | None:
        """The belief, while the version that waits is what it says."""
        try:
            belief = self.confront.steps.beliefs.read(waiting.root)
        except (NotFound, CorruptItem):
            return None
        is_so = belief.head.state is State.LIVE and belief.head.current == waiting.number
        return belief if is_so else None

    def _write(self, space: Space, belief: Belief, verdict: Verdict, waiting: Waiting) -> None:
        shown = self.confront.steps.shown(space, belief.head, belief.current)
        if verdict.identical is not None and belief.head.count == 1 and not shown.head.is_disputed:
            self._join(space, belief, verdict, verdict.identical, unjudged.ended(waiting))
            return
        stamp = Stamp(self.confront.steps.clock.now(), belief.current.created_by)
        self.notice(Saved(shown, Outcome.PENDING), verdict, stamp)
        caller = Caller(belief.current.created_by, Role.WRITER)
        for opinion in verdict.contradictory:
            try:
                self.confront(caller, belief.head.root, opinion, compared=waiting.ref)
            except (NotFound, Conflict):  # the other side is gone meanwhile
                continue
        self.unjudged.end(waiting)

    def _join(self, space: Space, belief: Belief, verdict: Verdict, opinion: Opinion, ended: Guarded) -> None:
        """What it says becomes a version of the belief that said it before, and it is retired into that one.

        Whoever is trusted less than that one adds nothing to it.
        """
        disputes, steps = self.confront.disputes, self.confront.steps
        existing = disputes.live(opinion.ref.root)
        if existing is None or existing.head.current != opinion.ref.number:
            raise HeadMoved
        again = _as_accepted(space, belief, steps.clock.now(), into=existing.head.root)
        gone = joining.join(belief.head, again.stamp, into=existing.head.root)
        moves = [Move(gone, space, None, Words.of(again.statement))]
        writes = [ended]
        if not again.statement.source.trust.is_below(existing.current.statement.source.trust):
            step = again.restating(existing, embedded=True)
            opened = disputes.open(space, step.added.ref, verdict.contradictory, again.stamp)
            if opened is None:
                raise HeadMoved
            features = disputes.featurise.again(again.statement.content, belief.vectors)
            words = Words.of(existing.current.statement)
            own = Move(disputing.disputed(step, len(opened.begun)), space, features, words)
            moves, writes = [own, *moves, *opened.moves], [*opened.writes, ended]
        steps.beliefs.commit_all(moves, also=writes)


def _as_accepted(space: Space, belief: Belief, now: datetime, *, into: RootId) -> Accepted:
    """As if it came now: nobody knows any more whether its type was given, so the usual one counts as not given."""
    statement = statements.made_from(belief.current.statement, belief.current, into=into)
    kind = statement.memory_type
    draft = Draft(statement.content, memory_type=None if kind is MemoryType.FACT else kind)
    return Accepted(space, draft, statement, belief.head.annotations, Stamp(now, belief.current.created_by))
