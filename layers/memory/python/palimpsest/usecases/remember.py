"""Save what is new. The same text in the space changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Memory
from palimpsest.domain.errors import LostRace, PalimpsestError, RequestRepeated, TextTaken
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.text import same_text_form
from palimpsest.domain.version import Statement
from palimpsest.ports.ids import Ids
from palimpsest.ports.judge import Judge, Verdict
from palimpsest.ports.table import Put
from palimpsest.stores.changes import Features
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.usecases import statements
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Refused, Saved
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import ATTEMPTS, Steps


@dataclass(frozen=True, slots=True)
class Accepted:
    """A draft that may be stored, in its space."""

    space: Space
    draft: Draft
    statement: Statement
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Remember:
    """Saves one draft or a batch."""

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
        accepted = self._accept(caller, draft)
        answered = self._answered(caller, accepted, idempotency)
        return answered or self._store(caller, accepted, self.featurise.one(accepted.statement.content), idempotency)

    def all(
        self, caller: Caller, drafts: Sequence[Draft], idempotency: Idempotency | None = None
    ) -> list[Saved | Refused]:
        """Save each draft; one that is refused does not keep the others from being saved. In order."""
        caller.require(Role.WRITER)
        results: dict[int, Saved | Refused] = {}
        accepted: dict[int, Accepted] = {}
        for i, draft in enumerate(drafts):
            try:
                accepted[i] = self._accept(caller, draft)
                answered = self._answered(caller, accepted[i], part(idempotency, i))
            except PalimpsestError as error:
                results[i] = Refused(error)
            else:
                if answered is not None:
                    results[i] = answered
        waiting = [i for i in accepted if i not in results]
        features = self.featurise.many([accepted[i].statement.content for i in waiting])
        for i, found in zip(waiting, features, strict=True):
            try:
                results[i] = self._store(caller, accepted[i], found, part(idempotency, i))
            except PalimpsestError as error:
                results[i] = Refused(error)
        return [results[i] for i in range(len(drafts))]

    def _accept(self, caller: Caller, draft: Draft) -> Accepted:
        caller.require(Role.WRITER)
        name = caller.require_space(draft.space)
        now = self.steps.clock.now()
        statement = statements.drafted(draft, caller, now)
        statements.draft_annotations(draft)
        return Accepted(self.steps.spaces.ensure(name), draft, statement, Stamp(now, caller.key))

    def _answered(self, caller: Caller, accepted: Accepted, idempotency: Idempotency | None) -> Saved | None:
        """The answer when nothing is to be written: the request was answered before, or the text is there."""
        earlier = self.steps.answered(caller, idempotency)
        if earlier is not None:
            return Saved(self.steps.show(caller, RootId(earlier.subject), earlier.number), Outcome(earlier.outcome))
        root = self.steps.beliefs.find_text(accepted.space, accepted.statement.content)
        if root is None:
            return None
        shown = self.steps.show(caller, root)
        if same_text_form(shown.version.statement.content) != same_text_form(accepted.statement.content):
            return None
        answer = self._answer(caller, idempotency, shown.head.root, shown.version.number, Outcome.UNCHANGED, accepted)
        if answer is not None:
            self.steps.idempotency.keep(answer)
        return Saved(shown, Outcome.UNCHANGED)

    def _store(self, caller: Caller, accepted: Accepted, features: Features, idempotency: Idempotency | None) -> Saved:
        for _ in range(ATTEMPTS):
            verdict = self._judge(accepted)
            root = RootId(f"mem_{self.ids.ulid()}")
            step = lineage.begin(
                root,
                accepted.space.id,
                accepted.statement,
                accepted.stamp,
                annotations=statements.draft_annotations(accepted.draft),
                embedded=len(features.vectors) > 0,
            )
            answer = self._answer(caller, idempotency, root, 1, Outcome.ADDED, accepted)
            try:
                done = self.steps.beliefs.commit(step, accepted.space, features, text_before=None, answer=answer)
            except (TextTaken, RequestRepeated):
                answered = self._answered(caller, accepted, idempotency)
                if answered is not None:
                    return answered
                continue
            added = Memory(accepted.space.name, done.after, done.added, None)
            return Saved(added, Outcome.ADDED, judged_by=verdict.judged_by if verdict else "none")
        raise LostRace(ATTEMPTS)

    def _judge(self, accepted: Accepted) -> Verdict | None:
        if accepted.draft.judge is JudgeMode.OFF:
            return None
        return self.judge.judge(accepted.space.id, accepted.statement)

    def _answer(
        self,
        caller: Caller,
        idempotency: Idempotency | None,
        root: RootId,
        number: int,
        outcome: Outcome,
        accepted: Accepted,
    ) -> Put | None:
        if idempotency is None:
            return None
        answered = Answered(root, number, outcome)
        return self.steps.idempotency.record(caller.key, idempotency, answered, accepted.stamp.at)


def part(idempotency: Idempotency | None, position: int) -> Idempotency | None:
    """The idempotency of one item of a batch."""
    return None if idempotency is None else Idempotency(idempotency.key, idempotency.body, position)
