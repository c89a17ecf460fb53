"""Entities, and what became of them, as items."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palimpsest.domain import instants
from palimpsest.domain.graph.entity import Decided, Entity, Origin
from palimpsest.domain.ids import EntityId, KeyId, RunId, SpaceId
from palimpsest.ports.table import Item, Value
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, item


class EntityChange(StrEnum):
    """What somebody did to an entity."""

    DECLARED = "declared"
    RENAMED = "renamed"
    RETYPED = "retyped"
    ALIASED = "aliased"
    MERGED = "merged"
    ABSORBED = "absorbed"
    PARTED = "parted"
    DELETED = "deleted"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class EntityEvent:
    """One line of an entity's history.

    Attributes:
        revision: Of the entity after it.
        before: The entity before it; None when it began so.
        other: The other entity of a merge.
    """

    revision: int
    at: datetime
    what: EntityChange
    by: KeyId
    before: Entity | None = None
    other: EntityId | None = None
    run: RunId | None = None


def entity_item(entity: Entity) -> dict[str, Value]:
    """The entity; listed while it stands for itself, among the merges while it counts for another."""
    stored = item(graph_keys.entity(entity.id), **_told(entity))
    if entity.is_node:
        stored["g1pk"] = graph_keys.entities(entity.space)
        stored["g1sk"] = graph_keys.listed_entity(instants.write(entity.created_at), entity.id)
    if entity.merged_into is not None:
        stored["g2pk"] = graph_keys.merges(entity.space)
        stored["g2sk"] = graph_keys.listed_entity(instants.write(entity.changed_at), entity.id)
    return stored


def read_entity(stored: Item) -> Entity:
    """The entity in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return _read(EntityId(r.text("pk").removeprefix("N#")), r)


def event_item(entity: EntityId, event: EntityEvent) -> dict[str, Value]:
    before = None if event.before is None else {k: v for k, v in _told(event.before).items() if v is not None}
    return item(
        graph_keys.entity_event(entity, event.revision),
        at=event.at,
        what=event.what,
        by=event.by,
        before=before,
        other=event.other,
        run=event.run,
    )


def read_event(stored: Item) -> EntityEvent:
    """The line of history in an item; CorruptItem when it is none."""
    r = Reader(stored)
    entity = EntityId(r.text("pk").removeprefix("N#"))
    return EntityEvent(
        revision=int(r.text("sk").removeprefix(graph_keys.ENTITY_EVENTS)),
        at=r.instant("at"),
        what=r.choice("what", EntityChange),
        by=KeyId(r.text("by")),
        before=r.optional("before", lambda name: _read(entity, r.map(name))),
        other=r.optional("other", lambda name: EntityId(r.text(name))),
        run=r.optional("run", lambda name: RunId(r.text(name))),
    )


def _told(entity: Entity) -> dict[str, Value | None]:
    return {
        "space": entity.space,
        "name": entity.name,
        "type": entity.type,
        "origin": entity.origin,
        "created_at": instants.write(entity.created_at),
        "changed_at": instants.write(entity.changed_at),
        "revision": entity.revision,
        "aliases": list(entity.aliases),
        "decided": sorted(entity.decided),
        "merged_into": entity.merged_into,
        "is_deleted": entity.is_deleted,
    }


def _read(entity: EntityId, r: Reader) -> Entity:
    return Entity(
        id=entity,
        space=SpaceId(r.text("space")),
        name=r.text("name"),
        type=r.text("type"),
        origin=r.choice("origin", Origin),
        created_at=r.instant("created_at"),
        changed_at=r.instant("changed_at"),
        revision=r.integer("revision"),
        aliases=r.texts("aliases"),
        decided=frozenset(map(Decided, r.texts("decided"))),
        merged_into=r.optional("merged_into", lambda name: EntityId(r.text(name))),
        is_deleted=r.flag("is_deleted"),
    )
