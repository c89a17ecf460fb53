"""Annotate: tags, pin, importance, expiry; no new version."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases import statements
from palimpsest.usecases.drafts import Annotated, Annotation
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps


@dataclass(frozen=True, slots=True)
class Annotate:
    """Changes annotations."""

    steps: Steps
    featurise: Featurise

    def __call__(self, caller: Caller, ref: VersionRef, annotation: Annotation) -> Annotated:
        """The memory with its new annotations. One that changes nothing makes no step.

        Raises:
            NotFound, NotAllowed, Invalid: As for any write.
            WrongState: It is forgotten.
        """
        caller.require(Role.WRITER)
        found = self.steps.find(caller, ref.root)
        scrubber = self.steps.scrub.of(found.space)

        def plan(belief: Belief, stamp: Stamp) -> Planned | None:
            annotations = statements.annotated(annotation, belief.head.annotations, now=stamp.at, scrubber=scrubber)
            if annotations == belief.head.annotations:
                lineage.require_not_forgotten(belief.head)
                return None
            step = lineage.annotate(belief.head, annotations, stamp)
            return Planned(step, self.featurise.again(belief.current.statement, belief.vectors))

        moved = self.steps.move(caller, ref, plan, outcome="annotated", found=found)
        return Annotated(moved.memory, scrubber.report)
