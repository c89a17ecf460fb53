"""Laws 1 and 2 of a belief, as pure functions from the head that was read to a step.

Nothing here stores anything: each function gives the `Step` that a store then writes in one transaction, conditional on
the head that it began from.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from palimpsest.domain import instants, timeline
from palimpsest.domain.belief import Annotations, Head, State
from palimpsest.domain.errors import VersionMoved, WrongState
from palimpsest.domain.ids import ErasureId, RootId, SpaceId
from palimpsest.domain.moving import Stamp as Stamp
from palimpsest.domain.moving import Step as Step
from palimpsest.domain.moving import add as _add
from palimpsest.domain.moving import move as _move
from palimpsest.domain.moving import sealed
from palimpsest.domain.version import Because, Reason, Statement, Version

_NOTHING_MORE: Final[dict[str, object]] = {
    "restore_until": None,
    "owns_text": False,
    "open_conflicts": 0,
    "merged_into": None,
    "begins": None,
    "last_begin": None,
}
"""Of a head that is erased."""


def begin(
    root: RootId, space: SpaceId, statement: Statement, stamp: Stamp, *, annotations: Annotations, embedded: bool
) -> Step:
    """The first version of a new belief."""
    at = instants.to_milliseconds(stamp.at)
    stamp = replace(stamp, at=at)
    version = sealed(Version(root, 1, 1, statement, at, stamp.by, stamp.run, Reason.SAVED, None, None, ""))
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
        begins=statement.valid_from,
        last_begin=statement.valid_from,
    )
    return Step(None, head, version, Reason.SAVED, stamp)


def revise(
    head: Head,
    current: Version,
    statement: Statement,
    stamp: Stamp,
    *,
    because: Because | None,
    embedded: bool,
    expected_version: int | None = None,
    annotations: Annotations | None = None,
    reason: Reason = Reason.UPDATED,
    note: str | None = None,
) -> Step:
    """A new version over the current one, with other annotations when they are given.

    `because`: None when it says the same in other words.

    Raises:
        VersionMoved: `expected_version` is given and no longer current.
        WrongState: The belief is not live.
    """
    require_live(head)
    _require_version(head, expected_version)
    step = _add(head, current, statement, stamp, reason, because=because, embedded=embedded, note=note)
    return step if annotations is None else replace(step, after=replace(step.after, annotations=annotations))


def revert(
    head: Head, current: Version, old: Version, stamp: Stamp, *, embedded: bool, expected_version: int | None = None
) -> Step:
    """What version `old` said becomes a new version.

    Raises:
        VersionMoved: `expected_version` is given and no longer current.
        WrongState: The belief is not live, or `old` is the current version.
    """
    require_live(head)
    _require_version(head, expected_version)
    if old.number == head.current:
        raise WrongState(head.state, f"version {old.number} is the current one; there is nothing to revert")
    note = str(old.number)
    step = _add(head, current, old.statement, stamp, Reason.REVERTED, because=None, embedded=embedded, note=note)
    begins = timeline.own_begin(old)
    return replace(step, after=replace(step.after, begins=None if begins == timeline.BEGINNING else begins))


def is_said(head: Head, current: Version, statement: Statement, *, expected_version: int | None = None) -> bool:
    """The current version says just this already, so that a version over it would change nothing.

    Raises:
        VersionMoved, WrongState: As for `revise`.
    """
    require_live(head)
    _require_version(head, expected_version)
    return current.statement == statement


def annotate(head: Head, annotations: Annotations, stamp: Stamp) -> Step:
    """Other tags, pin, importance or expiry; no new version.

    Raises:
        WrongState: The belief is forgotten.
    """
    require_not_forgotten(head)
    return _move(head, stamp, Reason.ANNOTATED, annotations=annotations)


def forget(head: Head, stamp: Stamp, *, window: timedelta, reason: Reason = Reason.FORGOTTEN) -> Step:
    """Out of every surface now; restorable for `window`.

    Raises:
        WrongState: It is forgotten already.
    """
    if head.state is State.FORGOTTEN:
        raise WrongState(head.state, "this memory is forgotten already")
    until = instants.to_milliseconds(stamp.at) + window
    return _move(head, stamp, reason, state=State.FORGOTTEN, restore_until=until, owns_text=False)


def restore(head: Head, stamp: Stamp, *, has_vectors: bool) -> Step:
    """Back as it was before it was forgotten, live or retired.

    Without vectors (the model has changed since) a live one waits for new ones.

    An expiry that has passed is taken away, or it would be forgotten again at once.

    Raises:
        WrongState: It is not forgotten, or its recovery window is over.
    """
    if head.state is not State.FORGOTTEN:
        raise WrongState(head.state, "this memory is not forgotten")
    if head.restore_until is None or head.restore_until < stamp.at:
        raise WrongState(head.state, "the recovery window of this memory is over")
    notes = replace(head.annotations, expires_at=None) if head.is_expired(stamp.at) else head.annotations
    changes: dict[str, object] = {"state": State.RETIRED, "restore_until": None, "annotations": notes}
    if not head.was_retired:
        changes |= {"state": State.LIVE, "owns_text": True, "embedded": head.embedded if has_vectors else 0}
    return _move(head, stamp, Reason.RESTORED, **changes)


def erase(head: Head, stamp: Stamp, erasure: ErasureId) -> Step:
    """Out of every surface for good; from here on its content is taken away, wherever it lies.

    Raises:
        WrongState: It is being erased already.
    """
    if head.state.is_erased:
        raise WrongState(head.state, "this memory is being erased already")
    step = _move(head, stamp, Reason.ERASED, state=State.ERASING, annotations=Annotations(), **_NOTHING_MORE)
    return replace(step, after=replace(step.after, absences=()), note=erasure)


def mark_embedded(head: Head, number: int, stamp: Stamp) -> Step | None:
    """The vectors of version `number` are there now; None when a newer version has some already."""
    return None if head.embedded >= number else _move(head, stamp, Reason.EMBEDDED, embedded=number)


def give_up(head: Head, stamp: Stamp) -> Step:
    """The current version was to be judged, and nobody could; nothing else of the belief changes."""
    return _move(head, stamp, Reason.UNJUDGED)


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


def require_not_forgotten(head: Head) -> None:
    """Raise WrongState for a forgotten belief."""
    if head.state is State.FORGOTTEN:
        raise WrongState(head.state, "this memory is forgotten; restore it first")


def require_live(head: Head) -> None:
    """Raise WrongState for a belief that is not live."""
    if head.state is not State.LIVE:
        raise WrongState(head.state, f"this memory is {head.state}; restore it first")


def _require_version(head: Head, expected: int | None) -> None:
    if expected is not None and expected != head.current:
        raise VersionMoved(expected=expected, current=head.current)
