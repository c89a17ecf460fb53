"""How often beliefs were made use of, beside their heads: a reinforcement is no step."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.belief import Memory, Reinforcement
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import RecallId, RootId
from palimpsest.ports.table import Add, AnyOf, Check, Item, Less, Missing, Set, Table, Update
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, readable
from palimpsest.stores.kinds import NOW
from palimpsest.stores.standing import IS_THERE


@dataclass(frozen=True, slots=True)
class Reinforcements:
    """Counts, at most once for a recall."""

    table: Table

    def of(self, roots: Sequence[RootId]) -> dict[RootId, Reinforcement]:
        """What is known of each that was ever reinforced. Eventually read: nothing is decided by it."""
        if not roots:
            return {}
        places = {keys.reinforcement(root): root for root in dict.fromkeys(roots)}
        found = self.table.get(list(places), consistent=False).items
        return {places[place]: known for place, stored in found.items() for known in readable(read, [stored])}

    def shown(self, memories: Sequence[Memory]) -> list[Memory]:
        """The memories, each with what is known of it."""
        found = self.of([memory.head.root for memory in memories])
        return [replace(memory, reinforcement=found.get(memory.head.root, Reinforcement())) for memory in memories]

    def count(self, root: RootId, recall: RecallId, at: datetime) -> None:
        """Count that recall for the belief, unless it, or one that came after it, was counted already.

        Nothing is counted of a belief that is erased meanwhile, so that nothing is left beside its tombstone.

        Args:
            at: When it was recalled.
        """
        key = keys.reinforcement(root)
        told = Set("last_recalled_at", instants.write(at)), Set("recall", recall), Set("_v", NOW.of(key).writes)
        # The ids of recalls sort by time, so the last one alone tells which were counted.
        is_later = AnyOf((Missing("recall"), Less("recall", recall)))
        with suppress(ConditionFailed):
            counted = Update(key, (Add("access_count", 1), *told), is_later)
            self.table.transact([Check(keys.head(root), IS_THERE), counted])


def read(stored: Item) -> Reinforcement:
    """The reinforcement in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Reinforcement(r.integer("access_count"), r.instant("last_recalled_at"))
