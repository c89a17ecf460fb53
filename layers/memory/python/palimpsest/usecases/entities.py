"""What people decide of entities: declare, rename, retype, give aliases, merge, part, delete, and take that back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, LostRace, NotFound, WrongState
from palimpsest.domain.graph.entity import Entity, Origin
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import EntityId
from palimpsest.ports.table import Put, Write
from palimpsest.stores.entities import Entities
from palimpsest.stores.entity_codec import EntityChange, EntityEvent
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.stores.tallies import Tallies
from palimpsest.usecases.naming_entities import NamingEntities
from palimpsest.usecases.steps import Steps

_ATTEMPTS: Final = 5
_NOT_UNDOABLE: Final = frozenset({EntityChange.MERGED, EntityChange.ABSORBED, EntityChange.PARTED})
"""A merge is two entities' business, and is reverted as one."""


@dataclass(frozen=True, slots=True)
class NewEntity:
    """An entity as somebody declares it."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()
    space: str | None = None


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """What is to change; None leaves a thing as it is. `aliases`: all of them."""

    name: str | None = None
    type: str | None = None
    aliases: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The entity after what somebody decided. `is_new`: it began so."""

    entity: Entity
    space: Space
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ManageEntities:
    """Moves entities. Whatever names them is untouched: what leads to an entity follows it."""

    steps: Steps
    entities: Entities
    tallies: Tallies
    naming: NamingEntities

    def declare(self, caller: Caller, new: NewEntity, idempotency: Idempotency | None = None) -> Decision:
        """The entity, which stays also when no source names it; the one that is there, if the name leads to one.

        Raises:
            NotAllowed: The key is no writer, or may not enter the space.
            Invalid: It can't be called so, has too many aliases, or the type is not active.
            NameTaken: An alias leads to another entity.
        """
        caller.require(Role.WRITER)
        space = self.steps.spaces.ensure(caller.require_space(new.space))
        name, aliases = self.naming.name(space, new.name), self.naming.aliases(space, new.aliases)
        type_ = self.naming.type(space, new.type)
        for _ in range(_ATTEMPTS):
            if (earlier := self._earlier(caller, idempotency)) is not None:
                return Decision(earlier, space)
            known = next(iter(self.entities.named(space.id, [name]).values()), None)
            if known is not None:
                standing = self.entities.standing([known.id]).get(known.id, known)
                return self._declared_again(caller, space, standing, type_, aliases, idempotency)
            self.naming.require_free(space, aliases)
            now = self.steps.clock.now()
            entity = EntityId(f"ent_{self.steps.beliefs.ids.ulid()}")
            made = Entity(entity, space.id, name, type_, Origin.DECLARED, now, now).called(aliases, now)
            event = EntityEvent(made.revision, now, EntityChange.DECLARED, caller.key)
            writes = [*self.entities.declaring(made, event), *self.tallies.moving_entities([(None, made)])]
            if self.entities.commit(space.id, [*writes, *self.record(caller, entity, idempotency)]):
                return Decision(made, space, is_new=True)
        raise LostRace(_ATTEMPTS)

    def change(
        self, caller: Caller, entity: EntityId, edit: EntityEdit, idempotency: Idempotency | None = None
    ) -> Decision:
        """The entity after the change; what is asked for already changes nothing.

        Raises:
            NotAllowed: The key is no writer.
            NotFound: It is unknown, deleted, or in a space that the key may not enter.
            Invalid: Nothing is asked for, it can't be called so, has too many aliases, or the type is not active.
            NameTaken: The name, or an alias, leads to another entity.
        """
        if edit == EntityEdit():
            raise Invalid("name", "say what is to change: name, entity_type or aliases")

        def changed(space: Space, before: Entity) -> tuple[Entity, EntityChange]:
            now, after, what = self.steps.clock.now(), before, EntityChange.ALIASED
            if edit.aliases is not None:
                after = after.called(self.naming.aliases(space, edit.aliases), now)
            if edit.type is not None and edit.type != before.type:
                after, what = after.retyped(self.naming.type(space, edit.type), now), EntityChange.RETYPED
            if edit.name is not None and (name := self.naming.name(space, edit.name)) != before.name:
                after, what = after.renamed(name, now), EntityChange.RENAMED
            self.naming.require_free(space, after.spellings, before.id)
            return after, what

        return self._move(caller, entity, changed, idempotency)

    def delete(self, caller: Caller, entity: EntityId, idempotency: Idempotency | None = None) -> Decision:
        """Out of the graph, also when sources name it again; NotFound, NotAllowed as above.

        Raises:
            WrongState: It is the owner of the space.
        """

        def deleted(space: Space, before: Entity) -> tuple[Entity, EntityChange]:
            return before.deleted(self.steps.clock.now()), EntityChange.DELETED

        return self._move(caller, entity, deleted, idempotency)

    def undo(self, caller: Caller, entity: EntityId, idempotency: Idempotency | None = None) -> Decision:
        """As it was before what was decided of it last; NotAllowed, NotFound as above, but a deleted one is found.

        Raises:
            WrongState: Nobody decided anything of it that could be taken back; a merge is reverted by its own route.
            NameTaken: One of its former names leads to another entity by now.
        """

        def undone(space: Space, before: Entity) -> tuple[Entity, EntityChange]:
            last = next((each for each in self.entities.history(entity) if each.revision == before.revision), None)
            if last is None or last.before is None or last.what in _NOT_UNDOABLE:
                raise WrongState("unchanged", "there is nothing to undo: the last thing that happened to it can't be")
            self.naming.require_free(space, last.before.spellings, before.id)
            return before.as_it_was(last.before, self.steps.clock.now()), EntityChange.UNDONE

        return self._move(caller, entity, undone, idempotency, is_deleted_found=True)

    def _declared_again(
        self,
        caller: Caller,
        space: Space,
        known: Entity,
        type_: str,
        aliases: Sequence[str],
        idempotency: Idempotency | None,
    ) -> Decision:
        def declared(space: Space, before: Entity) -> tuple[Entity, EntityChange]:
            now = self.steps.clock.now()
            after = before if before.type == type_ else before.retyped(type_, now)
            if any(not after.is_called(alias) for alias in aliases):
                after = after.called((*after.aliases, *aliases), now)
            self.naming.require_free(space, after.spellings, before.id)
            is_known = after == before and before.origin is not Origin.EXTRACTED and not before.is_deleted
            return (before if is_known else after.declared(now)), EntityChange.DECLARED

        return self._move(caller, known.id, declared, idempotency, is_deleted_found=True)

    def _move(
        self,
        caller: Caller,
        entity: EntityId,
        move: Callable[[Space, Entity], tuple[Entity, EntityChange]],
        idempotency: Idempotency | None,
        *,
        is_deleted_found: bool = False,
    ) -> Decision:
        caller.require(Role.WRITER)
        for _ in range(_ATTEMPTS):
            earlier = self._earlier(caller, idempotency)
            space, before = self.find(caller, entity, is_deleted_found=is_deleted_found or earlier is not None)
            if earlier is not None:
                return Decision(before, space)
            after, what = move(space, before)
            record = self.record(caller, before.id, idempotency)
            if after == before and not record:
                return Decision(before, space)
            if self.entities.commit(space.id, [*self._writes(caller, before, after, what), *record]):
                return Decision(after, space)
        raise LostRace(_ATTEMPTS)

    def _writes(self, caller: Caller, before: Entity, after: Entity, what: EntityChange) -> list[Write]:
        if after == before:
            return []
        event = EntityEvent(after.revision, self.steps.clock.now(), what, caller.key, before)
        return [*self.entities.moving(before, after, event), *self.tallies.moving_entities([(before, after)])]

    def find(self, caller: Caller, entity: EntityId, *, is_deleted_found: bool = False) -> tuple[Space, Entity]:
        """The entity that this one counts for in the end; NotFound as above."""
        found = self.entities.find([entity]).get(entity)
        if found is not None and not is_deleted_found:
            found = self.entities.standing([entity]).get(entity)
        if found is None or not caller.may_enter((space := self.steps.spaces.by_id(found.space)).name):
            raise NotFound("entity")
        return space, found

    def _earlier(self, caller: Caller, idempotency: Idempotency | None) -> Entity | None:
        """What the first of the same requests was about."""
        earlier = self.steps.answered(caller, idempotency)
        return None if earlier is None else self.entities.find([EntityId(earlier.subject)])[EntityId(earlier.subject)]

    def record(self, caller: Caller, entity: EntityId, idempotency: Idempotency | None) -> list[Put]:
        """The write that lets the same request be answered again."""
        if idempotency is None:
            return []
        answered, now = Answered(entity, 0, "done"), self.steps.clock.now()
        return [self.steps.idempotency.record(caller.key, idempotency, answered, now)]
