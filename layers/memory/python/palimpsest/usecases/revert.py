"""Revert: what an old version said becomes a new version."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases.drafts import Outcome, Revised
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps


@dataclass(frozen=True, slots=True)
class Revert:
    """Brings old versions back."""

    steps: Steps
    featurise: Featurise

    def __call__(
        self,
        caller: Caller,
        ref: VersionRef,
        version: int,
        *,
        expected_version: int | None = None,
        idempotency: Idempotency | None = None,
    ) -> Revised:
        """The new current version, or the one that is there when it says just what the old one said.

        Raises:
            NotFound: The belief or that version of it is unknown.
            VersionMoved, WrongState: As for an update; also when `version` is the current one.
        """
        caller.require(Role.WRITER)
        found = self.steps.find(caller, ref.root)
        beliefs = self.steps.beliefs
        place = (ref.root, version)
        old = beliefs.versions([place]).get(place)
        if old is None:
            raise NotFound("version")
        vectors = beliefs.vectors_of([place], beliefs.model).get(place, beliefs.no_vectors())
        features = self.featurise.again(old.statement.content, vectors)

        def plan(belief: Belief, stamp: Stamp) -> Planned | None:
            head, current = belief.head, belief.current
            step = lineage.revert(
                head, current, old, stamp, embedded=len(vectors) > 0, expected_version=expected_version
            )
            return None if lineage.is_said(head, current, old.statement) else Planned(step, features)

        moved = self.steps.move(caller, ref, plan, outcome="reverted", found=found, idempotency=idempotency)
        return Revised(moved.memory, Outcome.VERSIONED if moved.is_new else Outcome.UNCHANGED)
