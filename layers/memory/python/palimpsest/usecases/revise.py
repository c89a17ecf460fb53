"""Update: a new version stands over the current one, unless that says the same."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, Outranked
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Because, Statement
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases import statements
from palimpsest.usecases.challenge import Challenge, require_trust, revised
from palimpsest.usecases.drafts import Revised, Revision
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps


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
        scrubber = self.steps.scrub.of(found.space)
        featurise = cache(self.featurise.one)  # once, and not for what is said already

        def said(belief: Belief, at: datetime) -> tuple[Statement, Because]:
            return statements.revised(revision, belief.current.statement, caller, now=at, scrubber=scrubber)

        def plan(belief: Belief, stamp: Stamp) -> Planned | None:
            head, current = belief.head, belief.current
            statement, because = said(belief, stamp.at)
            if lineage.is_said(head, current, statement, expected_version=revision.expected_version):
                return None
            require_trust(statement.source.trust, current.statement.source.trust)
            features = featurise(statement.content)
            embedded = len(features.vectors) > 0
            step = lineage.revise(head, current, statement, stamp, because=because, embedded=embedded)
            return Planned(step, features)

        try:
            moved = self.steps.move(caller, ref, plan, outcome="updated", found=found, idempotency=idempotency)
        except Outranked:
            statement, _ = said(self.steps.find(caller, ref.root).belief, self.steps.clock.now())
            done = self.challenge(caller, ref.root, statement, featurise(statement.content), idempotency)
        else:
            done = revised(moved)
        with suppress(Invalid):  # nothing is planned for a request that came before, and yet it is told the same
            said(found.belief, self.steps.clock.now())
        return replace(done, report=scrubber.report)
