"""The steps of beliefs that contradict each other: disputed, decided on, retired, and all of that taken back.

Each carries the conflict's id as its note, so that the history of both sides tells it.
"""

from __future__ import annotations

from dataclasses import replace

from palimpsest.domain import joining, lineage
from palimpsest.domain.belief import Head, State
from palimpsest.domain.ids import ConflictId, RootId
from palimpsest.domain.moving import Stamp, Step, move
from palimpsest.domain.version import Because, Reason, Statement, Version


def dispute(head: Head, stamp: Stamp, conflict: ConflictId) -> Step:
    """It is part of one more conflict; WrongState when it is not live."""
    lineage.require_live(head)
    return dispute_again(head, stamp, conflict)


def disputed(step: Step, conflicts: int) -> Step:
    """The same step, which makes the belief part of so many more conflicts."""
    after = replace(step.after, open_conflicts=step.after.open_conflicts + conflicts)
    return replace(step, after=after)


def settle(head: Head, stamp: Stamp, conflict: ConflictId) -> Step:
    """A conflict was decided, and the belief stays as it is; WrongState when it is not live."""
    lineage.require_live(head)
    return replace(move(head, stamp, Reason.RESOLVED, open_conflicts=_one_less(head)), note=conflict)


def take_over(
    head: Head,
    current: Version,
    statement: Statement,
    stamp: Stamp,
    conflict: ConflictId,
    *,
    embedded: bool,
) -> Step:
    """A conflict was decided by a new text of the belief; WrongState when it is not live."""
    step = lineage.revise(
        head,
        current,
        statement,
        stamp,
        because=Because.CORRECTED if statement.valid_from is None else Because.CHANGED,
        embedded=embedded,
        reason=Reason.RESOLVED,
        note=conflict,
    )
    return replace(step, after=replace(step.after, open_conflicts=_one_less(head)))


def retire(head: Head, stamp: Stamp, conflict: ConflictId, *, into: RootId) -> Step:
    """A conflict was decided against the belief: it leaves recall; WrongState when it is not live."""
    lineage.require_live(head)
    left = _one_less(head)
    step = move(
        head, stamp, Reason.RETIRED, state=State.RETIRED, merged_into=into, owns_text=False, open_conflicts=left
    )
    return replace(step, note=conflict)


def reinstate(head: Head, stamp: Stamp, conflict: ConflictId, *, has_vectors: bool) -> Step:
    """The decision that retired the belief was taken back; without vectors it waits for new ones."""
    return replace(disputed(joining.part(head, stamp, has_vectors=has_vectors), 1), note=conflict)


def take_back(
    head: Head, current: Version, before: Version, stamp: Stamp, conflict: ConflictId, *, embedded: bool
) -> Step:
    """The decision that added the current version was taken back: what the belief said before is its newest version."""
    return disputed(joining.unsay(head, current, before, stamp, embedded=embedded, note=conflict), 1)


def dispute_again(head: Head, stamp: Stamp, conflict: ConflictId) -> Step:
    """A decision that left the belief as it is was taken back, whatever became of the belief since."""
    return replace(disputed(move(head, stamp, Reason.DISPUTED), 1), note=conflict)


def _one_less(head: Head) -> int:
    return max(0, head.open_conflicts - 1)
