"""Update: a new version stands over the current one, unless that says the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from palimpsest.domain import lineage, text
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Outranked
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases import statements
from palimpsest.usecases.challenge import Challenge, require_trust
from palimpsest.usecases.drafts import Revised, Revision
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps, revised


@dataclass(frozen=True, slots=True)
class Revise:
    """Adds versions."""

    steps: Steps
    featurise: Featurise
    challenge: Challenge

    def __call__(
        self, caller: Caller, ref: VersionRef, revision: Revision, idempotency: Idempotency | None = None
    ) -> Revised:
        """The new current version, or the one that is there when it says just this already.

        A revision that is trusted less than the current version stands beside it, in conflict with it.

        Raises:
            NotFound, NotAllowed, Invalid: As for any write.
            VersionMoved: `revision.expected_version` is not current.
            WrongState: The belief is not live.
        """
        caller.require(Role.WRITER)
        found = self.steps.find(caller, ref.root)
        content = text.accept(revision.content, "content", limit_bytes=text.CONTENT_BYTES)
        featurise = cache(lambda: self.featurise.one(content))  # once, and not for what is said already

        def plan(belief: Belief, stamp: Stamp) -> Planned | None:
            head, current = belief.head, belief.current
            statement, because = statements.revised(revision, current.statement, caller, stamp.at)
            if lineage.is_said(head, current, statement, expected_version=revision.expected_version):
                return None
            require_trust(statement.source.trust, current.statement.source.trust)
            features = featurise()
            embedded = len(features.vectors) > 0
            return Planned(
                lineage.revise(head, current, statement, stamp, because=because, embedded=embedded), features
            )

        try:
            moved = self.steps.move(caller, ref, plan, outcome="updated", found=found, idempotency=idempotency)
        except Outranked:
            now, before = self.steps.clock.now(), self.steps.find(caller, ref.root).belief.current.statement
            statement, _ = statements.revised(revision, before, caller, now)
            return self.challenge(caller, ref.root, statement, featurise(), idempotency)
        return revised(moved)
