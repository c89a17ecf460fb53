"""Which entities leave when nothing names them any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.ids import EntityId
from palimpsest.stores.entities import Entities
from palimpsest.stores.link_delta import Delta
from palimpsest.stores.tallies import Tallies

_WRITES: Final = 100
"""Of a transaction, at most."""
_OF_NAMED: Final = 6
"""For an entity of the source that leaves: itself, a name, a merge, its tally, a document's weight, a type's count."""
_OF_FURTHER: Final = 5
"""For another one that leaves with it, which no document weighs."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """Looks strongly."""

    entities: Entities
    tallies: Tallies

    def of_unnamed(self, unnamed: Sequence[Entity]) -> list[Entity]:
        """Those that stand for themselves, and of which nobody decided anything."""
        return [each for each in unnamed if each.is_node and not each.is_kept]

    def of_erased(self, unnamed: Sequence[Entity], delta: Delta, writes: int) -> list[Entity]:
        """Those that were deleted or merged, too, and what counts for these, or these for that, if nothing names it.

        An entity that was declared, named or given a type stays, and so does one that another counts for which stays.

        Args:
            unnamed: Entities of the source that nothing else names.
            delta: Of all counts of the source.
            writes: How many the transaction has besides; as many more entities leave as it has room for.
        """
        room = _WRITES - writes - len(delta.predicates) - _OF_NAMED * len(delta.entities)
        given = {each.id: each for each in unnamed}
        gone: dict[EntityId, Entity] = {}
        waiting = list(given)
        for each in waiting:
            left = self._left(each, given)
            if _OF_FURTHER * len((gone.keys() | left.keys()) - given.keys()) <= max(room, 0):
                gone |= left
                waiting += [into for one in left.values() if (into := one.merged_into) is not None and into not in gone]
        return list(gone.values())

    def _left(self, entity: EntityId, given: Mapping[EntityId, Entity]) -> dict[EntityId, Entity]:
        """The entity and all that count for it; none when something keeps one of them."""
        group = set(self.entities.group(entity))
        tallies = self.tallies.of(group - given.keys())
        found = {each: given[each] for each in group & given.keys()} | self.entities.find(group - given.keys())
        is_kept = any(each.is_shown_always for each in found.values())
        return {} if is_kept or not all(each.is_empty for each in tallies.values()) else found
