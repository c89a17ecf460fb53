"""List the conflicts of a space, newest first, or read one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.conflict import Conflict
from palimpsest.domain.ids import ConflictId
from palimpsest.stores.cursors import Cursors
from palimpsest.usecases.conflict_sides import ConflictSides
from palimpsest.usecases.readings import ConflictQuery, ConflictsListed, ShownConflict

_READ_AT_MOST = 1_000
"""Conflicts looked at for one page; past them the page is short and has a cursor."""


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
        found: list[tuple[str, Conflict]] = []
        looked, place = 0, ""
        while len(found) <= query.limit and looked < _READ_AT_MOST and (chunk := list(islice(walk, query.limit + 1))):
            looked, place = looked + len(chunk), chunk[-1][0]
            visible = {each.id for each in self.sides.visible([conflict for _, conflict in chunk])}
            found += [each for each in chunk if each[1].id in visible]
        page = found[: query.limit]
        if len(found) > query.limit:
            place = page[-1][0]
        has_more = len(found) > query.limit or next(walk, None) is not None
        shown = self.sides.show(space, [conflict for _, conflict in page])
        return ConflictsListed(tuple(shown), self.cursors.seal(place, *binding) if has_more else None)

    def one(self, caller: Caller, conflict_id: ConflictId) -> ShownConflict:
        """One conflict; NotFound when it is unknown, hidden, or in a space that the key may not enter."""
        caller.require(Role.READER)
        sides = self.sides.find(caller, conflict_id)
        return self.sides.show(sides.space, [sides.conflict])[0]
