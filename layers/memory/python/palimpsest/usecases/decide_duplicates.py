"""Pairs of entities that may be one: listed for somebody to decide, and kept apart where they are two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import LostRace, NotFound
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.ids import DuplicateId
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.duplicates import Duplicate, Duplicates, DuplicateState
from palimpsest.usecases.paging import page
from palimpsest.usecases.show_entities import ShowEntities


@dataclass(frozen=True, slots=True)
class ShownDuplicate:
    """A pair with both entities."""

    duplicate: Duplicate
    one: Entity
    other: Entity


@dataclass(frozen=True, slots=True)
class DuplicatesListed:
    """One page of pairs, the likeliest first."""

    duplicates: tuple[ShownDuplicate, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class DecideDuplicates:
    """Lists pairs of which both are shown, and keeps what somebody says; whoever merges them merges entities."""

    show: ShowEntities
    duplicates: Duplicates
    cursors: Cursors

    def page(
        self,
        caller: Caller,
        *,
        space: str | None,
        state: DuplicateState = DuplicateState.OPEN,
        limit: int = 50,
        cursor: str | None = None,
    ) -> DuplicatesListed:
        """One page; NotAllowed, CursorRefused as of any list."""
        caller.require(Role.READER)
        name = caller.require_space(space)
        binding = ("duplicates", name, state, caller.key)
        before = self.cursors.open(cursor, *binding) if cursor else None
        found = self.show.manage.steps.spaces.find(name)
        if found is None:
            return DuplicatesListed((), None)
        duplicates, place = page(self.duplicates.walk(found.id, state, before), limit, self._visible)
        return DuplicatesListed(
            tuple(self._told(duplicates)), None if place is None else self.cursors.seal(place, *binding)
        )

    def answer(self, caller: Caller, duplicate: DuplicateId, state: DuplicateState) -> ShownDuplicate:
        """The pair with another state: `apart`, they are two, or `open`, that is taken back.

        Raises:
            NotAllowed: The key is no writer.
            NotFound: Unknown, in a space that the key may not enter, or one of the two is not shown.
            LostRace: Somebody else answers it at this moment.
        """
        caller.require(Role.WRITER)
        found = self.duplicates.find([duplicate]).get(duplicate)
        if found is None or not caller.may_enter(self.show.manage.steps.spaces.by_id(found.space).name):
            raise NotFound("pair")
        told = self._told([found])
        if not told:
            raise NotFound("pair")
        if found.state is not state and not self.duplicates.answer(found, state):
            raise LostRace(1)
        return ShownDuplicate(found.answered(state), told[0].one, told[0].other)

    def _visible(self, duplicates: Sequence[Duplicate]) -> list[Duplicate]:
        return [each.duplicate for each in self._told(duplicates)]

    def _told(self, duplicates: Sequence[Duplicate]) -> list[ShownDuplicate]:
        found = self.show.entities.find(id_ for each in duplicates for id_ in (each.one, each.other))
        shown = {each.id for each in self.show.shown([each for each in found.values() if each.is_node])}
        return [
            ShownDuplicate(each, found[each.one], found[each.other])
            for each in duplicates
            if {each.one, each.other} <= shown
        ]
