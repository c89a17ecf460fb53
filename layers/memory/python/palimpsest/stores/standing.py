"""Whether beliefs are there at all, and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import CorruptItem
from palimpsest.domain.ids import RootId
from palimpsest.ports.table import AnyOf, Equals, Table
from palimpsest.stores import belief_codec, keys

IS_THERE: Final = AnyOf(tuple(Equals("state", state) for state in State if not state.is_erased))
"""Of a head: the belief is there and not erased, so that something may be written beside it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Reads heads, and tells those that are not there from those that can't be read."""

    table: Table

    def __call__(self, roots: Sequence[RootId], *, consistent: bool) -> dict[RootId, Head | None]:
        """The head of each; None where none lies. Those that this release can't read are left out."""
        places = {keys.head(root): root for root in roots}
        found = self.table.get(list(places), consistent=consistent).items
        heads: dict[RootId, Head | None] = {root: None for place, root in places.items() if place not in found}
        for stored in found.values():
            with suppress(CorruptItem):
                head = belief_codec.read_head(stored)
                heads[head.root] = head
        return heads
