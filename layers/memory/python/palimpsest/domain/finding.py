"""A finding: something that a check noticed and did not change. Somebody confirms or dismisses it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import ConflictId, FindingId, KeyId, RootId, SpaceId, VersionRef
from palimpsest.domain.moving import Stamp


class FindingKind(StrEnum):
    """What was noticed."""

    CONTRADICTION = "contradiction"


class FindingState(StrEnum):
    """What became of it."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"


class Reply(StrEnum):
    """What can be said to a finding. CONFIRM begins a conflict; REOPEN takes a dismissal back."""

    CONFIRM = "confirm"
    DISMISS = "dismiss"
    REOPEN = "reopen"


_REPLIES = {
    Reply.CONFIRM: (FindingState.OPEN, FindingState.CONFIRMED),
    Reply.DISMISS: (FindingState.OPEN, FindingState.DISMISSED),
    Reply.REOPEN: (FindingState.DISMISSED, FindingState.OPEN),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Two versions of one space of which somebody should look.

    Attributes:
        existing, incoming: The older and the newer one.
        similarity: Cosine of the two; 0 when it is not known.
        reason: A short sentence for people.
        judged_by: ``rules`` or the model's name.
        revision: How many times it was written.
        answered_at, answered_by: Of the last answer.
        conflict: The conflict that it became.
    """

    id: FindingId
    space: SpaceId
    existing: VersionRef
    incoming: VersionRef
    similarity: float
    reason: str
    judged_by: str
    opened_at: datetime
    opened_by: KeyId
    kind: FindingKind = FindingKind.CONTRADICTION
    state: FindingState = FindingState.OPEN
    revision: int = 1
    answered_at: datetime | None = None
    answered_by: KeyId | None = None
    conflict: ConflictId | None = None

    @property
    def roots(self) -> tuple[RootId, RootId]:
        return self.existing.root, self.incoming.root

    def answered(self, reply: Reply, stamp: Stamp, conflict: ConflictId | None = None) -> Finding:
        """The finding after an answer; WrongState when its state does not allow that one."""
        before, after = _REPLIES[reply]
        if self.state is not before:
            raise WrongState(self.state, f"this finding is {self.state}; {reply} takes one that is {before}")
        changed = replace(self, state=after, revision=self.revision + 1, conflict=conflict)
        return replace(changed, answered_at=stamp.at, answered_by=stamp.by)
