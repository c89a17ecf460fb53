"""Begin, list, show and set spaces."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import SPACE_NAME, Caller, Role
from palimpsest.domain.errors import ConditionFailed, Invalid, LostRace, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.phones import PhoneBook
from palimpsest.ports.table import Put
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.idempotency import Answered, IdempotencyRecords
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.space_settings import SpaceMade, SpaceSettings, SpaceShown, SpacesListed

_ATTEMPTS = 3
_BEGUN = "begun"
_THERE = "there"
_LOOKED_AT = 1_000
"""Names of one page, for a key that may enter few of many spaces."""


@dataclass(frozen=True, slots=True)
class ManageSpaces:
    """Readers are shown the spaces that their key may enter; owners begin and set them."""

    spaces: Spaces
    idempotency: IdempotencyRecords
    cursors: Cursors
    clock: Clock
    ids: Ids
    phones: PhoneBook

    def page(self, caller: Caller, *, limit: int = 50, cursor: str | None = None) -> SpacesListed:
        """Spaces by name; a page may be short and yet have a cursor."""
        caller.require(Role.READER)
        after = self.cursors.open(cursor, "spaces", caller.key) if cursor else ""
        names, more = self.spaces.page(after, _LOOKED_AT)
        mine = [name for name in names if caller.may_enter(name)]
        if len(mine) > limit:
            mine, more = mine[:limit], mine[limit - 1]
        found = [space for name in mine if (space := self.spaces.find(name)) is not None]
        return SpacesListed(tuple(found), self.cursors.seal(more, "spaces", caller.key) if more else None)

    def show(self, caller: Caller, name: str) -> SpaceShown:
        """The space with its settings as they are now; NotAllowed when the key may not enter it."""
        caller.require(Role.READER)
        name = caller.require_space(_checked(name))
        return SpaceShown(name, self.spaces.find_fresh(name))

    def make(
        self, caller: Caller, name: str, settings: SpaceSettings, idempotency: Idempotency | None = None
    ) -> SpaceMade:
        """A new space with these settings, or the one of that name when it has them already.

        Raises:
            NotAllowed: The key is no owner's, or may not enter the space.
            Invalid: A setting means nothing.
            WrongState: The space is there with other settings.
        """
        caller.require(Role.OWNER)
        name = caller.require_space(_checked(name))
        self._require_regions(settings)
        for _ in range(_ATTEMPTS):
            earlier = self._answered(caller, idempotency)
            found = self.spaces.find_fresh(name)
            if earlier is not None and found is not None:
                return SpaceMade(found, earlier.outcome == _BEGUN)
            made = settings.over(found or Space(SpaceId(self.ids.ulid()), name, self.clock.now()))
            if found is None:
                try:
                    return SpaceMade(self.spaces.add(made, self._record(caller, idempotency, made, _BEGUN)), True)
                except ConditionFailed:
                    continue  # somebody else began it, or a twin of the request did
            if made != found:
                raise WrongState(
                    "there", "this space is there, with other settings; set the ones of the space that is there"
                )
            record = self._record(caller, idempotency, found, _THERE)
            if record is not None:
                self.idempotency.keep(record)
            return SpaceMade(found, False)
        raise LostRace(_ATTEMPTS)

    def change(self, caller: Caller, name: str, settings: SpaceSettings) -> Space:
        """The space with the settings that are given; the others stay.

        Raises:
            NotFound: It has not begun.
            NotAllowed, Invalid: As for `make`.
        """
        caller.require(Role.OWNER)
        found = self.spaces.find_fresh(caller.require_space(_checked(name)))
        if found is None:
            raise NotFound("space")
        self._require_regions(settings)
        changed = settings.over(found)
        return found if changed == found else self.spaces.change(changed, settings.given)

    def _require_regions(self, settings: SpaceSettings) -> None:
        regions = settings.regions
        if isinstance(regions, tuple) and not all(map(self.phones.is_region, regions)):
            raise Invalid("regions", "regions has a country that is not known; PL is one, by ISO 3166")

    def _answered(self, caller: Caller, idempotency: Idempotency | None) -> Answered | None:
        if idempotency is None:
            return None
        return self.idempotency.answered(caller.key, idempotency, self.clock.now())

    def _record(self, caller: Caller, idempotency: Idempotency | None, space: Space, outcome: str) -> Put | None:
        if idempotency is None:
            return None
        return self.idempotency.record(caller.key, idempotency, Answered(space.id, 0, outcome), self.clock.now())


def _checked(name: str) -> str:
    if not SPACE_NAME.fullmatch(name):
        raise Invalid("name", "a space is 1 to 128 of A-Z a-z 0-9 _ . @ -")
    return name
