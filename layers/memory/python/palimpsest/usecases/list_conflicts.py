"""List the conflicts of a space, newest first, or read one."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.ids import ConflictId
from palimpsest.stores.cursors import Cursors
from palimpsest.usecases.conflict_sides import ConflictSides
from palimpsest.usecases.paging import page
from palimpsest.usecases.readings import ConflictQuery, ConflictsListed, ShownConflict


@dataclass(frozen=True, slots=True)
class ListConflicts:
    """Lists conflicts."""

    sides: ConflictSides
    cursors: Cursors

    def __call__(self, caller: Caller, query: ConflictQuery) -> ConflictsListed:
        """One page. Hidden are those of which a side is forgotten, and pending ones of which a side was retired since.

        Raises:
            NotAllowed: The key may not enter the space.
            CursorRefused: Not a cursor of this query and this key.
        """
        caller.require(Role.READER)
        name = caller.require_space(query.space)
        binding = ("conflicts", name, query.state, caller.key)
        before = self.cursors.open(query.cursor, *binding) if query.cursor else None
        space = self.sides.steps.spaces.find(name)
        if space is None:
            return ConflictsListed((), None)
        walk = self.sides.conflicts.walk(space.id, query.state, before)
        found, place = page(walk, query.limit, self.sides.visible)
        shown = tuple(self.sides.show(space, found))
        return ConflictsListed(shown, None if place is None else self.cursors.seal(place, *binding))

    def one(self, caller: Caller, conflict_id: ConflictId) -> ShownConflict:
        """One conflict; NotFound when it is unknown, hidden, or in a space that the key may not enter."""
        caller.require(Role.READER)
        sides = self.sides.find(caller, conflict_id)
        return self.sides.shown(sides.space, sides.conflict)
