"""Judge in the background what a save could not wait for, and write what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import State
from palimpsest.domain.errors import Conflict, CorruptItem, HeadMoved, Invalid, NotFound
from palimpsest.domain.ids import SYSTEM
from palimpsest.domain.judgement import Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.stores import unjudged
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.moves import Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words
from palimpsest.stores.unjudged import Unjudged, Waiting
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.drafts import Outcome, Saved
from palimpsest.usecases.join import Join
from palimpsest.usecases.notice import Notice

_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class JudgeLater:
    """Judges what waits. `judge`: the verdict on a belief that is there."""

    judge: Callable[[Space, Belief], Verdict]
    unjudged: Unjudged
    confront: Confront
    join: Join
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
        stamp = Stamp(self.confront.steps.clock.now(), belief.current.created_by)
        if verdict.identical is not None and belief.head.count == 1 and not shown.head.is_disputed:
            with suppress(Invalid):  # both have more tags together than one memory can have: they stay two
                joined = self.join(space, belief, verdict, verdict.identical, unjudged.ended(waiting))
                self.notice(joined, verdict, stamp)
                return
        caller = Caller(belief.current.created_by, Role.WRITER)
        for opinion in verdict.contradictory:
            try:
                self.confront(caller, belief.head.root, opinion, compared=waiting.ref)
            except (NotFound, Conflict):  # the other side is gone meanwhile
                continue
        self.notice(Saved(shown, Outcome.PENDING), verdict, stamp)
        self.unjudged.end(waiting)

    def put_off(self, waiting: Waiting) -> None:
        """Let one that has to wait on wait for another try.

        When there were enough nobody tries any more, and the history of the belief says so.
        """
        steps = self.confront.steps
        if not waiting.is_last:
            self.unjudged.put_off(waiting, steps.clock.now())
            return
        for _ in range(_ATTEMPTS):
            belief = self._found(waiting)
            if belief is None:
                self.unjudged.end(waiting)
                return
            said, space = Words.of(belief.current.statement), steps.spaces.by_id(belief.head.space)
            features = self.confront.disputes.featurise.again(belief.current.statement, belief.vectors)
            step = lineage.give_up(belief.head, Stamp(steps.clock.now(), SYSTEM))
            with suppress(HeadMoved):
                steps.beliefs.commit_all([Move(step, space, features, said)], also=[unjudged.ended(waiting)])
                return
        self.unjudged.put_off(waiting, steps.clock.now())
