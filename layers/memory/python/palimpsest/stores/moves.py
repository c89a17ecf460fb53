"""A belief's step as the writes of its transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import ConditionFailed, HeadMoved
from palimpsest.domain.lineage import Step
from palimpsest.domain.version import Reason
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Missing, Put, Table, Write
from palimpsest.stores import belief_codec, changes, derivations, dues, events, keys, pins, vectors
from palimpsest.stores.changes import Features
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.spaces import Space
from palimpsest.stores.texts import Words

Guarded: TypeAlias = tuple[Write, type[ConditionFailed]]
"""A write of a transaction, and the failure that its condition stands for."""

_TOUCHES_ALL: Final = frozenset({Reason.ANNOTATED, Reason.RESTORED, Reason.REINSTATED})
"""Steps after which every version is found differently: by other tags, or at all."""


@dataclass(frozen=True, slots=True)
class Move:
    """A step that is to be written.

    Attributes:
        features: Of the version that is current after the step; None when it leaves every surface.
        text_before: What the current version said before the step; None at the beginning.
    """

    step: Step
    space: Space
    features: Features | None
    text_before: Words | None

    def without_text(self) -> Move:
        """The same, of a belief whose text another one has the record of."""
        return replace(self, step=replace(self.step, after=replace(self.step.after, owns_text=False)))

    def texts(self) -> tuple[tuple[Head | None, Words | None], tuple[Head, Words | None]]:
        """The head and the current text, before and after the step."""
        added = self.step.version
        after = self.text_before if added is None else Words.of(added.statement)
        return (self.step.before, self.text_before), (self.step.after, after)

    def writes(self, place: str, model: Model) -> list[Guarded]:
        """What the step writes but for the records of its text; each fails when another step came first.

        Args:
            place: Of its row in the change log, a ULID.
            model: Whose vectors the features have.
        """
        step, after, features = self.step, self.step.after, self.features
        waits = after.state is State.LIVE and after.embedded < after.current
        head = belief_codec.head_item(after, shards=self.space.write_shards, waits_for_vectors=waits)
        row = events.to_item(step) if step.version is None else belief_codec.version_item(step.version)
        row["log"] = place
        partition = LogPartition(self.space.id, keys.shard_of(after.root, self.space.write_shards))
        digest, touches_all = keys.model_digest(model), step.reason in _TOUCHES_ALL
        told = partition, place, after.root, after.revision, after.current, step.stamp.at, features
        _, (_, words) = self.texts()
        traits = None if words is None else words.traits
        writes: list[Write] = [
            belief_codec.head_write(step.before, head),
            Put(row, Missing("pk")),
            changes.row(*told, model=digest, traits=traits, tags=after.annotations.tags, touches_all=touches_all),
        ]
        listed = dues.write(step.before, after), pins.write(step.before, after)
        writes += [each for each in listed if each is not None]
        is_new = after.embedded > (0 if step.before is None else step.before.embedded)
        if features is not None and is_new and len(features.vectors):
            writes.append(Put(vectors.to_item(after.root, after.embedded, model, features.vectors)))
        if step.version is not None:
            writes += derivations.writes_of(step.version)
        return [(write, HeadMoved) for write in writes]


def fenced(table: Table, writes: Sequence[Write], fence: Guarded | None) -> bool:
    """Transact, behind the fence of a run if there is one; False when another condition does not hold.

    Raises:
        ConditionFailed: Of the kind that the fence stands for.
    """
    try:
        table.transact([*writes, *([fence[0]] if fence else [])])
    except ConditionFailed as error:
        if fence is not None and len(writes) in error.failed:
            raise fence[1](error.failed) from error
        return False
    return True
