"""Join what was stored already to the belief that says the same: a run of one item, so that it can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from palimpsest.domain import disputing, joining
from palimpsest.domain.errors import HeadMoved
from palimpsest.domain.ids import RootId, RunId
from palimpsest.domain.judgement import Opinion, Verdict
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.run import Run, RunKind
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.domain.version import MemoryType
from palimpsest.stores import joined_codec, runs
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words
from palimpsest.usecases import statements
from palimpsest.usecases.accepted import Accepted
from palimpsest.usecases.disputes import Disputes
from palimpsest.usecases.drafts import Draft, Outcome, Saved
from palimpsest.usecases.steps import Steps


class _Restated(NamedTuple):
    """The version that a join adds, with the conflicts that begin with it."""

    moves: Sequence[Move]
    writes: Sequence[Guarded]
    joined: joining.Joined
    step: Step


@dataclass(frozen=True, slots=True)
class Join:
    """Joins beliefs.

    The run is written in the transaction of the join, over already, in the name of the key that saved. It is not
    weighed and takes nothing of what runs may change without consent: by the clock alone it comes later than what the
    save itself would have done in time, and a person's runs are not to wait because a model was slow.
    """

    steps: Steps
    disputes: Disputes

    def __call__(self, space: Space, belief: Belief, verdict: Verdict, same: Opinion, ended: Guarded) -> Saved:
        """What the belief says becomes a version of the one that said it before, and it is retired into that one.

        Whoever is trusted less than that one adds nothing to it. `ended`: written with it.

        Raises:
            HeadMoved: One of the two has moved, or something that the verdict compared.
            Invalid: The version can't be stored: both have more tags together than one can have.
        """
        existing = self.disputes.live(same.ref.root)
        if existing is None or existing.head.current != same.ref.number:
            raise HeadMoved
        run = RunId(f"run_{self.steps.beliefs.ids.ulid()}")
        again = _as_accepted(space, belief, self.steps.clock.now(), run, into=existing.head.root)
        restated = None
        if not again.statement.source.trust.is_below(existing.current.statement.source.trust):
            restated = self._restated(space, belief, existing, again, verdict)
        gone = joining.join(belief.head, again.stamp, into=existing.head.root)
        moves = [Move(gone, space, None, Words.of(again.statement)), *(restated.moves if restated else ())]
        joined = restated.joined if restated else joining.joined(existing.head, None, ())
        item = PlanItem(
            belief.head.root, belief.head.revision, len(moves), joined_codec.written(joined), ItemState.APPLIED
        )
        own = runs.whole(Run.done(run, RunKind.RESTATE, space.id, again.stamp, item), (item,))
        self.steps.beliefs.commit_all(moves, also=[*(restated.writes if restated else ()), *own, ended])
        if restated is None:
            return Saved(self.steps.shown(space, existing.head, existing.current), Outcome.UNCHANGED)
        step = restated.step
        return Saved(self.steps.shown(space, step.after, step.added), Outcome.VERSIONED)

    def _restated(self, space: Space, belief: Belief, existing: Belief, again: Accepted, verdict: Verdict) -> _Restated:
        step = again.restating(existing, embedded=True)
        opened = self.disputes.open(space, step.added.ref, verdict.contradictory, again.stamp)
        if opened is None:
            raise HeadMoved
        step = disputing.disputed(step, len(opened.begun))
        features = self.disputes.featurise.again(again.statement, belief.vectors)
        own = Move(step, space, features, Words.of(existing.current.statement))
        joined = joining.joined(existing.head, step, opened.begun)
        return _Restated([own, *opened.moves], opened.writes, joined, step)


def _as_accepted(space: Space, belief: Belief, now: datetime, run: RunId, *, into: RootId) -> Accepted:
    """As if it came now: nobody knows any more whether its type was given, so the usual one counts as not given."""
    statement = statements.made_from(belief.current.statement, belief.current, into=into)
    kind = statement.memory_type
    draft = Draft(statement.content, memory_type=None if kind is MemoryType.FACT else kind)
    return Accepted(space, draft, statement, belief.head.annotations, Stamp(now, belief.current.created_by, run))
