"""An entity: a named thing of one space, known by its name key. What a person decides of it no extraction changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from palimpsest.domain.errors import Invalid, WrongState
from palimpsest.domain.ids import EntityId, SpaceId
from palimpsest.domain.naming.names import name_key

ALIASES: Final = 40
"""What an entity has at most, so that all its names are changed in one transaction, which has at most 100 writes."""


class Origin(StrEnum):
    """How an entity came to be."""

    EXTRACTED = "extracted"
    """A source named it; without one it is not shown."""
    DECLARED = "declared"
    """Somebody said that there is such a thing."""
    OWNER = "owner"
    """It is whom the space belongs to."""


class Decided(StrEnum):
    """What a person decided of an entity."""

    NAME = "name"
    TYPE = "type"
    MERGE = "merge"


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as it stands.

    Attributes:
        type: A word of the vocabulary; the first one that was given stays until somebody changes it.
        aliases: What else it is called; each leads here as its name does.
        decided: What people have decided of it.
        merged_into: The entity that it counts for since somebody said that both are one.
        revision: How many times it was written.
    """

    id: EntityId
    space: SpaceId
    name: str
    type: str
    origin: Origin
    created_at: datetime
    changed_at: datetime
    revision: int = 1
    aliases: tuple[str, ...] = ()
    decided: frozenset[Decided] = frozenset()
    merged_into: EntityId | None = None
    is_deleted: bool = False

    @property
    def is_kept(self) -> bool:
        """It stays when no source names it any more."""
        return self.origin is not Origin.EXTRACTED or bool(self.decided)

    @property
    def is_shown_always(self) -> bool:
        """It is shown also when no source names it, nor anything that counts for it."""
        return self.origin is not Origin.EXTRACTED or bool(self.decided - {Decided.MERGE})

    @property
    def is_node(self) -> bool:
        """It stands for itself."""
        return self.merged_into is None and not self.is_deleted

    @property
    def spellings(self) -> tuple[str, ...]:
        """Its name, then its aliases."""
        return self.name, *self.aliases

    def is_called(self, name: str) -> bool:
        """One of its spellings has the same name key."""
        return name_key(name) in {name_key(each) for each in self.spellings}

    def renamed(self, name: str, at: datetime) -> Entity:
        """With another name; the one before stays an alias, so that sources that use it lead here.

        Raises:
            Invalid: It has as many aliases as it may have.
        """
        aliases = _without([self.name, *self.aliases], name)
        if len(aliases) > ALIASES:
            more = f"the name before becomes an alias, and an entity has at most {ALIASES}"
            raise Invalid("name", f"{more}; give it fewer aliases first, or in the same request")
        return self._moved(at, name=name, aliases=aliases, decided=self.decided | {Decided.NAME})

    def retyped(self, type_: str, at: datetime) -> Entity:
        return self._moved(at, type=type_, decided=self.decided | {Decided.TYPE})

    def called(self, aliases: Iterable[str], at: datetime) -> Entity:
        """With exactly these aliases besides its name; Invalid when there are too many."""
        distinct = {name_key(alias): alias for alias in aliases}
        kept = _without(distinct.values(), self.name)
        if len(kept) > ALIASES:
            raise Invalid("aliases", f"an entity has at most {ALIASES} aliases; leave some out")
        return self._moved(at, aliases=kept, decided=self.decided | {Decided.NAME})

    def declared(self, at: datetime) -> Entity:
        """Said by a person to be there."""
        origin = Origin.DECLARED if self.origin is Origin.EXTRACTED else self.origin
        return self._moved(at, origin=origin, is_deleted=False)

    def merged(self, into: Entity, at: datetime) -> Entity:
        """Counted for `into` from now on; WrongState unless both stand for themselves."""
        self._require_node()
        into._require_node()
        if self.id == into.id:
            raise WrongState("merged", "an entity can't be merged into itself")
        return self._moved(at, merged_into=into.id)

    def absorbing(self, at: datetime) -> Entity:
        """Marked as one that a person let another count for."""
        return self._moved(at, decided=self.decided | {Decided.MERGE})

    def parted(self, at: datetime) -> Entity:
        """For itself again; WrongState unless it counts for another."""
        if self.merged_into is None:
            raise WrongState("parted", "this merge was reverted already; the entity stands for itself")
        return self._moved(at, merged_into=None)

    def deleted(self, at: datetime) -> Entity:
        """Out of the graph, also when sources name it again; WrongState unless it stands for itself."""
        self._require_node()
        if self.origin is Origin.OWNER:
            raise WrongState("owner", "this entity is the owner of the space; it can't be deleted")
        return self._moved(at, is_deleted=True)

    def as_it_was(self, before: Entity, at: datetime) -> Entity:
        """As `before`, which it was once."""
        return replace(before, revision=self.revision + 1, changed_at=max(self.changed_at, at))

    def _require_node(self) -> None:
        if self.is_deleted:
            raise WrongState("deleted", "this entity was deleted")
        if self.merged_into is not None:
            raise WrongState("merged", f"this entity counts for {self.merged_into}; use that one, or revert the merge")

    def _moved(self, at: datetime, **changes: object) -> Entity:
        moved = {"revision": self.revision + 1, "changed_at": max(self.changed_at, at), **changes}
        return replace(self, **moved)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many sources name an entity: live memories, chunks of documents, and versions that are not current."""

    memories: int = 0
    chunks: int = 0
    stale: int = 0

    @property
    def live(self) -> int:
        """How many of them count."""
        return self.memories + self.chunks

    @property
    def is_empty(self) -> bool:
        """Nothing names it."""
        return not (self.live or self.stale)


def _without(spellings: Iterable[str], name: str) -> tuple[str, ...]:
    return tuple(each for each in spellings if name_key(each) != name_key(name))
