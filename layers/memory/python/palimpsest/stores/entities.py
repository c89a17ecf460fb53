"""Entities in the table: found by id and by name key, listed by when they began, each move with its line of history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.ids import EntityId, SpaceId
from palimpsest.domain.naming.names import name_key
from palimpsest.ports.table import (
    Add,
    Delete,
    Equals,
    Index,
    Key,
    Missing,
    Put,
    Query,
    Set,
    Table,
    Update,
    Write,
)
from palimpsest.stores import entity_codec, graph_keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.entity_codec import EntityEvent
from palimpsest.stores.kinds import NOW
from palimpsest.stores.moves import Guarded, fenced
from palimpsest.stores.walking import walk

_AT_ONCE: Final = 100
_LAST: Final = 99_999_999
"""No revision comes after it."""
_DECISIONS: Final = "decisions"
"""The counter of what people changed about a space's entities, for those who remember their names."""


@dataclass(frozen=True, slots=True)
class Entities:
    """Reads and moves entities. A name stands in keys as a keyed hash of its name key only."""

    table: Table
    deployment: Deployment

    def find(self, entities: Iterable[EntityId]) -> dict[EntityId, Entity]:
        """Those that exist, strongly read, as they are stored: deleted and merged ones, too."""
        places = [graph_keys.entity(each) for each in dict.fromkeys(entities)]
        found = self.table.get(places).items.values() if places else ()
        return {each.id: each for each in map(entity_codec.read_entity, found)}

    def named(self, space: SpaceId, names: Iterable[str], *, consistent: bool = True) -> dict[str, Entity]:
        """The entities that names lead to, by name key, as they are stored; not `consistent`: names may be late."""
        places = {self.place_of(space, key): key for key in dict.fromkeys(map(name_key, names)) if key}
        found = self.table.get(list(places), consistent=consistent).items if places else {}
        ids = {places[place]: EntityId(Reader(stored).text("entity")) for place, stored in found.items()}
        entities = self.find(ids.values())
        return {key: entities[each] for key, each in ids.items() if each in entities}

    def standing(self, entities: Iterable[EntityId]) -> dict[EntityId, Entity]:
        """For each the entity that it counts for in the end: itself mostly; without those that were deleted."""
        found = self.find(entities)
        after = {each: entity.merged_into for each, entity in found.items()}
        while missing := {into for into in after.values() if into is not None} - found.keys():
            more = self.find(missing)
            found |= more
            after |= dict.fromkeys(missing) | {each: entity.merged_into for each, entity in more.items()}
        ends = {each: _end(each, after) for each in found}
        return {each: found[end] for each, end in ends.items() if end in found and not found[end].is_deleted}

    def group(self, entity: EntityId) -> list[EntityId]:
        """The entity and all that count for it, also by way of others."""
        group = [entity]
        for each in group:
            query = Query(graph_keys.entity(each).pk, prefix=graph_keys.MERGED, consistent=True)
            group += [
                EntityId(Reader(stored).text("sk").removeprefix(graph_keys.MERGED))
                for stored in walk(self.table, query)
            ]
        return group

    def beginning(self, entity: Entity) -> list[Put]:
        """The writes of a new entity; they fail when one of its names leads elsewhere by now."""
        return [Put(entity_codec.entity_item(entity), Missing("pk")), *self._leading(entity, entity.spellings)]

    def commit(self, space: SpaceId, writes: Iterable[Write], fence: Guarded | None = None) -> bool:
        """Write what was decided, and tell those who remember names; False when a condition does not hold.

        Raises:
            ConditionFailed: Of the kind that the fence stands for.
        """
        key = graph_keys.counter(space, _DECISIONS)
        told = Update(key, (Add("count", 1), Set("_v", NOW.of(key).writes)))
        return fenced(self.table, [*writes, told], fence)

    def declaring(self, entity: Entity, event: EntityEvent) -> list[Put]:
        """The writes of a new entity that somebody declares."""
        return [*self.beginning(entity), Put(entity_codec.event_item(entity.id, event))]

    def moving(self, before: Entity, after: Entity, event: EntityEvent) -> list[Write]:
        """The writes that put `after` in place of `before`, with its names and its line of history.

        They fail when somebody came between, or one of the new names leads elsewhere. Names that `before` had alone
        lead nowhere any more.
        """
        old = {name_key(each): each for each in before.spellings}
        new = {name_key(each): each for each in after.spellings}
        writes: list[Write] = [
            Put(entity_codec.entity_item(after), Equals("revision", before.revision)),
            Put(entity_codec.event_item(before.id, event)),
            *self._leading(after, [new[key] for key in new.keys() - old.keys()]),
        ]
        gone = [self.place_of(before.space, old[key]) for key in old.keys() - new.keys()]
        return [*writes, *(Delete(place, Equals("entity", before.id)) for place in gone)]

    def leaving(self, entity: Entity) -> list[Delete]:
        """The writes that take an entity away, with its names and its place among those that count for another."""
        places = dict.fromkeys(self.place_of(entity.space, each) for each in entity.spellings)
        into = entity.merged_into
        return [
            Delete(graph_keys.entity(entity.id), Equals("revision", entity.revision)),
            *(Delete(place, Equals("entity", entity.id)) for place in places),
            *([] if into is None else [Delete(graph_keys.merged_entity(into, entity.id))]),
        ]

    def clear_histories(self, entities: Iterable[Entity]) -> None:
        """Take away what people did to entities that are about to leave: it tells their names.

        Before they leave, so that a crash between leaves something that leads there again.
        """
        moved = [(each.id, revision) for each in entities for revision in range(1, each.revision + 1)]
        self.table.write_batch([Delete(graph_keys.entity_event(*each)) for each in moved])

    def joined(self, entity: EntityId, other: EntityId) -> Put:
        """The write that says that `other` counts for `entity`."""
        return Put(item(graph_keys.merged_entity(entity, other)))

    def parted(self, entity: EntityId, other: EntityId) -> Delete:
        """The write that says that it does no more."""
        return Delete(graph_keys.merged_entity(entity, other))

    def walk(self, space: SpaceId) -> Iterator[tuple[str, Entity]]:
        """(place, entity) of a space, oldest first: those that stand for themselves."""
        return self._listed(Query(graph_keys.entities(space), index=Index.ONE, limit=_AT_ONCE))

    def places(self, space: SpaceId, since: str) -> Iterator[tuple[str, EntityId]]:
        """(place, id) of those that the index lists from the place `since` on, oldest first, none of them read."""
        query = Query(graph_keys.entities(space), index=Index.ONE, low=since or None)
        return ((place, _id(place)) for place in (Reader(each).text("g1sk") for each in walk(self.table, query)))

    def newest(self, space: SpaceId, before: str | None = None) -> Iterator[tuple[str, Entity]]:
        """The same, newest first, below the place `before`."""
        query = Query(graph_keys.entities(space), index=Index.ONE, high=before, descending=True, limit=_AT_ONCE)
        return ((place, entity) for place, entity in self._listed(query) if place != before)

    def _listed(self, query: Query) -> Iterator[tuple[str, Entity]]:
        places = (Reader(each).text("g1sk") for each in walk(self.table, query))
        while some := list(islice(places, _AT_ONCE)):
            found = self.find(_id(place) for place in some)
            yield from ((at, found[_id(at)]) for at in some if _id(at) in found and found[_id(at)].is_node)

    def merged(self, space: SpaceId, before: str | None = None) -> Iterator[tuple[str, Entity]]:
        """(place, entity) of those that count for others, the newest merges first, below `before`."""
        query = Query(graph_keys.merges(space), index=Index.TWO, descending=True, high=before)
        for entry in walk(self.table, query):
            place = Reader(entry).text("g2sk")
            entity = self.find([_id(place)]).get(_id(place))
            if place != before and entity is not None and entity.merged_into is not None:
                yield place, entity

    def history(self, entity: EntityId, before: int | None = None) -> Iterator[EntityEvent]:
        """What people did to it, newest first; only what came before the revision `before`."""
        low, high = graph_keys.entity_event(entity, 0), graph_keys.entity_event(entity, before or _LAST)
        query = Query(low.pk, low=low.sk, high=high.sk, descending=True, consistent=True)
        events = (entity_codec.read_event(stored) for stored in walk(self.table, query))
        return (event for event in events if event.revision != before)

    def decisions(self, space: SpaceId) -> int:
        """How often people have changed the entities of a space."""
        key = graph_keys.counter(space, _DECISIONS)
        stored = self.table.get([key]).items.get(key)
        return 0 if stored is None else Reader(stored).integer("count")

    def place_of(self, space: SpaceId, name: str) -> Key:
        """Where it stands whom a name leads to."""
        return graph_keys.entity_name(space, self.deployment.mac("entity", name_key(name)))

    def _leading(self, entity: Entity, spellings: Iterable[str]) -> list[Put]:
        places = dict.fromkeys(self.place_of(entity.space, each) for each in spellings)
        return [Put(item(place, entity=entity.id), Missing("pk")) for place in places]


def _id(place: str) -> EntityId:
    return EntityId(place.rpartition("#")[2])


def _end(entity: EntityId, after: Mapping[EntityId, EntityId | None]) -> EntityId:
    """Where redirects lead; a circle can't come about, since only entities that stand for themselves are merged."""
    end, seen = entity, {entity}
    while (into := after.get(end)) is not None and into not in seen:
        end = into
        seen.add(into)
    return end
