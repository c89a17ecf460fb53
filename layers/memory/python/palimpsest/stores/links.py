"""Links of sources: written as a whole with the counts that follow from them, read by source and by entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from palimpsest.domain.errors import ConditionFailed, TableThrottled
from palimpsest.domain.graph.entity import Entity, Tally
from palimpsest.domain.graph.links import Links, Relation, Source
from palimpsest.domain.ids import EntityId, SpaceId
from palimpsest.ports.table import (
    All,
    Check,
    Condition,
    Delete,
    Equals,
    Exists,
    Index,
    Key,
    Missing,
    Put,
    Query,
    Table,
    Write,
)
from palimpsest.stores import graph_keys, keys, link_codec
from palimpsest.stores.entities import Entities
from palimpsest.stores.held_codec import read_held
from palimpsest.stores.leaving import Leaving
from palimpsest.stores.link_delta import Delta
from palimpsest.stores.link_entries import Held, Named, Stated, read_held_entry, read_named, read_stated
from palimpsest.stores.moves import Guarded, fenced
from palimpsest.stores.tallies import Tallies
from palimpsest.stores.walking import walk

_AT_ONCE: Final = 100
_ATTEMPTS: Final = 8


@dataclass(frozen=True, slots=True)
class LinkStore:
    """Reads and moves links. One job at a time writes those of a space, so counts are hardly ever fought for."""

    table: Table
    entities: Entities
    tallies: Tallies

    def of(self, source: Source) -> list[Links]:
        """What was found in each version of the source's memory, or in the chunk; strongly read."""
        low, high = graph_keys.LINKS
        query = Query(link_codec.partition(source), low=low, high=high, consistent=True)
        return link_codec.read_all(walk(self.table, query))

    def move(
        self,
        was: Links | None,
        will: Links | None,
        *,
        guard: Check | None = None,
        fresh: Sequence[Entity] = (),
        fence: Guarded | None = None,
        is_erasure: bool = False,
    ) -> bool:
        """Put links in place of others of the same source, with new entities; False when something came between.

        An entity that nothing names any more, and of which nobody decided anything, goes with its last source.

        Args:
            was: As they are stored, strongly read; None when nothing is.
            will: As they shall be; None to take them away.
            guard: The source is still what was read.
            fresh: Entities of `will` that begin with it.
            fence: Of the run that does it; what it stands for is raised.
            is_erasure: Entities that were deleted or merged go as well, the last one with that which it counts for.
        """
        links = will or was
        if links is None:
            return True
        delta = Delta.between(was, will)
        new = {entity.id: entity for entity in fresh}
        seen = self.tallies.of(delta.entities)  # before the entities: one that goes meanwhile is missed below
        standing = new | self.entities.find(delta.entities - new.keys())
        if not delta.entities <= standing.keys():
            return False
        after = {each: delta.added_to(each, tally) for each, tally in seen.items()}
        unnamed = [standing[each] for each, tally in after.items() if tally.is_empty]
        writes = _replaced(was, None if will is None else replace(will, revision=1 + (was.revision if was else 0)))
        leaving = Leaving(self.entities, self.tallies)
        gone = leaving.of_erased(unnamed, delta, len(writes)) if is_erasure else leaving.of_unnamed(unnamed)
        seen |= {each.id: Tally() for each in gone if each.id not in seen}
        standing |= {each.id: each for each in gone}
        writes += [write for entity in fresh for write in self.entities.beginning(entity)]
        writes += [write for entity in gone for write in self.entities.leaving(entity)]
        writes += self.tallies.moving(links.space, delta, seen, standing, gone={each.id for each in gone})
        turning = (standing[each] for each, tally in after.items() if _turns(seen[each], tally))
        writes += _as_they_stand(each for each in turning if each.id not in new and each not in gone)
        self.entities.clear_histories(each for each in gone if each.revision > 1)
        if not fenced(self.table, [*writes, *([guard] if guard else [])], fence):
            return False
        self.tallies.tidy(delta)
        return True

    def clear(self, source: Source, *, is_erasure: bool = False) -> None:
        """Take away all that was found in any version of a source, as `move` does.

        Raises:
            TableThrottled: Others changed its entities each time.
        """
        for _ in range(_ATTEMPTS):
            if all(self.move(each, None, is_erasure=is_erasure) for each in self.of(source)):
                return
        raise TableThrottled

    def holds(self, guard: Check) -> bool:
        """The condition holds, as far as one can see."""
        try:
            self.table.transact([guard])
        except ConditionFailed:
            return False
        return True

    def naming(self, entity: EntityId, *, is_live: bool = True, limit: int, before: str | None = None) -> list[Named]:
        """At most `limit` of the sources that name an entity, newest first; index reads: look at the sources."""
        return list(islice(self.all_naming(entity, is_live=is_live, before=before, at_once=limit), limit))

    def all_naming(
        self, entity: EntityId, *, is_live: bool = True, before: str | None = None, at_once: int = _AT_ONCE
    ) -> Iterator[Named]:
        """All of them, newest first. `at_once`: how many are read before more are wanted."""
        state = link_codec.LIVE if is_live else link_codec.STALE
        high = before or f"{state}#{keys.AFTER_ALL}"
        query = Query(
            graph_keys.mentions_of(entity), index=Index.TWO, low=f"{state}#", high=high, descending=True, limit=at_once
        )
        return map(read_named, walk(self.table, query))

    def naming_any(
        self, sources: Sequence[Source], entities: Sequence[EntityId], *, as_subject: bool = False
    ) -> set[Source]:
        """Those of the sources that name one of the entities, or are about it (`as_subject`); strongly read."""
        places = {
            graph_keys.mention(link_codec.partition(source), source.number, entity): source
            for source in sources
            for entity in entities
        }
        found = self.table.get(list(places)).items if places else {}
        return {places[place] for place, each in found.items() if not as_subject or read_named(each).is_subject}

    def stated(self, entity: EntityId, *, is_from: bool, is_live: bool = True, limit: int) -> list[Stated]:
        """At most `limit` of the relations from an entity (`is_from`) or to it; index reads: look at the sources.

        No attributes, which lead nowhere.
        """
        state = link_codec.LIVE if is_live else link_codec.STALE
        index = Index.ONE if is_from else Index.TWO
        query = Query(graph_keys.relations_of(entity), index=index, prefix=f"{state}#", limit=limit)
        return [read_stated(each, is_from=is_from) for each in islice(walk(self.table, query), limit)]

    def holding(self, space: SpaceId, proposal: str, limit: int) -> list[Held]:
        """At most `limit` of what live sources hold for a term, newest first; index reads: look at the sources."""
        partition = graph_keys.held_out_for(space, proposal)
        query = Query(partition, index=Index.ONE, prefix=f"{link_codec.LIVE}#", descending=True, limit=limit)
        entries = [read_held_entry(each) for each in islice(walk(self.table, query), limit)]
        found = self.table.get([each.place for each in entries], consistent=False).items if entries else {}
        return [
            Held(each.source, held)
            for each in entries
            if each.place in found and (held := read_held(found[each.place])).proposal == proposal
        ]

    def relations(self, places: Sequence[Key]) -> dict[Key, Relation]:
        """The relations that lie there."""
        found = self.table.get(list(dict.fromkeys(places)), consistent=False).items if places else {}
        return {key: link_codec.read_relation(stored) for key, stored in found.items()}


def _replaced(was: Links | None, will: Links | None) -> list[Write]:
    """The writes that put the items of one in place of those of the other; they fail when that is not there."""
    before = {} if was is None else link_codec.items_of(was)
    after = {} if will is None else link_codec.items_of(will)
    seen = {key: _as_seen(was) for key in before.keys() | after.keys() if keys.kind(key) == "extraction"}
    gone: list[Write] = [Delete(key, seen.get(key)) for key in before.keys() - after.keys()]
    return [*gone, *(Put(each, seen.get(key)) for key, each in after.items() if before.get(key) != each)]


def _as_seen(was: Links | None) -> Condition:
    """How the source was read is what somebody saw of it."""
    if was is None:
        return Missing("pk")
    return Equals("revision", was.revision) if was.revision else All((Exists("pk"), Missing("revision")))


def _as_they_stand(entities: Iterable[Entity]) -> list[Check]:
    """Nobody changes these entities meanwhile, nor takes them away."""
    return [Check(graph_keys.entity(each.id), Equals("revision", each.revision)) for each in entities]


def _turns(seen: Tally, after: Tally) -> bool:
    """Whether the entity is there, or is shown, may follow from it: no tally tells who changes the entity meanwhile."""
    return seen.is_empty or bool(seen.live) != bool(after.live)
