"""How many live sources name an entity, and how many entities and relations there are of each word of the vocabulary.

Counts are kept with the links that they count, in the same transaction, and never counted anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.graph.entity import Entity, Tally
from palimpsest.domain.ids import DocumentId, EntityId, SpaceId
from palimpsest.ports.table import (
    Add,
    All,
    AnyOf,
    Check,
    Condition,
    Delete,
    Equals,
    Index,
    Item,
    Key,
    Missing,
    Query,
    Set,
    Table,
    Update,
)
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader
from palimpsest.stores.kinds import NOW
from palimpsest.stores.link_delta import Delta
from palimpsest.stores.walking import walk

_COUNTS: Final = ("memories", "chunks", "stale")


class Counted(StrEnum):
    """What is counted by words of the vocabulary."""

    TYPE = "type"
    """Entities that are shown."""
    PREDICATE = "predicate"
    """Relations that live sources state."""


@dataclass(frozen=True, slots=True)
class Tallies:
    """Reads counts, and gives the writes that move them."""

    table: Table

    def of(self, entities: Iterable[EntityId]) -> dict[EntityId, Tally]:
        """The tally of each, strongly read."""
        places = {graph_keys.tally(each): each for each in dict.fromkeys(entities)}
        found = self.table.get(list(places)).items if places else {}
        return {each: _read(found.get(place)) for place, each in places.items()}

    def weights(self, entity: EntityId) -> dict[DocumentId, int]:
        """In how many chunks of each document it is named; documents without any are left out."""
        found: dict[DocumentId, int] = {}
        for stored in walk(self.table, Query(graph_keys.tally(entity).pk, prefix=graph_keys.DOCUMENT_WEIGHTS)):
            r = Reader(stored)
            if r.integer("chunks") > 0:
                found[DocumentId(r.text("sk").removeprefix(graph_keys.DOCUMENT_WEIGHTS))] = r.integer("chunks")
        return found

    def entities_in(self, document: DocumentId, most: int) -> dict[EntityId, int]:
        """At most so many of the entities that chunks of a document name, with the number of those chunks."""
        query = Query(graph_keys.entities_in(document), index=Index.ONE, limit=most)
        listed = islice(walk(self.table, query), most)
        places = [Key(Reader(each).text("pk"), Reader(each).text("sk")) for each in listed]
        found = self.table.get(places, consistent=False).items if places else {}
        weights = {
            EntityId(place.pk.removeprefix("N#")): Reader(each).integer("chunks") for place, each in found.items()
        }
        return {entity: weight for entity, weight in weights.items() if weight > 0}

    def counts(self, space: SpaceId, what: Counted) -> dict[str, int]:
        """How many there are of each word; words without any are left out."""
        prefix = graph_keys.counter(space, f"{what}#").sk
        found = {
            Reader(stored).text("sk").removeprefix(prefix): Reader(stored).integer("count")
            for stored in walk(self.table, Query(graph_keys.counter(space, "").pk, prefix=prefix, consistent=True))
        }
        return {word: count for word, count in found.items() if count > 0}

    def moving(
        self,
        space: SpaceId,
        delta: Delta,
        seen: Mapping[EntityId, Tally],
        entities: Mapping[EntityId, Entity],
        *,
        gone: Collection[EntityId],
    ) -> list[Update | Delete]:
        """The writes of a change of links; they fail when somebody else moved one of the tallies meanwhile.

        Args:
            space: Of all of them.
            delta: The change.
            seen: The tallies that it moves, as `of` gave them.
            entities: Whose they are, as they stand.
            gone: Those of them that leave.
        """
        types: Counter[str] = Counter()
        writes: list[Update | Delete] = []
        for entity, tally in seen.items():
            after = delta.added_to(entity, tally)
            writes.append(_moved(entity, tally, after))
            stays = entity not in gone and is_shown(entities[entity], after)
            types[entities[entity].type] += stays - is_shown(entities[entity], tally)
        writes += [_weighed(*place, by) for place, by in delta.chunks.items() if by]
        return [*writes, *counting(space, Counted.TYPE, types), *counting(space, Counted.PREDICATE, delta.predicates)]

    def moving_entities(self, moves: Sequence[tuple[Entity | None, Entity]]) -> list[Check | Update]:
        """The writes that keep the counts of types when entities of one space change, each from and to."""
        seen = self.of(after.id for _, after in moves)
        types: Counter[str] = Counter()
        for before, after in moves:
            if before is not None:
                types[before.type] -= is_shown(before, seen[after.id])
            types[after.type] += is_shown(after, seen[after.id])
        checks = [Check(graph_keys.tally(entity), _is_as(tally)) for entity, tally in seen.items()]
        return [*checks, *counting(moves[0][1].space, Counted.TYPE, types)]

    def tidy(self, delta: Delta) -> None:
        """Take away what counts nothing any more, after the transaction."""
        for place in (place for place, by in delta.chunks.items() if by < 0):
            with suppress(ConditionFailed):
                self.table.write(Delete(graph_keys.document_weight(*place), Equals("chunks", 0)))


def is_shown(entity: Entity, tally: Tally) -> bool:
    """It stands for itself, and something says that it is there."""
    return entity.is_node and (entity.is_kept or tally.live > 0)


def counting(space: SpaceId, what: Counted, by: Mapping[str, int]) -> list[Update]:
    """The writes that add to the counts of words."""
    return [
        Update(key, (Add("count", amount), Set("_v", NOW.of(key).writes)))
        for word, amount in sorted(by.items())
        if amount and (key := graph_keys.counter(space, f"{what}#{word}"))
    ]


def _read(stored: Item | None) -> Tally:
    if stored is None:
        return Tally()
    r = Reader(stored)
    return Tally(r.integer("memories"), r.integer("chunks"), r.integer("stale"))


def _moved(entity: EntityId, seen: Tally, after: Tally) -> Update | Delete:
    key = graph_keys.tally(entity)
    if after.is_empty:
        return Delete(key, _is_as(seen))
    changes = tuple(Set(name, getattr(after, name)) for name in _COUNTS)
    return Update(key, (*changes, Set("_v", NOW.of(key).writes)), _is_as(seen))


def _is_as(seen: Tally) -> Condition:
    is_so = All(tuple(Equals(name, getattr(seen, name)) for name in _COUNTS))
    return AnyOf((Missing("pk"), is_so)) if seen.is_empty else is_so


def _weighed(entity: EntityId, document: DocumentId, by: int) -> Update:
    key = graph_keys.document_weight(entity, document)
    listed = Set("g1pk", graph_keys.entities_in(document)), Set("g1sk", entity)
    return Update(key, (Add("chunks", by), *listed, Set("_v", NOW.of(key).writes)))
