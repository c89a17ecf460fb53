"""What is trusted less than what it would replace: it stands beside that, disputed, until somebody decides."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Annotations
from palimpsest.domain.errors import LostRace, Outranked
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.judgement import Opinion, Relation, Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.source import Trust
from palimpsest.domain.text import same_text_form
from palimpsest.domain.version import Statement
from palimpsest.stores.changes import Features
from palimpsest.usecases.accepted import Accepted, Request
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.drafts import Draft, Outcome, Revised
from palimpsest.usecases.saving import Saving
from palimpsest.usecases.steps import ATTEMPTS, Found, Moved

_REASON = "it would have replaced what is trusted more"


def require_trust(trust: Trust, replaced: Trust) -> None:
    """Outranked when `trust` is below that of what would be replaced."""
    if trust.is_below(replaced):
        raise Outranked(replaced)


def revised(moved: Moved) -> Revised:
    """What a move that adds a version came to."""
    if moved.conflict is not None:
        return Revised(moved.memory, Outcome.CONFLICT, moved.conflict)
    return Revised(moved.memory, Outcome.VERSIONED if moved.is_new else Outcome.UNCHANGED)


@dataclass(frozen=True, slots=True)
class Challenge:
    """Begins conflicts in place of versions."""

    saving: Saving
    confront: Confront

    def __call__(
        self,
        caller: Caller,
        root: RootId,
        statement: Statement,
        features: Features,
        idempotency: Idempotency | None = None,
    ) -> Revised:
        """What `statement`, which may not replace the current version of `root`, came to.

        ``conflict``: it is a belief of its own, in conflict with `root`. ``unchanged``: it says just what `root` says,
        or somebody has decided on the two already.

        Raises:
            WrongState: `root` is not live.
        """
        steps = self.saving.steps
        for _ in range(ATTEMPTS):
            replayed = self.saving.replayed(caller, idempotency)
            if replayed is not None:
                return Revised(replayed.memory, replayed.outcome, replayed.conflict_id)
            found = steps.find(caller, root)
            current = found.belief.current
            lineage.require_live(found.belief.head)
            if same_text_form(statement.content) == same_text_form(current.statement.content):
                return Revised(steps.shown(found.space, found.belief.head, current), Outcome.UNCHANGED)
            saved = self.saving(
                Request(caller, self._accepted(found, caller, statement), idempotency),
                features,
                Verdict("trust", contradictory=(_opinion(current.ref),)),
            )
            if saved is None:
                continue
            if saved.conflict_id is None:  # another belief says it already
                return self._confronted(caller, root, saved.memory.head.root)
            return Revised(saved.memory, Outcome.CONFLICT, saved.conflict_id)
        raise LostRace(ATTEMPTS)

    def _accepted(self, found: Found, caller: Caller, statement: Statement) -> Accepted:
        stamp = Stamp(self.saving.steps.clock.now(), caller.key)
        return Accepted(found.space, Draft(statement.content), statement, Annotations(), stamp)

    def _confronted(self, caller: Caller, root: RootId, incoming: RootId) -> Revised:
        conflict = self.confront(caller, incoming, _opinion(VersionRef(root)))
        outcome = Outcome.UNCHANGED if conflict is None else Outcome.CONFLICT
        return Revised(self.saving.steps.show(caller, incoming), outcome, conflict)


def _opinion(ref: VersionRef) -> Opinion:
    return Opinion(ref, Relation.CONTRADICTORY, 0.0, _REASON, "trust")
