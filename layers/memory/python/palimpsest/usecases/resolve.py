"""Decide a conflict: which side stays, or what stands in place of both; one transaction over both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from palimpsest.domain import disputing
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.conflict import Action, Conflict, Decision
from palimpsest.domain.errors import HeadMoved, Invalid, LostRace, RequestRepeated, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ConflictId, RootId, RunId
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Statement
from palimpsest.stores import conflicts as stored
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.changes import Features
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.texts import Words
from palimpsest.usecases import statements
from palimpsest.usecases.challenge import require_trust
from palimpsest.usecases.conflict_sides import ConflictSides, Sides
from palimpsest.usecases.disputes import Disputes
from palimpsest.usecases.drafts import Choice
from palimpsest.usecases.readings import ShownConflict
from palimpsest.usecases.scrub import Scrubber
from palimpsest.usecases.steps import ATTEMPTS

Embed = Callable[[str], Features]


class Made(NamedTuple):
    """The steps that a choice comes to, the conflicts that begin with it, and the decision that tells all this."""

    moves: Sequence[Move]
    begun: Sequence[Guarded]
    decision: Decision


@dataclass(frozen=True, slots=True)
class Resolve:
    """Decides conflicts."""

    sides: ConflictSides
    disputes: Disputes

    def __call__(
        self,
        caller: Caller,
        conflict_id: ConflictId,
        choice: Choice,
        idempotency: Idempotency | None = None,
        *,
        run: RunId | None = None,
        also: Sequence[Guarded] = (),
    ) -> ShownConflict:
        """The decided conflict. A side that was changed since the conflict began counts as it stands now.

        Args:
            run: The run that decides.
            also: Written with it; a failure of its own goes to the caller.

        Raises:
            NotFound: Unknown, in a foreign space, or hidden, since a side is forgotten or was retired.
            NotAllowed: The key is no writer.
            Outranked: The decision would replace or retire what is trusted more than the key.
            Invalid: The choice lacks a text or has one that it can't use, or names a winner that is no side.
            WrongState: It is decided already, a side is not as the model saw it, or more contradicts the incoming side
                than one decision can pass on.
        """
        caller.require(Role.WRITER)
        embed = cache(self.disputes.featurise.one)  # once, however often a side moves
        steps = self.sides.steps
        for _ in range(ATTEMPTS):
            replayed = self.sides.replayed(caller, idempotency)
            if replayed is not None:
                return self.sides.decided(caller, replayed, choice)
            sides = self.sides.find(caller, conflict_id)
            sides.conflict.require_pending()
            _require_whole(choice, sides.conflict)
            _require_seen(choice, sides)
            for statement in _replaced(choice, sides):
                require_trust(caller.max_trust, statement.source.trust)
            try:
                made = self._make(caller, sides, choice, Stamp(steps.clock.now(), caller.key, run), embed)
                decided = sides.conflict.decided(made.decision)
                writes = [*stored.moved(sides.conflict, decided), *made.begun, *also]
                answer = self.sides.record(caller, decided, idempotency)
                steps.beliefs.commit_all(made.moves, also=writes, answer=answer)
            except (HeadMoved, RequestRepeated):
                continue
            return self.sides.decided(caller, self.sides.shown(sides.space, decided), choice)
        raise LostRace(ATTEMPTS)

    def _make(self, caller: Caller, sides: Sides, choice: Choice, stamp: Stamp, embed: Embed) -> Made:
        decision = Decision(
            action=choice.action,
            winner=_winner(choice, sides.conflict),
            existing=sides.existing.current.ref,
            incoming=sides.incoming.current.ref,
            made=None,
            at=stamp.at,
            by=stamp.by,
            trust=caller.max_trust,
            model=choice.model,
            score=choice.score,
            reason=choice.reason,
            run=stamp.run,
        )
        if choice.action.adds_version:
            statement = _taken_over(caller, sides, choice, self.sides.steps.scrub.of(sides.space))
            return self._take_over(sides, statement, self._features(choice, sides, statement, embed), stamp, decision)
        moves = [self._stay_or_go(sides, each, stamp, decision) for each in (sides.existing, sides.incoming)]
        return Made(moves, (), decision)

    def _features(self, choice: Choice, sides: Sides, statement: Statement, embed: Embed) -> Features:
        if choice.action is Action.MERGE:
            return embed(statement.content).at(statement.place)
        return self.disputes.featurise.again(statement, sides.incoming.vectors)

    def _take_over(
        self, sides: Sides, statement: Statement, features: Features, stamp: Stamp, decision: Decision
    ) -> Made:
        """A new version of the existing side; what contradicted the other side contradicts it, too."""
        existing, root = sides.existing, sides.existing.head.root
        told = existing.head, existing.current, statement, stamp, sides.conflict.id
        step = disputing.take_over(*told, embedded=features.has_vectors)
        more = self.disputes.inherited(sides.incoming.head.root, root)
        opened = self.disputes.open(sides.space, step.added.ref, more, stamp)
        if opened is None:
            raise HeadMoved
        step = disputing.disputed(step, len(opened.begun))
        own = Move(step, sides.space, features, Words.of(existing.current.statement))
        gone = self._stay_or_go(sides, sides.incoming, stamp, decision)
        decision = replace(decision, made=step.added.ref, passed_on=opened.begun)
        return Made([own, gone, *opened.moves], opened.writes, decision)

    def _stay_or_go(self, sides: Sides, belief: Belief, stamp: Stamp, decision: Decision) -> Move:
        said = Words.of(belief.current.statement)
        if decision.winner is None or decision.winner == belief.head.root:
            step = disputing.settle(belief.head, stamp, sides.conflict.id)
            return Move(
                step, sides.space, self.disputes.featurise.again(belief.current.statement, belief.vectors), said
            )
        step = disputing.retire(belief.head, stamp, sides.conflict.id, into=decision.winner)
        return Move(step, sides.space, None, said)


def _winner(choice: Choice, conflict: Conflict) -> RootId | None:
    """The belief that stays when the other is retired; None when both stay."""
    return None if choice.action is Action.KEEP_BOTH else choice.winner or conflict.existing.root


def _replaced(choice: Choice, sides: Sides) -> list[Statement]:
    """What the choice replaces or retires, but for what it keeps word for word."""
    existing, incoming = sides.existing.current.statement, sides.incoming.current.statement
    match choice.action:
        case Action.KEEP_BOTH:
            return []
        case Action.MERGE:
            return [existing, incoming]
        case Action.KEEP_NEW:
            return [existing]
        case Action.KEEP_EXISTING:
            return [existing if choice.winner == sides.incoming.head.root else incoming]


def _taken_over(caller: Caller, sides: Sides, choice: Choice, scrubber: Scrubber) -> Statement:
    existing, incoming = sides.existing.current.statement, sides.incoming.current.statement
    if choice.content is None:
        said = statements.taken_over(existing, incoming)
    else:
        both = (existing, incoming)
        said = statements.merged(choice.content, choice.canonical, both, caller=caller, scrubber=scrubber)
    return statements.made_from(said, sides.incoming.current, into=sides.existing.head.root)


def _require_seen(choice: Choice, sides: Sides) -> None:
    if choice.seen not in (None, (sides.existing.current.ref, sides.incoming.current.ref)):
        raise WrongState(sides.conflict.state, "a side was changed while the model decided; ask it again")


def _require_whole(choice: Choice, conflict: Conflict) -> None:
    """Invalid unless the choice says what its action takes, and nothing else."""
    is_merge = choice.action is Action.MERGE
    if is_merge and choice.content is None:
        raise Invalid("content", "merge takes the text that reconciles both sides")
    if not is_merge and (choice.content is not None or choice.canonical is not None):
        raise Invalid("content", f"a text goes with merge, not with {choice.action}")
    if choice.winner is not None and choice.action is not Action.KEEP_EXISTING:
        raise Invalid("winner", f"a winner goes with keep_existing, not with {choice.action}")
    if choice.winner is not None and choice.winner not in conflict.roots:
        raise Invalid("winner", "the winner has to be one of the two sides, by its root_id")
