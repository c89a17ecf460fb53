"""Begin a conflict between two beliefs that are both there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller
from palimpsest.domain.errors import HeadMoved, LostRace
from palimpsest.domain.ids import ConflictId, RootId, VersionRef
from palimpsest.domain.judgement import Opinion
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.moves import Guarded
from palimpsest.usecases.disputes import Disputes
from palimpsest.usecases.steps import ATTEMPTS, Steps


@dataclass(frozen=True, slots=True)
class Confront:
    """Begins conflicts."""

    steps: Steps
    disputes: Disputes

    def __call__(
        self,
        caller: Caller,
        incoming: RootId,
        opinion: Opinion,
        *,
        compared: VersionRef | None = None,
        also: Sequence[Guarded] = (),
    ) -> ConflictId | None:
        """The conflict of `incoming` with the belief that the opinion is of, as both stand now.

        The one that is pending when there is one; None when somebody has decided on the two.

        Args:
            compared: The version of `incoming` that the opinion compared; without it the opinion is of whatever both
                say.
            also: Written with it, or alone when the conflict is there already.

        Raises:
            NotFound, WrongState: One of the two is not there, or not live.
            HeadMoved: One of the two does not say any more what was compared.
            ConditionFailed: As `also` says.
        """
        for _ in range(ATTEMPTS):
            existing = self.steps.find_shown(caller, opinion.ref.root).belief
            space, belief = self.steps.find_shown(caller, incoming)
            lineage.require_live(existing.head)
            lineage.require_live(belief.head)
            if compared is not None and (existing.current.ref, belief.current.ref) != (opinion.ref, compared):
                raise HeadMoved
            seen = replace(opinion, ref=existing.current.ref)
            stamp = Stamp(self.steps.clock.now(), caller.key)
            opened = self.disputes.open(space, belief.current.ref, [seen], stamp)
            if opened is None:
                continue
            if not opened.begun:
                if opened.first is not None and also:
                    self.steps.beliefs.commit_all([], also=also)
                return opened.first
            own = self.disputes.join(space, belief, opened.begun[0], stamp)
            try:
                self.steps.beliefs.commit_all([own, *opened.moves], also=[*opened.writes, *also])
            except HeadMoved:
                continue
            return opened.begun[0]
        raise LostRace(ATTEMPTS)
