"""Revert: what an old version said becomes a new version."""

from __future__ import annotations

from dataclasses import dataclass, replace

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound, Outranked
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Version
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.changes import Features
from palimpsest.usecases import statements
from palimpsest.usecases.challenge import Challenge, require_trust, revised
from palimpsest.usecases.drafts import Revised
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps


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
            NotFound: The belief or that version of it is unknown, or what that version was made from is not there.
            VersionMoved, WrongState: As for an update; also when `version` is the current one.
        """
        caller.require(Role.WRITER)
        found = self.steps.find(caller, ref.root)
        place = (ref.root, version)
        stored = self.steps.beliefs.versions([place]).get(place)
        if stored is None or self.steps.sources.hidden([stored]):
            raise NotFound("version")
        scrubber = self.steps.scrub.of(found.space)
        old = replace(stored, statement=statements.reverted(stored.statement, scrubber))
        features = self._features(stored, old)

        def plan(belief: Belief, stamp: Stamp) -> Planned | None:
            head, current = belief.head, belief.current
            step = lineage.revert(
                head, current, old, stamp, embedded=features.has_vectors, expected_version=expected_version
            )
            if lineage.is_said(head, current, old.statement):
                return None
            require_trust(caller.max_trust, current.statement.source.trust)
            return Planned(step, features, self.steps.sources.none_erased(stored))

        try:
            moved = self.steps.move(caller, ref, plan, outcome="reverted", found=found, idempotency=idempotency)
        except Outranked:
            challenger = statements.said_again(old.statement, caller)
            done = self.challenge(caller, ref.root, challenger, features, idempotency)
        else:
            done = revised(moved)
        return replace(done, report=scrubber.report)

    def _features(self, stored: Version, old: Version) -> Features:
        """Those that the old version has, unless its text is another one by the rules of today."""
        said = old.statement
        if said.content != stored.statement.content:
            return self.featurise.one(said.content).at(said.place)
        beliefs, place = self.steps.beliefs, (stored.root, stored.number)
        vectors = beliefs.vectors_of([place], beliefs.model).get(place, beliefs.no_vectors())
        return self.featurise.again(said, vectors)
