"""A belief: a chain of versions under a small head that says which one is current."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.ids import RootId, SpaceId
from palimpsest.domain.strength import Reinforcement
from palimpsest.domain.version import Version


class Status(StrEnum):
    """How a version stands, seen from outside."""

    CURRENT = "current"
    STALE = "stale"
    RETIRED = "retired"
    FORGOTTEN = "forgotten"


class State(StrEnum):
    """How a belief stands."""

    LIVE = "live"
    RETIRED = "retired"
    FORGOTTEN = "forgotten"
    ERASING = "erasing"
    ERASED = "erased"

    @property
    def is_erased(self) -> bool:
        """Its content is gone, or on its way to be; nobody may see it, and nothing brings it back."""
        return self in (State.ERASING, State.ERASED)


@dataclass(frozen=True, slots=True)
class Annotations:
    """What can be said of a belief without a new version."""

    tags: tuple[str, ...] = ()
    pinned: bool = False
    importance: float = 1.0
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Absence:
    """A time of ours in which a belief was retired; `until` is None while it still is."""

    since: datetime
    until: datetime | None = None

    def covers(self, believed_at: datetime) -> bool:
        """It was retired then."""
        return self.since <= believed_at and (self.until is None or believed_at < self.until)


@dataclass(frozen=True, slots=True)
class Head:
    """A belief's current state.

    Attributes:
        current: Number of the version that is current, or was when the belief left recall.
        count: How many versions there are; the next one is count + 1.
        revision: How many steps were made; every step adds one.
        changed_at: When the last step was made.
        recorded_at: When the current version was made.
        embedded: Number of the newest version that has vectors; 0 when none has.
        owns_text: The space's record of this text points here; else another belief says the same and has it.
        restore_until: End of the recovery window of a forgotten belief.
        open_conflicts: How many conflicts that nobody has decided it is part of.
        merged_into: Where a retired belief went, if it went into another one.
        begins: Since when, in the world, the current version is true, or earlier; None: from the beginning.
        last_begin: No version begins to be true later; None: all do from the beginning.
        absences: When it was retired, oldest first.
    """

    root: RootId
    space: SpaceId
    state: State
    current: int
    count: int
    revision: int
    created_at: datetime
    changed_at: datetime
    recorded_at: datetime
    annotations: Annotations
    embedded: int = 0
    owns_text: bool = True
    restore_until: datetime | None = None
    open_conflicts: int = 0
    merged_into: RootId | None = None
    begins: datetime | None = None
    last_begin: datetime | None = None
    absences: tuple[Absence, ...] = ()

    @property
    def is_disputed(self) -> bool:
        """It is part of a conflict that nobody has decided."""
        return self.open_conflicts > 0

    @property
    def was_retired(self) -> bool:
        """It is retired, or was when it was forgotten."""
        return bool(self.absences) and self.absences[-1].until is None

    def status(self, number: int) -> Status:
        """How version `number` stands."""
        if self.state is State.FORGOTTEN or self.state.is_erased:
            return Status.FORGOTTEN
        if number != self.current:
            return Status.STALE
        return Status.CURRENT if self.state is State.LIVE else Status.RETIRED

    @property
    def ends_at(self) -> datetime | None:
        """When it ends by itself: it is forgotten then, or erased when it is forgotten already. None: never."""
        if self.state.is_erased:
            return None
        return self.restore_until if self.state is State.FORGOTTEN else self.annotations.expires_at

    def is_expired(self, now: datetime) -> bool:
        """Past its ``expires_at``."""
        ends = self.annotations.expires_at
        return ends is not None and ends <= now


@dataclass(frozen=True, slots=True)
class AnnotationChange:
    """The annotations before a step, and after it."""

    before: Annotations
    after: Annotations

    @classmethod
    def between(cls, before: Head | None, after: Head) -> AnnotationChange | None:
        """What changed from one head to the next; None when nothing did, or the belief began."""
        if before is None or before.annotations == after.annotations:
            return None
        return cls(before.annotations, after.annotations)


@dataclass(frozen=True, slots=True)
class Memory:
    """One version of a belief as it is shown: the row, and how it stands.

    Attributes:
        space: The space's name.
        stale_since: When its successor was recorded; None when it has none.
    """

    space: str
    head: Head
    version: Version
    stale_since: datetime | None
    reinforcement: Reinforcement = field(default_factory=Reinforcement)

    @property
    def status(self) -> Status:
        return self.head.status(self.version.number)

    @property
    def importance(self) -> float:
        """As a person set it, or as recalls raised it since."""
        return self.reinforcement.importance(self.head.annotations.importance)
