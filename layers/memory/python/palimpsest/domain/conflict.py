"""A conflict: two beliefs that can't both be true. Both stay current until somebody decides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import ConflictId, KeyId, RootId, RunId, SpaceId, VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.source import Trust


class ConflictState(StrEnum):
    """Whether it is decided. A decision that was reverted leaves it pending."""

    PENDING = "pending"
    RESOLVED = "resolved"


class Action(StrEnum):
    """What can be decided.

    KEEP_NEW: what the incoming belief says becomes a version of the existing one. KEEP_EXISTING: one of the two (the
    winner; the existing one unless said otherwise) stays as it is, and the other is retired. KEEP_BOTH: both stay, and
    nobody is asked about the pair again. MERGE: a text that reconciles them becomes a version of the existing one.
    """

    KEEP_NEW = "keep_new"
    KEEP_EXISTING = "keep_existing"
    KEEP_BOTH = "keep_both"
    MERGE = "merge"

    @property
    def adds_version(self) -> bool:
        """The existing belief gets another version."""
        return self in (Action.KEEP_NEW, Action.MERGE)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, by whom, and on what.

    Attributes:
        winner: The belief that stays; None when both do.
        existing, incoming: The versions that were current when it was decided.
        made: The version that the decision added, if it added one.
        passed_on: Conflicts of that version with what contradicted the retired side, too: they began with the decision.
        trust: How far whoever decided is trusted.
        model: The model that decided; None: a person or a program, by its key.
        score: How sure the model was, 0 to 1.
        reason: A short sentence for people.
        reverted_at, reverted_by: When and by whom it was taken back.
    """

    action: Action
    winner: RootId | None
    existing: VersionRef
    incoming: VersionRef
    made: VersionRef | None
    at: datetime
    by: KeyId
    trust: Trust
    passed_on: tuple[ConflictId, ...] = ()
    model: str | None = None
    score: float | None = None
    reason: str | None = None
    run: RunId | None = None
    reverted_at: datetime | None = None
    reverted_by: KeyId | None = None

    @property
    def loser(self) -> RootId | None:
        """The belief that was retired; None when both stay."""
        if self.winner is None:
            return None
        return self.incoming.root if self.winner == self.existing.root else self.existing.root

    def seen(self, root: RootId) -> VersionRef:
        """The version of that side that was current when it was decided."""
        return self.existing if root == self.existing.root else self.incoming


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two beliefs of one space, and what was decided of them.

    Attributes:
        existing, incoming: The versions that were found to contradict each other.
        similarity: Cosine of the two; 0 when it is not known.
        reason: A short sentence for people.
        judged_by: ``rules``, ``trust``, ``person`` or the model's name.
        revision: How many times it was written.
        decision: The last one; a reverted one says so.
    """

    id: ConflictId
    space: SpaceId
    existing: VersionRef
    incoming: VersionRef
    similarity: float
    reason: str
    judged_by: str
    opened_at: datetime
    opened_by: KeyId
    state: ConflictState = ConflictState.PENDING
    revision: int = 1
    decision: Decision | None = None

    @property
    def roots(self) -> tuple[RootId, RootId]:
        return self.existing.root, self.incoming.root

    @property
    def is_decided(self) -> bool:
        """A decision holds."""
        return self.state is ConflictState.RESOLVED

    def other(self, root: RootId) -> RootId:
        """The side that `root` is not."""
        return self.incoming.root if root == self.existing.root else self.existing.root

    def decided(self, decision: Decision) -> Conflict:
        """The conflict after a decision; WrongState when it is decided already."""
        self.require_pending()
        return replace(self, state=ConflictState.RESOLVED, decision=decision, revision=self.revision + 1)

    def reverted(self, stamp: Stamp) -> Conflict:
        """The conflict after its decision was taken back; WrongState when there is none to take back."""
        reverted = replace(self.require_decided(), reverted_at=stamp.at, reverted_by=stamp.by)
        return replace(self, state=ConflictState.PENDING, decision=reverted, revision=self.revision + 1)

    def require_pending(self) -> None:
        """Raise WrongState for one that is decided."""
        if self.is_decided:
            raise WrongState(self.state, "this conflict is decided already; to decide anew, revert that first")

    def require_decided(self) -> Decision:
        """The decision that holds; WrongState when there is none."""
        if not self.is_decided or self.decision is None:
            raise WrongState(self.state, "this conflict is not decided; there is nothing to revert")
        return self.decision
