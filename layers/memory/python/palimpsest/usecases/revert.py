"""Revert: what an old version said becomes a new version."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound, Outranked
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases import statements
from palimpsest.usecases.challenge import Challenge, require_trust
from palimpsest.usecases.drafts import Revised
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps, revised


@dataclass(frozen=True, slots=True)
class Revert:
    """Brings old versions back."""

    steps: Steps
    featurise: Featurise
    challenge: Challenge

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

        What replaces the current version is the caller's step: one who is trusted less than that has what the old
        version said stand beside it, in conflict with it.

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
            if lineage.is_said(head, current, old.statement):
                return None
            require_trust(caller.max_trust, current.statement.source.trust)
            return Planned(step, features)

        try:
            moved = self.steps.move(caller, ref, plan, outcome="reverted", found=found, idempotency=idempotency)
        except Outranked:
            statement = statements.said_again(old.statement, caller)
            return self.challenge(caller, ref.root, statement, features, idempotency)
        return revised(moved)
