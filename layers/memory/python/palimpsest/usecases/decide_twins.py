"""Pairs of entities that may be one: listed for somebody to decide, and kept apart where they are two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import LostRace, NotFound
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.ids import TwinId
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.twins import Twin, Twins, TwinState
from palimpsest.usecases.paging import page
from palimpsest.usecases.show_entities import ShowEntities


@dataclass(frozen=True, slots=True)
class ShownTwin:
    """A pair with both entities."""

    twin: Twin
    one: Entity
    other: Entity


@dataclass(frozen=True, slots=True)
class TwinsListed:
    """One page of pairs, the likeliest first."""

    twins: tuple[ShownTwin, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class DecideTwins:
    """Lists pairs of which both are shown, and keeps what somebody says; whoever merges them merges entities."""

    show: ShowEntities
    twins: Twins
    cursors: Cursors

    def page(
        self,
        caller: Caller,
        *,
        space: str | None,
        state: TwinState = TwinState.OPEN,
        limit: int = 50,
        cursor: str | None = None,
    ) -> TwinsListed:
        """One page; NotAllowed, CursorRefused as of any list."""
        caller.require(Role.READER)
        name = caller.require_space(space)
        binding = ("twins", name, state, caller.key)
        before = self.cursors.open(cursor, *binding) if cursor else None
        found = self.show.manage.steps.spaces.find(name)
        if found is None:
            return TwinsListed((), None)
        twins, place = page(self.twins.walk(found.id, state, before), limit, self._visible)
        return TwinsListed(tuple(self._told(twins)), None if place is None else self.cursors.seal(place, *binding))

    def answer(self, caller: Caller, twin: TwinId, state: TwinState) -> ShownTwin:
        """The pair with another state: `apart`, they are two, or `open`, that is taken back.

        Raises:
            NotAllowed: The key is no writer.
            NotFound: Unknown, in a space that the key may not enter, or one of the two is not shown.
            LostRace: Somebody else answers it at this moment.
        """
        caller.require(Role.WRITER)
        found = self.twins.find([twin]).get(twin)
        if found is None or not caller.may_enter(self.show.manage.steps.spaces.by_id(found.space).name):
            raise NotFound("pair")
        told = self._told([found])
        if not told:
            raise NotFound("pair")
        if found.state is not state and not self.twins.answer(found, state):
            raise LostRace(1)
        return ShownTwin(found.answered(state), told[0].one, told[0].other)

    def _visible(self, twins: Sequence[Twin]) -> list[Twin]:
        return [each.twin for each in self._told(twins)]

    def _told(self, twins: Sequence[Twin]) -> list[ShownTwin]:
        found = self.show.entities.find(id_ for each in twins for id_ in (each.one, each.other))
        shown = {each.id for each in self.show.shown([each for each in found.values() if each.is_node])}
        return [
            ShownTwin(each, found[each.one], found[each.other]) for each in twins if {each.one, each.other} <= shown
        ]
