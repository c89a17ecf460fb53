"""Let one entity count for another, and part them again. Nothing that names either is touched, so both are cheap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, LostRace, NotFound
from palimpsest.domain.graph.duplicates import Named, likeness
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import EntityId, KeyId, RunId, duplicate_of
from palimpsest.ports.table import Put, Write
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.duplicates import Duplicate, Duplicates, DuplicateState, answering, noting
from palimpsest.stores.entity_codec import EntityChange, EntityEvent
from palimpsest.stores.spaces import Space
from palimpsest.usecases.entities import Decision, ManageEntities
from palimpsest.usecases.paging import page as part_of

_ATTEMPTS: Final = 5


class Who(NamedTuple):
    """Whose key it is done with, and the run that does it, if one does."""

    key: KeyId
    run: RunId | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """An entity that counts for another. `into`: the one that it counts for in the end."""

    entity: Entity
    into: Entity
    at: datetime
    by: KeyId


@dataclass(frozen=True, slots=True)
class MergesListed:
    """One page of merges, the newest first."""

    merges: tuple[Merge, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class MergeEntities:
    """Merges and parts. `shown`: those among entities that are shown."""

    manage: ManageEntities
    duplicates: Duplicates
    cursors: Cursors
    shown: Callable[[Sequence[Entity]], list[Entity]]

    def __call__(
        self, caller: Caller, entity: EntityId, into: EntityId, idempotency: Idempotency | None = None
    ) -> Decision:
        """The survivor, which the mentions and relations of `entity` count for from now on; its names are aliases.

        Raises:
            NotAllowed: The key is no writer.
            NotFound: One of them is unknown, deleted, or in a space that the key may not enter.
            Invalid: They are of two spaces.
            WrongState: They are one already.
        """
        caller.require(Role.WRITER)
        for _ in range(_ATTEMPTS):
            space, one = self.manage.find(caller, entity)
            other_space, other = self.manage.find(caller, into)
            if self.manage.steps.answered(caller, idempotency) is not None:
                return Decision(other, other_space)
            if space.id != other_space.id:
                raise Invalid("into", "these two entities are of two spaces, which never mix")
            writes = [*self.merging(one, other, Who(caller.key)), *self.manage.record(caller, other.id, idempotency)]
            if self.manage.entities.commit(space.id, writes):
                return Decision(self._stored(caller, other.id)[1], space)
        raise LostRace(_ATTEMPTS)

    def revert(self, caller: Caller, entity: EntityId, idempotency: Idempotency | None = None) -> Decision:
        """The entity for itself again, with what came by its names, also since; no run merges the two again.

        NotAllowed, NotFound as above.

        Raises:
            WrongState: It stands for itself, or was deleted.
        """
        caller.require(Role.WRITER)
        for _ in range(_ATTEMPTS):
            space, merged = self._stored(caller, entity)
            if self.manage.steps.answered(caller, idempotency) is not None:
                return Decision(merged, space)
            writes = [*self.parting(merged, Who(caller.key)), *self._apart(merged)]
            if self.manage.entities.commit(space.id, [*writes, *self.manage.record(caller, entity, idempotency)]):
                return Decision(merged.parted(self._now()), space)
        raise LostRace(_ATTEMPTS)

    def merging(self, one: Entity, other: Entity, who: Who) -> list[Write]:
        """The writes that let `one` count for `other`; WrongState unless both stand for themselves."""
        merged, absorbing = one.merged(other, self._now()), other.absorbing(self._now())
        return [
            *self._moved(who, one, merged, EntityChange.MERGED, other.id),
            *self._moved(who, other, absorbing, EntityChange.ABSORBED, one.id),
            self.manage.entities.joined(other.id, one.id),
            *self.manage.tallies.moving_entities([(one, merged), (other, absorbing)]),
        ]

    def parting(self, merged: Entity, who: Who) -> list[Write]:
        """The writes that let it stand for itself again; WrongState unless it counts for another."""
        parted, into = merged.parted(self._now()), merged.merged_into
        return [
            *self._moved(who, merged, parted, EntityChange.PARTED, into),
            *([] if into is None else [self.manage.entities.parted(into, merged.id)]),
            *self.manage.tallies.moving_entities([(merged, parted)]),
        ]

    def page(self, caller: Caller, *, space: str | None, limit: int = 50, cursor: str | None = None) -> MergesListed:
        """The merges of a space of what something names; NotAllowed, CursorRefused as of any list."""
        caller.require(Role.READER)
        name = caller.require_space(space)
        binding = ("merges", name, caller.key)
        before = self.cursors.open(cursor, *binding) if cursor else None
        found = self.manage.steps.spaces.find(name)
        if found is None:
            return MergesListed((), None)
        merged, place = part_of(self.manage.entities.merged(found.id, before), limit, self.shown)
        merges = [merge for each in merged if (merge := self._merge(each)) is not None]
        return MergesListed(tuple(merges), None if place is None else self.cursors.seal(place, *binding))

    def _apart(self, merged: Entity) -> list[Put]:
        """The write that says that the two are two, unless somebody has said so."""
        into = merged.merged_into
        if into is None:
            return []
        pair = duplicate_of(merged.id, into)
        known = self.duplicates.find([pair]).get(pair)
        if known is not None:
            return [] if known.state is DuplicateState.APART else [answering(known, DuplicateState.APART)]
        alike = likeness(Named.of(merged), Named.of(self.manage.entities.find([into])[into]))
        score, reason = (0.0, "merged") if alike is None else (alike.score, alike.reason)
        both = min(merged.id, into), max(merged.id, into)
        return [noting(Duplicate(pair, merged.space, *both, score, reason, self._now(), None, DuplicateState.APART))]

    def _merge(self, entity: Entity) -> Merge | None:
        into = self.manage.entities.standing([entity.id]).get(entity.id)
        history = self.manage.entities.history(entity.id)
        event = next((each for each in history if each.what is EntityChange.MERGED), None)
        return None if into is None or event is None else Merge(entity, into, event.at, event.by)

    def _stored(self, caller: Caller, entity: EntityId) -> tuple[Space, Entity]:
        found = self.manage.entities.find([entity]).get(entity)
        steps = self.manage.steps
        if found is None or not caller.may_enter((space := steps.spaces.by_id(found.space)).name):
            raise NotFound("entity")
        return space, found

    def _moved(
        self, who: Who, before: Entity, after: Entity, what: EntityChange, other: EntityId | None
    ) -> list[Write]:
        event = EntityEvent(after.revision, self._now(), what, who.key, before, other, who.run)
        return self.manage.entities.moving(before, after, event)

    def _now(self) -> datetime:
        return self.manage.steps.clock.now()
