"""A run that merges entities that are one by their letters, and notes those that may be one for somebody to decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from palimpsest.domain.graph.duplicates import Likeness, Named, likenesses
from palimpsest.domain.graph.entity import Entity, Origin
from palimpsest.domain.ids import EntityId, duplicate_of
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.jobs.run_kinds import CHANGED_SINCE, GONE, Planned
from palimpsest.jobs.work import SecondsLeft
from palimpsest.stores.duplicates import Duplicate, Duplicates, DuplicateState
from palimpsest.stores.entities import Entities
from palimpsest.stores.moves import Guarded
from palimpsest.stores.tallies import Tallies
from palimpsest.usecases.merge_entities import MergeEntities, Who

_PLANNED: Final = 500
_ATTEMPTS: Final = 8
_SURE, _NOTED = "sure", "noted"


@dataclass(frozen=True, slots=True)
class ResolveEntities:
    """Plans from the names of a whole space, which no request does."""

    entities: Entities
    tallies: Tallies
    duplicates: Duplicates
    merge: MergeEntities

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        """The next of the pairs that may be one, the surest first."""
        every = [entity for _, entity in self.entities.walk(run.space) if entity.origin is not Origin.OWNER]
        found = likenesses([Named.of(each) for each in every])
        begin = int(run.place or 0)
        some = found[begin : begin + _PLANNED]
        is_whole = begin + _PLANNED >= len(found)
        return Planned([_item(each) for each in some], None if is_whole else str(begin + _PLANNED))

    def apply(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Merge or note the two, unless one is gone by now, or somebody was asked about them.

        They are not merged either when somebody has said that what counts for one is not what counts for the other.
        """
        other, what, score, reason = item.detail.split()
        pair = EntityId(item.subject), EntityId(other)
        for _ in range(_ATTEMPTS):
            if self._is_asked_before(pair):
                return item.settled(ItemState.SKIPPED, "asked_before")
            found = self.entities.find(pair)
            if len(found) < 2 or not all(each.is_node for each in found.values()):
                return item.settled(ItemState.SKIPPED, GONE)
            if what == _NOTED:
                self.duplicates.note(self._duplicate(run, *pair, score=float(score), reason=reason))
                return item.settled(ItemState.APPLIED, reason)
            lesser, kept = self._ordered([found[each] for each in pair])
            writes = self.merge.merging(lesser, kept, Who(run.by, run.id))
            if self.entities.commit(run.space, writes, fence):
                return item.settled(ItemState.APPLIED, reason)
        return item.settled(ItemState.SKIPPED, CHANGED_SINCE)

    def undo(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Part the two, or forget that they were noted, unless somebody has decided on them since."""
        other, what, _, _ = item.detail.split()
        pair = EntityId(item.subject), EntityId(other)
        if what == _NOTED:
            noted = self.duplicates.find([duplicate_of(*pair)]).values()
            if all(each.run != run.id for each in noted):
                return item
            for each in noted:
                self.duplicates.forget(each)
            return item.settled(ItemState.UNDONE)
        for _ in range(_ATTEMPTS):
            merged = next((each for each in self.entities.find(pair).values() if self._is_of(run, each)), None)
            if merged is None:
                return item if item.state is ItemState.SKIPPED else item.settled(ItemState.KEPT, CHANGED_SINCE)
            if self.entities.commit(run.space, self.merge.parting(merged, Who(run.by, run.id)), fence):
                return item.settled(ItemState.UNDONE)
        return item.settled(ItemState.KEPT, CHANGED_SINCE)

    def _is_asked_before(self, pair: tuple[EntityId, EntityId]) -> bool:
        itself = duplicate_of(*pair)
        counting = (self.entities.group(each) for each in pair)
        known = self.duplicates.find(duplicate_of(*both) for both in product(*counting))
        return itself in known or any(each.state is DuplicateState.APART for each in known.values())

    def _is_of(self, run: Run, entity: Entity) -> bool:
        """That entity counts for another since this run."""
        last = next(iter(self.entities.history(entity.id)), None)
        return entity.merged_into is not None and last is not None and last.run == run.id

    def _ordered(self, both: Sequence[Entity]) -> list[Entity]:
        """The one that gives way, then the one that stays: named more, then longer, with more capitals, older."""
        tallies = self.tallies.of(each.id for each in both)

        def weight(entity: Entity) -> tuple[bool, int, int, int, str]:
            capitals = sum(map(str.isupper, entity.name))
            return entity.is_kept, tallies[entity.id].live, len(entity.name), capitals, _reversed(entity.id)

        return sorted(both, key=weight)

    def _duplicate(self, run: Run, one: EntityId, other: EntityId, *, score: float, reason: str) -> Duplicate:
        now = self.merge.manage.steps.clock.now()
        return Duplicate(duplicate_of(one, other), run.space, one, other, score, reason, now, run.id)


def _item(alike: Likeness) -> PlanItem:
    what = _SURE if alike.is_sure else _NOTED
    detail = f"{alike.other.id} {what} {alike.score:.2f} {alike.reason}"
    return PlanItem(alike.one.id, 0, changes=0, detail=detail)


def _reversed(entity: EntityId) -> str:
    """So that of two ids the older one weighs more."""
    return "".join(chr(0x10FFFF - ord(letter)) for letter in entity)
