"""A belief that says what another one says goes into that one; taken back, both are as they were before."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from palimpsest.domain import lineage
from palimpsest.domain.belief import Annotations, Head, State
from palimpsest.domain.ids import ConflictId, RootId, VersionRef
from palimpsest.domain.moving import Stamp, Step, move
from palimpsest.domain.version import Because, Reason, Version


@dataclass(frozen=True, slots=True)
class Joined:
    """What a join did to the belief that it went into: ids and marks, never a text.

    Attributes:
        into: That belief, at the version that was current before.
        made: The number of the version that the join added; None when it added none.
        begun: The conflicts that began with that version.
        tags: How many tags it had before, which stand first; None when the join did not keep those.
        marks: Its other annotations before.
    """

    into: VersionRef
    made: int | None = None
    begun: tuple[ConflictId, ...] = ()
    tags: int | None = None
    marks: Annotations = field(default_factory=Annotations)

    def before(self, after: Annotations) -> Annotations:
        """What the annotations were before, of those that they are since the join."""
        return after if self.tags is None else replace(self.marks, tags=after.tags[: self.tags])


def join(head: Head, stamp: Stamp, *, into: RootId) -> Step:
    """It was found to restate `into`, and leaves recall; WrongState when it is not live."""
    lineage.require_live(head)
    return move(head, stamp, Reason.RETIRED, state=State.RETIRED, merged_into=into, owns_text=False)


def joined(before: Head, step: Step | None, begun: tuple[ConflictId, ...]) -> Joined:
    """What is kept of a join into the belief `before`, to which it did `step`, if anything."""
    into = VersionRef(before.root, before.current)
    if step is None:
        return Joined(into)
    had, has = before.annotations, step.after.annotations
    is_kept = has.tags[: len(had.tags)] == had.tags
    return Joined(into, step.added.number, begun, len(had.tags) if is_kept else None, replace(had, tags=()))


def part(head: Head, stamp: Stamp, *, has_vectors: bool) -> Step:
    """What retired the belief into another one was taken back; without vectors it waits for new ones."""
    embedded = head.embedded if has_vectors else 0
    return move(head, stamp, Reason.REINSTATED, state=State.LIVE, merged_into=None, owns_text=True, embedded=embedded)


def unsay(
    head: Head,
    current: Version,
    before: Version,
    stamp: Stamp,
    *,
    embedded: bool,
    annotations: Annotations | None = None,
    note: str | None = None,
) -> Step:
    """What added the current version was taken back: what the belief said before is its newest version.

    WrongState when it is not live.
    """
    return lineage.revise(
        head,
        current,
        before.statement,
        stamp,
        because=Because.CORRECTED,
        embedded=embedded,
        annotations=annotations,
        reason=Reason.REINSTATED,
        note=note,
    )
