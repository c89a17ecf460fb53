"""The steps of a belief that added no version, as items beside its versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.belief import AnnotationChange
from palimpsest.domain.ids import KeyId, RunId
from palimpsest.domain.lineage import Step
from palimpsest.domain.version import Reason
from palimpsest.ports.table import Item, Value
from palimpsest.stores import annotation_codec, keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Event:
    """A step that added no version."""

    revision: int
    reason: Reason
    at: datetime
    by: KeyId
    run: RunId | None
    annotated: AnnotationChange | None = None
    note: str | None = None


def to_item(step: Step) -> dict[str, Value]:
    """The history's row of a step without a version."""
    # What an erased belief was tagged with is not to be written once more.
    change = None if step.after.state.is_erased else AnnotationChange.between(step.before, step.after)
    return item(
        keys.event(step.after.root, step.after.revision),
        revision=step.after.revision,
        reason=step.reason,
        at=step.stamp.at,
        by=step.stamp.by,
        run=step.stamp.run,
        before=annotation_codec.attributes(change.before) if change else None,
        after=annotation_codec.attributes(change.after) if change else None,
        note=step.note,
    )


def read(stored: Item) -> Event:
    """The event in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Event(
        revision=r.integer("revision"),
        reason=r.choice("reason", Reason),
        at=r.instant("at"),
        by=KeyId(r.text("by")),
        run=r.optional("run", lambda name: RunId(r.text(name))),
        annotated=r.optional("before", lambda name: _change(r, name)),
        note=r.optional("note", r.text),
    )


def _change(r: Reader, before: str) -> AnnotationChange:
    return AnnotationChange(annotation_codec.read(r.map(before)), annotation_codec.read(r.map("after")))
