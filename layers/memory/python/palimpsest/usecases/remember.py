"""Save what is new. The same text in the space changes nothing, unless it has expired there."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Annotations, Memory, State
from palimpsest.domain.errors import HeadMoved, LostRace, RequestRepeated, TextTaken
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.text import same_text_form
from palimpsest.domain.version import Because, Statement
from palimpsest.ports.ids import Ids
from palimpsest.ports.judge import Judge, Verdict
from palimpsest.ports.table import Put
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.changes import Features
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.usecases import statements
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Saved
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import ATTEMPTS, Steps


@dataclass(frozen=True, slots=True)
class Accepted:
    """A draft that may be stored, in its space."""

    space: Space
    draft: Draft
    statement: Statement
    annotations: Annotations
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Remember:
    """Saves drafts: at once, or step by step for a batch."""

    steps: Steps
    featurise: Featurise
    judge: Judge
    ids: Ids

    def __call__(self, caller: Caller, draft: Draft, idempotency: Idempotency | None = None) -> Saved:
        """Save a draft.

        Raises:
            NotAllowed: The key is no writer or may not enter the space.
            Invalid: The draft can't be stored.
            IdempotencyReused: The key of the request came before with another body.
        """
        caller.require(Role.WRITER)
        replayed = self.replayed(caller, idempotency)
        if replayed is not None:
            return replayed
        accepted = self.accept(caller, draft)
        unchanged = self.unchanged(caller, accepted, idempotency)
        return unchanged or self.store(caller, accepted, self.featurise.one(accepted.statement.content), idempotency)

    def accept(self, caller: Caller, draft: Draft) -> Accepted:
        """The draft as it may be stored; its space begins if it has to. NotAllowed or Invalid when it may not."""
        name = caller.require_space(draft.space)
        now = self.steps.clock.now()
        statement = statements.drafted(draft, caller, now)
        annotations = statements.draft_annotations(draft, now)
        return Accepted(self.steps.spaces.ensure(name), draft, statement, annotations, Stamp(now, caller.key))

    def replayed(self, caller: Caller, idempotency: Idempotency | None) -> Saved | None:
        """What the same request came to before."""
        earlier = self.steps.answered(caller, idempotency)
        if earlier is None:
            return None
        outcome = Outcome(earlier.outcome)
        replaced = f"{earlier.subject}@{earlier.number - 1}" if outcome is Outcome.VERSIONED else None
        return Saved(self.steps.show_again(caller, earlier), outcome, replaced=replaced)

    def unchanged(self, caller: Caller, accepted: Accepted, idempotency: Idempotency | None) -> Saved | None:
        """The answer when nothing is to be written, because the text is there."""
        holder = self._holder(caller, accepted)
        if holder is None or holder.head.is_expired(accepted.stamp.at):
            return None
        answer = self._answer(caller, idempotency, holder.current.ref, Outcome.UNCHANGED, accepted)
        if answer is not None:
            self.steps.idempotency.keep(answer)
        return Saved(Memory(accepted.space.name, holder.head, holder.current, None), Outcome.UNCHANGED)

    def _holder(self, caller: Caller, accepted: Accepted) -> Belief | None:
        """The live belief of the space that says the same."""
        root = self.steps.beliefs.find_text(accepted.space, accepted.statement.content)
        if root is None:
            return None
        _, belief = self.steps.find(caller, root)
        is_same = same_text_form(belief.current.statement.content) == same_text_form(accepted.statement.content)
        return belief if is_same and belief.head.state is State.LIVE else None

    def store(self, caller: Caller, accepted: Accepted, features: Features, idempotency: Idempotency | None) -> Saved:
        """A new belief, a version over an expired one, or what a twin of the request came to meanwhile."""
        for _ in range(ATTEMPTS):
            verdict = self._judge(accepted)
            root = RootId(f"mem_{self.ids.ulid()}")
            step = lineage.begin(
                root,
                accepted.space.id,
                accepted.statement,
                accepted.stamp,
                annotations=accepted.annotations,
                embedded=len(features.vectors) > 0,
            )
            answer = self._answer(caller, idempotency, step.added.ref, Outcome.ADDED, accepted)
            try:
                done = self.steps.beliefs.commit(step, accepted.space, features, text_before=None, answer=answer)
            except (TextTaken, RequestRepeated):
                saved = self.replayed(caller, idempotency) or self.unchanged(caller, accepted, idempotency)
                saved = saved or self._renew(caller, accepted, features, idempotency)
                if saved is not None:
                    return saved
                continue
            added = Memory(accepted.space.name, done.after, done.added, None)
            return Saved(added, Outcome.ADDED, judged_by=verdict.judged_by if verdict else "none")
        raise LostRace(ATTEMPTS)

    def _renew(
        self, caller: Caller, accepted: Accepted, features: Features, idempotency: Idempotency | None
    ) -> Saved | None:
        """A version over the expired one that says the same; None when it is not there, or was changed meanwhile."""
        holder = self._holder(caller, accepted)
        if holder is None or not holder.head.is_expired(accepted.stamp.at):
            return None
        step = lineage.revise(
            holder.head,
            holder.current,
            accepted.statement,
            accepted.stamp,
            because=Because.CHANGED,
            embedded=len(features.vectors) > 0,
            annotations=accepted.annotations,
        )
        answer = self._answer(caller, idempotency, step.added.ref, Outcome.VERSIONED, accepted)
        text = holder.current.statement.content
        try:
            done = self.steps.beliefs.commit(step, accepted.space, features, text_before=text, answer=answer)
        except (HeadMoved, RequestRepeated):
            return None
        renewed = Memory(accepted.space.name, done.after, done.added, None)
        return Saved(renewed, Outcome.VERSIONED, replaced=str(holder.current.ref))

    def _judge(self, accepted: Accepted) -> Verdict | None:
        if accepted.draft.judge is JudgeMode.OFF:
            return None
        return self.judge.judge(accepted.space.id, accepted.statement)

    def _answer(
        self,
        caller: Caller,
        idempotency: Idempotency | None,
        ref: VersionRef,
        outcome: Outcome,
        accepted: Accepted,
    ) -> Put | None:
        if idempotency is None:
            return None
        answered = Answered(ref.root, ref.number or 0, outcome)
        return self.steps.idempotency.record(caller.key, idempotency, answered, accepted.stamp.at)
