"""Steps of a belief from the head that was read: what every one of them has in common, pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain import instants, timeline
from palimpsest.domain.belief import Absence, Head, State
from palimpsest.domain.ids import KeyId, RunId
from palimpsest.domain.version import Because, Reason, Statement, Version


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who makes a step, when, and in which run."""

    at: datetime
    by: KeyId
    run: RunId | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a belief, to be written as one transaction on the head `before`.

    Attributes:
        before: The head that was read; None when the belief begins.
        version: The version that the step adds, if it adds one.
        note: What the history should add to a step without a version: ids, never text.
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


def add(
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
    """A step that puts a version over the current one, never at the same time as the step before."""
    number = head.count + 1
    stamp = replace(stamp, at=instants.after(head.changed_at, stamp.at))
    version = sealed(
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
            note=note,
        )
    )
    newest = number if embedded else head.embedded
    step = move(head, stamp, reason, **_timed(head, version), current=number, embedded=newest, owns_text=True)
    return replace(step, version=version)


def _timed(head: Head, version: Version) -> dict[str, object]:
    """What a new version changes of the head's count and times."""
    own = timeline.own_begin(version)
    return {
        "count": version.number,
        "recorded_at": version.recorded_at,
        "begins": own or head.begins,
        "last_begin": max(filter(None, (own, head.last_begin)), default=None),
    }


def move(head: Head, stamp: Stamp, reason: Reason, **changes: object) -> Step:
    """A step that changes these of the head's attributes, never earlier than the step before."""
    stamp = replace(stamp, at=max(head.changed_at, instants.to_milliseconds(stamp.at)))
    after = replace(head, revision=head.revision + 1, changed_at=stamp.at, **changes)  # type: ignore[arg-type]
    after = replace(after, absences=_absences(after, stamp.at))
    return Step(head, after, None, reason, stamp)


def _absences(after: Head, at: datetime) -> tuple[Absence, ...]:
    """When the belief was retired, by a step at `at` that leaves it in the state of `after`."""
    before = after.absences
    if after.state is State.RETIRED and not after.was_retired:
        return (*before, Absence(at))
    if after.state is State.LIVE and after.was_retired:
        return (*before[:-1], Absence(before[-1].since, at))
    return before


def sealed(version: Version) -> Version:
    """The version with the hash that covers it."""
    return replace(version, content_hash=version.expected_hash())
