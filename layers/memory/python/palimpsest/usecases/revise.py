"""Update: a new version stands over the current one."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage, text
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Memory
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases import statements
from palimpsest.usecases.drafts import Revision
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.steps import Planned, Steps


@dataclass(frozen=True, slots=True)
class Revise:
    """Adds versions."""

    steps: Steps
    featurise: Featurise

    def __call__(
        self, caller: Caller, ref: VersionRef, revision: Revision, idempotency: Idempotency | None = None
    ) -> Memory:
        """The new current version.

        Raises:
            NotFound, NotAllowed, Invalid: As for any write.
            VersionMoved: `revision.expected_version` is not current.
            WrongState: The belief is not live.
        """
        caller.require(Role.WRITER)
        found = self.steps.find(caller, ref.root)
        content = text.accept(revision.content, "content", limit_bytes=text.CONTENT_BYTES)
        features = self.featurise.one(content)

        def plan(belief: Belief, stamp: Stamp) -> Planned:
            statement, because = statements.revised(revision, belief.current.statement, caller, stamp.at)
            step = lineage.revise(
                belief.head,
                belief.current,
                statement,
                stamp,
                because=because,
                embedded=len(features.vectors) > 0,
                expected_version=revision.expected_version,
            )
            return Planned(step, features)

        return self.steps.move(caller, ref, plan, outcome="updated", found=found, idempotency=idempotency)
