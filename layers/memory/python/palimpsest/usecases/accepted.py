"""What may be stored, and who asks for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from palimpsest.domain import lineage, timeline
from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Annotations, Head
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.scrub.report import NOTHING, Report
from palimpsest.domain.talk import Place
from palimpsest.domain.version import Because, Reason, Statement
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.spaces import Space
from palimpsest.usecases import statements
from palimpsest.usecases.drafts import Draft


@dataclass(frozen=True, slots=True)
class Accepted:
    """A draft that may be stored, in its space."""

    space: Space
    draft: Draft
    statement: Statement
    annotations: Annotations
    stamp: Stamp
    report: Report = NOTHING

    def marks_over(self, head: Head) -> Annotations:
        """The annotations of a belief that is saved again: joined with its own, which are gone once it has expired."""
        if head.is_expired(self.stamp.at):
            return self.annotations
        return statements.joined(self.annotations, head.annotations)

    def restating(self, belief: Belief, *, embedded: bool) -> Step:
        """The step by which it becomes a version of a belief that says the same in other words."""
        is_anew = self.outlives(belief)
        return lineage.revise(
            belief.head,
            belief.current,
            statements.restated(self.draft, self.statement, belief.current.statement, is_anew=is_anew),
            self.stamp,
            because=Because.CHANGED if is_anew else None,
            embedded=embedded,
            annotations=self.marks_over(belief.head),
            reason=Reason.RESTATED,
        )

    def outlives(self, belief: Belief) -> bool:
        """It is said of now, while what the belief says is shown no more, or not yet."""
        now = self.stamp.at
        is_shown = timeline.holds(belief.current.statement, now) or not timeline.holds(self.statement, now)
        return belief.head.is_expired(now) or not is_shown


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what to be saved, and under which key of idempotency."""

    caller: Caller
    accepted: Accepted
    idempotency: Idempotency | None

    def at(self, place: Place) -> Request:
        """The same, of a text that was said there."""
        said = replace(self.accepted.statement, place=place)
        return replace(self, accepted=replace(self.accepted, statement=said))
