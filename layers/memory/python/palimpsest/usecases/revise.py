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
from palimpsest.stores.changes import Features
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
            NotFound, NotAllowed, Invalid: As for any write; Invalid also when nothing is given.
            Outranked: It has no text of its own, so that it can't stand beside what is trusted more.
            VersionMoved: `revision.expected_version` is not current.
            WrongState: The belief is not live.
        """
        _require_fit(caller, revision)
        found = self.steps.find(caller, ref.root)
        scrubber = self.steps.scrub.of(found.space)
        embedded = cache(self.featurise.one)  # once, and not for what is said already

        def said(belief: Belief, at: datetime) -> tuple[Statement, Because]:
            return statements.revised(revision, belief.current.statement, caller, now=at, scrubber=scrubber)

        def plan(belief: Belief, stamp: Stamp) -> Planned | None:
            statement, why = said(belief, stamp.at)
            if lineage.is_said(belief.head, belief.current, statement, expected_version=revision.expected_version):
                return None
            require_trust(statement.source.trust, belief.current.statement.source.trust)
            features = self._known(belief, statement) or embedded(statement.content).at(statement.place)
            told = belief.head, belief.current, statement, stamp
            return Planned(lineage.revise(*told, because=why, embedded=features.has_vectors), features)

        try:
            moved = self.steps.move(caller, ref, plan, outcome="updated", found=found, idempotency=idempotency)
        except Outranked:
            if revision.content is None:
                raise
            statement, _ = said(self.steps.find(caller, ref.root).belief, self.steps.clock.now())
            features = embedded(statement.content).at(statement.place)
            done = self.challenge(caller, ref.root, statement, features, idempotency)
        else:
            done = revised(moved)
        with suppress(Invalid):  # nothing is planned for a request that came before, and yet it is told the same
            said(found.belief, self.steps.clock.now())
        return replace(done, report=scrubber.report)

    def _known(self, belief: Belief, statement: Statement) -> Features | None:
        """The features of a text that is current already, if it has vectors."""
        is_embedded = statement.content == belief.current.statement.content and len(belief.vectors) > 0
        return self.featurise.again(statement, belief.vectors) if is_embedded else None


def _require_fit(caller: Caller, revision: Revision) -> None:
    """Invalid for a revision that says nothing: why it was made and over which version are no news."""
    caller.require(Role.WRITER)
    if replace(revision, because=None, expected_version=None) == Revision():
        raise Invalid("content", "an update needs a text, or what else is to be changed, such as valid_until")
