"""A belief and its lineage: laws 1 and 2, as pure functions from the head that was read to a step.

A belief is a chain of versions 1..n under a small head that says which one is current. Nothing here stores anything:
each function gives the `Step` that a store then writes in one transaction, conditional on the head that it began from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from palimpsest.domain import instants, proof
from palimpsest.domain.errors import VersionMoved, WrongState
from palimpsest.domain.ids import KeyId, RootId, RunId, SpaceId, VersionRef
from palimpsest.domain.source import Source


class MemoryType(StrEnum):
    """What kind of thing is held true. `context` is no member: it labels recall results and can't be saved."""

    FACT = "fact"
    PREFERENCE = "preference"
    EPISODE = "episode"
    PROCEDURE = "procedure"


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


class Reason(StrEnum):
    """Why a step was made, as the history tells it."""

    SAVED = "saved"
    UPDATED = "updated"
    REVERTED = "reverted"
    ANNOTATED = "annotated"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    EMBEDDED = "embedded"


class Because(StrEnum):
    """Why an update was made: the world changed, or the old version was never true."""

    CHANGED = "changed"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Statement:
    """What a version says, and of when.

    Attributes:
        content: The text, NFC.
        canonical: The same in a form that stands alone, when the caller gives one.
        level: L0 as said, L1 consolidated.
        asserted_at: When it was said.
        valid_from, valid_until: When it is true in the world.
        event_date: When what it tells of happened.
        metadata: A JSON object as text.
    """

    content: str
    asserted_at: datetime
    memory_type: MemoryType = MemoryType.FACT
    canonical: str | None = None
    level: str = "L0"
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_date: datetime | None = None
    source: Source = Source()
    attributed_to: str | None = None
    metadata: str = "{}"
    derived_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotations:
    """What can be said of a belief without a new version."""

    tags: tuple[str, ...] = ()
    pinned: bool = False
    importance: float = 1.0
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who makes a step, when, and in which run."""

    at: datetime
    by: KeyId
    run: RunId | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """One immutable row of a belief. `revision`: which step added it; ``because`` is given for updates alone."""

    root: RootId
    number: int
    revision: int
    statement: Statement
    recorded_at: datetime
    created_by: KeyId
    run: RunId | None
    reason: Reason
    because: Because | None
    previous_hash: str | None
    content_hash: str

    @property
    def ref(self) -> VersionRef:
        return VersionRef(self.root, self.number)

    def expected_hash(self) -> str:
        """What `content_hash` has to be, from everything else in the row."""
        said = self.statement
        return proof.digest(
            {
                "id": str(self.ref),
                "revision": self.revision,
                "content": said.content,
                "memory_type": said.memory_type,
                "canonical": said.canonical,
                "level": said.level,
                "asserted_at": instants.write(said.asserted_at),
                "recorded_at": instants.write(self.recorded_at),
                "valid_from": _written(said.valid_from),
                "valid_until": _written(said.valid_until),
                "event_date": _written(said.event_date),
                "source": [said.source.agent, said.source.session, said.source.channel, said.source.trust],
                "attributed_to": said.attributed_to,
                "metadata": said.metadata,
                "derived_from": said.derived_from,
                "run_id": self.run,
                "created_by": self.created_by,
                "reason": self.reason,
                "because": self.because,
            },
            self.previous_hash,
        )


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
        owns_text: The space's record of this text points here, so that saving it again is `unchanged`.
        restore_until: End of the recovery window of a forgotten belief.
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

    def status(self, number: int) -> Status:
        """How version `number` stands."""
        if self.state is State.FORGOTTEN:
            return Status.FORGOTTEN
        if number != self.current:
            return Status.STALE
        return Status.CURRENT if self.state is State.LIVE else Status.RETIRED

    def is_expired(self, now: datetime) -> bool:
        """Past its ``expires_at``."""
        ends = self.annotations.expires_at
        return ends is not None and ends <= now


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

    @property
    def status(self) -> Status:
        return self.head.status(self.version.number)


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a belief, to be written as one transaction on the head `before`.

    Attributes:
        before: The head that was read; None when the belief begins.
        version: The version that the step adds, if it adds one.
        note: What the history should add, e.g. the version that was reverted to.
    """

    before: Head | None
    after: Head
    version: Version | None
    reason: Reason
    stamp: Stamp
    note: str | None = None

    @property
    def added(self) -> Version:
        """The version that the step adds; ValueError for a step that adds none."""
        if self.version is None:
            raise ValueError(f"a step of the kind {self.reason} adds no version")
        return self.version


def begin(
    root: RootId, space: SpaceId, statement: Statement, stamp: Stamp, *, annotations: Annotations, embedded: bool
) -> Step:
    """The first version of a new belief."""
    at = instants.to_milliseconds(stamp.at)
    stamp = replace(stamp, at=at)
    version = _sealed(Version(root, 1, 1, statement, at, stamp.by, stamp.run, Reason.SAVED, None, None, ""))
    head = Head(
        root=root,
        space=space,
        state=State.LIVE,
        current=1,
        count=1,
        revision=1,
        created_at=at,
        changed_at=at,
        recorded_at=at,
        annotations=annotations,
        embedded=int(embedded),
    )
    return Step(None, head, version, Reason.SAVED, stamp)


def revise(
    head: Head,
    current: Version,
    statement: Statement,
    stamp: Stamp,
    *,
    because: Because,
    embedded: bool,
    expected_version: int | None = None,
) -> Step:
    """A new version over the current one.

    Raises:
        VersionMoved: `expected_version` is given and no longer current.
        WrongState: The belief is not live.
    """
    _require_live(head)
    _require_version(head, expected_version)
    return _add(head, current, statement, stamp, Reason.UPDATED, because=because, embedded=embedded)


def revert(
    head: Head, current: Version, old: Version, stamp: Stamp, *, embedded: bool, expected_version: int | None = None
) -> Step:
    """What version `old` said becomes a new version.

    Raises:
        VersionMoved: `expected_version` is given and no longer current.
        WrongState: The belief is not live, or `old` is the current version.
    """
    _require_live(head)
    _require_version(head, expected_version)
    if old.number == head.current:
        raise WrongState(head.state, f"version {old.number} is the current one; there is nothing to revert")
    note = str(old.number)
    return _add(head, current, old.statement, stamp, Reason.REVERTED, because=None, embedded=embedded, note=note)


def annotate(head: Head, annotations: Annotations, stamp: Stamp) -> Step:
    """Other tags, pin, importance or expiry; no new version.

    Raises:
        WrongState: The belief is forgotten.
    """
    if head.state is State.FORGOTTEN:
        raise WrongState(head.state, "this memory is forgotten; restore it first")
    return _move(head, stamp, Reason.ANNOTATED, annotations=annotations)


def forget(head: Head, stamp: Stamp, *, window: timedelta) -> Step:
    """Out of every surface now; restorable for `window`.

    Raises:
        WrongState: It is forgotten already.
    """
    if head.state is State.FORGOTTEN:
        raise WrongState(head.state, "this memory is forgotten already")
    until = instants.to_milliseconds(stamp.at) + window
    return _move(head, stamp, Reason.FORGOTTEN, state=State.FORGOTTEN, restore_until=until, owns_text=False)


def restore(head: Head, stamp: Stamp) -> Step:
    """Back as it was before it was forgotten.

    Raises:
        WrongState: It is not forgotten, or its recovery window is over.
    """
    if head.state is not State.FORGOTTEN:
        raise WrongState(head.state, "this memory is not forgotten")
    if head.restore_until is None or head.restore_until < stamp.at:
        raise WrongState(head.state, "the recovery window of this memory is over")
    return _move(head, stamp, Reason.RESTORED, state=State.LIVE, restore_until=None, owns_text=True)


def mark_embedded(head: Head, number: int, stamp: Stamp) -> Step | None:
    """The vectors of version `number` are there now; None when a newer version has some already."""
    return None if head.embedded >= number else _move(head, stamp, Reason.EMBEDDED, embedded=number)


def broken_links(versions: list[Version]) -> list[int]:
    """Numbers of the versions, given oldest first from 1, whose hash or whose link to the one before is wrong."""
    broken = []
    previous = None
    for number, version in enumerate(versions, start=1):
        intact = version.number == number and version.previous_hash == previous
        if not intact or version.content_hash != version.expected_hash():
            broken.append(number)
        previous = version.content_hash
    return broken


def _written(instant: datetime | None) -> str | None:
    return None if instant is None else instants.write(instant)


def _require_live(head: Head) -> None:
    if head.state is not State.LIVE:
        raise WrongState(head.state, f"this memory is {head.state}; restore it first")


def _require_version(head: Head, expected: int | None) -> None:
    if expected is not None and expected != head.current:
        raise VersionMoved(expected=expected, current=head.current)


def _add(
    head: Head,
    current: Version,
    statement: Statement,
    stamp: Stamp,
    reason: Reason,
    *,
    because: Because | None,
    embedded: bool,
    note: str | None = None,
) -> Step:
    number = head.count + 1
    stamp = replace(stamp, at=instants.after(head.changed_at, stamp.at))
    version = _sealed(
        Version(
            root=head.root,
            number=number,
            revision=head.revision + 1,
            statement=statement,
            recorded_at=stamp.at,
            created_by=stamp.by,
            run=stamp.run,
            reason=reason,
            because=because,
            previous_hash=current.content_hash,
            content_hash="",
        )
    )
    newest = number if embedded else head.embedded
    step = _move(head, stamp, reason, current=number, count=number, recorded_at=stamp.at, embedded=newest, owns_text=True)
    return replace(step, version=version, note=note)


def _move(head: Head, stamp: Stamp, reason: Reason, **changes: object) -> Step:
    stamp = replace(stamp, at=max(head.changed_at, instants.to_milliseconds(stamp.at)))
    after = replace(head, revision=head.revision + 1, changed_at=stamp.at, **changes)  # type: ignore[arg-type]
    return Step(head, after, None, reason, stamp)


def _sealed(version: Version) -> Version:
    return replace(version, content_hash=version.expected_hash())
