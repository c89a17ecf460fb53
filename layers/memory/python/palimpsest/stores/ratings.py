"""Who rated a belief today, beside the counts of all ratings. One rating of a key and a day counts: its last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.errors import HeadMoved
from palimpsest.domain.ids import KeyId, RootId
from palimpsest.domain.strength import Rating, Ratings
from palimpsest.ports.table import Add, Check, Delete, Equals, Missing, Put, Set, Table, Update, Write
from palimpsest.stores import keys, recall_keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.kinds import NOW
from palimpsest.stores.moves import Guarded
from palimpsest.stores.reinforcements import read
from palimpsest.stores.standing import IS_THERE

_KEPT: Final = timedelta(days=2)
"""A row is looked at on its own day alone."""


@dataclass(frozen=True, slots=True)
class RatingStore:
    """Reads ratings, and gives the writes that move them."""

    table: Table

    def of(self, root: RootId) -> Ratings:
        """All ratings of the belief, strongly read."""
        key = recall_keys.reinforcement(root)
        stored = self.table.get([key]).items.get(key)
        return Ratings() if stored is None else read(stored).ratings

    def rating(self, root: RootId, by: KeyId, rating: Rating | None, now: datetime) -> Sequence[Guarded]:
        """The writes by which `rating` is what the key says today, None for nothing; none when it is so already.

        They fail as HeadMoved when the belief is erased or the key rated it meanwhile.
        """
        place = recall_keys.rating(root, by, now.date())
        stored = self.table.get([place]).items.get(place)
        before = None if stored is None else Reader(stored).choice("rating", Rating)
        if before == rating:
            return ()
        unmoved = Missing("rating") if before is None else Equals("rating", before)
        row: Put | Delete = Delete(place, unmoved)
        if rating is not None:
            row = Put(item(place, rating=rating, ttl=instants.epoch_seconds(now + _KEPT)), unmoved)
        counts = recall_keys.reinforcement(root)
        moved = [Add(name, by_one) for name, by_one in ((rating, 1), (before, -1)) if name is not None]
        writes: list[Write] = [
            Check(keys.head(root), IS_THERE),
            row,
            Update(counts, (*moved, Set("_v", NOW.of(counts).writes))),
        ]
        return [(write, HeadMoved) for write in writes]
