"""Write what the judge found: a new belief, a version over one that says the same, or nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from palimpsest.domain import disputing, lineage
from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Memory, State
from palimpsest.domain.errors import HeadMoved, RequestRepeated, TextTaken
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.judgement import UNJUDGED, Opinion, Verdict
from palimpsest.domain.lineage import Step
from palimpsest.domain.version import Because
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Put
from palimpsest.stores import unjudged
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.changes import Features
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.moves import Move
from palimpsest.stores.texts import Words
from palimpsest.usecases.accepted import Request
from palimpsest.usecases.disputes import Disputes, Opened
from palimpsest.usecases.drafts import Outcome, Saved
from palimpsest.usecases.gone import if_there
from palimpsest.usecases.said_before import is_over, said_before
from palimpsest.usecases.steps import Steps


@dataclass(frozen=True, slots=True)
class Saving:
    """Writes accepted drafts."""

    steps: Steps
    ids: Ids
    disputes: Disputes

    def __call__(self, request: Request, features: Features, verdict: Verdict) -> Saved | None:
        """What the save came to; None when what the verdict was based on has moved, or the text came meanwhile."""
        if verdict.identical is not None:
            return self._restate(request, features, verdict, verdict.identical)
        try:
            return self._begin(request, features, verdict)
        except HeadMoved:
            return None
        except (TextTaken, RequestRepeated):
            saved = self.replayed(request.caller, request.idempotency) or self.unchanged(request)
            return saved or self._renew(request, features, verdict)

    def replayed(self, caller: Caller, idempotency: Idempotency | None) -> Saved | None:
        """What the same request came to before."""
        earlier = self.steps.answered(caller, idempotency)
        if earlier is None:
            return None
        outcome = Outcome(earlier.outcome)
        replaced = f"{earlier.subject}@{earlier.number - 1}" if outcome is Outcome.VERSIONED else None
        shown = self.steps.show_again(caller, earlier)
        return Saved(shown, outcome, earlier.conflict, replaced, judged_by=earlier.judged_by)

    def unchanged(self, request: Request) -> Saved | None:
        """The answer when nothing is to be written, because the text is there."""
        holder = said_before(self.steps, request)
        if holder is None or is_over(self.steps, request, holder):
            return None
        return self._keep(request, holder)

    def _keep(self, request: Request, holder: Belief, judged_by: str = "none") -> Saved:
        shown = self.steps.shown(request.accepted.space, holder.head, holder.current)
        return self.keep(request, shown, Outcome.UNCHANGED, judged_by)

    def keep(self, request: Request, there: Memory, outcome: Outcome, judged_by: str = "none") -> Saved:
        """The answer that nothing new was written, kept for a retry."""
        ref = there.version.ref
        answer = self._answer(request, Answered(ref.root, ref.number or 0, outcome, judged_by=judged_by))
        if answer is not None:
            self.steps.idempotency.keep(answer)
        return Saved(there, outcome, judged_by=judged_by)

    def _begin(self, request: Request, features: Features, verdict: Verdict, *, owns_text: bool = True) -> Saved | None:
        """A new belief; one that does not own its text stands beside another one that says the same."""
        accepted = request.accepted
        step = lineage.begin(
            RootId(f"mem_{self.ids.ulid()}"),
            accepted.space.id,
            accepted.statement,
            accepted.stamp,
            annotations=accepted.annotations,
            embedded=features.has_vectors,
        )
        step = replace(step, after=replace(step.after, owns_text=owns_text))
        opened = self.disputes.open(accepted.space, step.added.ref, verdict.contradictory, accepted.stamp)
        if opened is None:
            return None
        outcome = Outcome.ADDED if verdict.is_complete else Outcome.PENDING
        outcome = outcome if opened.first is None else Outcome.CONFLICT
        move = Move(step, accepted.space, features, None)
        done = self._commit(request, move, opened, verdict, outcome)
        begun = self.steps.disputed([Memory(accepted.space.name, done.after, done.added, None)])[0]
        return Saved(begun, outcome, opened.first, judged_by=verdict.judged_by)

    def _restate(self, request: Request, features: Features, verdict: Verdict, opinion: Opinion) -> Saved | None:
        """A version over the belief that says the same, unless who restates it is trusted less than who said it."""
        belief = self._judged(request, opinion.ref)
        if belief is None:
            return None
        accepted, before = request.accepted, belief.current.statement
        if accepted.statement.source.trust.is_below(before.source.trust):
            return self._keep(request, belief, opinion.judged_by)
        step = accepted.restating(belief, embedded=features.has_vectors)
        return self._version(request, features, belief, step, verdict)

    def _judged(self, request: Request, ref: VersionRef) -> Belief | None:
        """The belief of which the judge saw that version; None when it has moved since."""
        belief = if_there(self.steps, request.caller, ref.root)
        is_so = belief is not None and belief.head.state is State.LIVE and belief.head.current == ref.number
        return belief if is_so and belief is not None and belief.head.space == request.accepted.space.id else None

    def _renew(self, request: Request, features: Features, verdict: Verdict) -> Saved | None:
        """A version over the one that says the same and is over; None when it is not there, or was moved meanwhile.

        What is trusted less than that one is a belief of its own.
        """
        holder = said_before(self.steps, request)
        accepted = request.accepted
        if holder is None or not is_over(self.steps, request, holder):
            return None
        if accepted.statement.source.trust.is_below(holder.current.statement.source.trust):
            try:
                return self._begin(request, features, verdict, owns_text=False)
            except (HeadMoved, RequestRepeated):
                return self.replayed(request.caller, request.idempotency)
        step = lineage.revise(
            holder.head,
            holder.current,
            accepted.statement,
            accepted.stamp,
            because=Because.CHANGED,
            embedded=features.has_vectors,
            annotations=accepted.marks_over(holder.head),
        )
        return self._version(request, features, holder, step, UNJUDGED)

    def _version(
        self, request: Request, features: Features, belief: Belief, step: Step, verdict: Verdict
    ) -> Saved | None:
        """A version, and the conflicts of what it says with others: both or none."""
        accepted, replaced = request.accepted, str(belief.current.ref)
        opened = self.disputes.open(accepted.space, step.added.ref, verdict.contradictory, accepted.stamp)
        if opened is None:
            return None
        move = Move(step, accepted.space, features, Words.of(belief.current.statement))
        try:
            done = self._commit(request, move, opened, verdict, Outcome.VERSIONED)
        except (HeadMoved, RequestRepeated):
            return self.replayed(request.caller, request.idempotency)
        judged_by = verdict.judged_by
        return Saved(self._shown(request, done), Outcome.VERSIONED, opened.first, replaced, judged_by=judged_by)

    def _commit(self, request: Request, move: Move, opened: Opened, verdict: Verdict, outcome: Outcome) -> Step:
        """Write all of it; what could not be judged whole waits for that, from the same moment on."""
        move = replace(move, step=disputing.disputed(move.step, len(opened.begun)))
        ref = move.step.added.ref
        answer = self._answer(request, Answered(ref.root, ref.number or 0, outcome, opened.first, verdict.judged_by))
        waiting = () if verdict.is_complete else (unjudged.begun(ref, request.accepted.stamp.at),)
        moves, also = [move, *opened.moves], [*opened.writes, *waiting]
        return self.steps.beliefs.commit_all(moves, also=also, answer=answer)[0]

    def _shown(self, request: Request, done: Step) -> Memory:
        return self.steps.shown(request.accepted.space, done.after, done.added)

    def _answer(self, request: Request, answered: Answered) -> Put | None:
        if request.idempotency is None:
            return None
        at = request.accepted.stamp.at
        return self.steps.idempotency.record(request.caller.key, request.idempotency, answered, at)
