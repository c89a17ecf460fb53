"""Entities as they are shown: those that a live source names, or of which a person decided something."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound
from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.entity import Decided, Entity, Tally
from palimpsest.domain.graph.links import Source
from palimpsest.domain.ids import DocumentId, EntityId
from palimpsest.domain.naming.names import name_key
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.documents import Documents
from palimpsest.stores.entities import Entities
from palimpsest.stores.entity_codec import EntityEvent
from palimpsest.stores.link_entries import Named
from palimpsest.stores.links import LinkStore
from palimpsest.stores.spaces import Space
from palimpsest.stores.tallies import Tallies
from palimpsest.usecases.around import SHARED, states
from palimpsest.usecases.entities import ManageEntities
from palimpsest.usecases.live_sources import LiveSources
from palimpsest.usecases.paging import page

_LOOKED_AT: Final = 3
"""Sources of an entity that are looked at before its others, when it is to be seen whether one is live."""


@dataclass(frozen=True, slots=True)
class EntityQuery:
    """Which entities. `words`: a part of a name or an alias."""

    space: str | None = None
    words: str | None = None
    type: str | None = None
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class ShownEntity:
    """An entity with what counts for it.

    Attributes:
        aliases: Its own, and the names of entities that count for it.
        memories, chunks: How many live ones name it.
        documents: In how many chunks of each document it is named.
    """

    entity: Entity
    space: str
    aliases: tuple[str, ...]
    memories: int
    chunks: int
    documents: Mapping[DocumentId, int]


@dataclass(frozen=True, slots=True)
class EntitiesListed:
    """One page of entities, newest first."""

    entities: tuple[ShownEntity, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class EntityHistory:
    """One page of what people decided of an entity, newest first."""

    entity: EntityId
    events: tuple[EntityEvent, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class ShowEntities:
    """Lists and shows entities."""

    manage: ManageEntities
    entities: Entities
    links: LinkStore
    tallies: Tallies
    documents: Documents
    live: LiveSources
    cursors: Cursors

    def page(self, caller: Caller, query: EntityQuery) -> EntitiesListed:
        """One page, newest first.

        Raises:
            NotAllowed: The key may not enter the space.
            CursorRefused: Not a cursor of this query and this key.
        """
        caller.require(Role.READER)
        name = caller.require_space(query.space)
        binding = ("entities", name, query.words or "", query.type or "", caller.key)
        before = self.cursors.open(query.cursor, *binding) if query.cursor else None
        space = self.manage.steps.spaces.find(name)
        if space is None:
            return EntitiesListed((), None)

        def meant(some: Sequence[Entity]) -> list[Entity]:
            return self.shown([each for each in some if self._is_meant(query, each)])

        found, place = page(self.entities.newest(space.id, before), query.limit, meant)
        following = None if place is None else self.cursors.seal(place, *binding)
        return EntitiesListed(tuple(self.told(space, each) for each in found), following)

    def one(self, caller: Caller, entity: EntityId) -> tuple[Space, ShownEntity]:
        """The entity, or the one that it counts for.

        Raises:
            NotFound: Unknown, deleted, named by nothing that is shown, or in a space that the key may not enter.
        """
        caller.require(Role.READER)
        space, found = self.manage.find(caller, entity)
        if not self.shown([found]):
            raise NotFound("entity")
        return space, self.told(space, found)

    def history(self, caller: Caller, entity: EntityId, *, limit: int = 50, cursor: str | None = None) -> EntityHistory:
        """What people decided of it, newest first; NotFound, CursorRefused as above."""
        self.one(caller, entity)
        binding = ("entity history", entity, caller.key)
        before = int(self.cursors.open(cursor, *binding)) if cursor else None
        some = list(islice(self.entities.history(entity, before), limit + 1))
        more = self.cursors.seal(str(some[limit - 1].revision), *binding) if len(some) > limit else None
        return EntityHistory(entity, tuple(some[:limit]), more)

    def sources(self, entity: Entity, limit: int, when: Filters | None = None) -> list[Named]:
        """At most `limit` of the live sources that name it or what counts for it, newest first.

        `when`: those that were live then, among the newest hundred.
        """
        found: list[Named] = []
        for some in _parts(self._naming(self.group(entity), when), limit):
            live = self.live((each.source for each in some), when)
            found += [each for each in some if each.source in live]
            if len(found) >= limit:
                break
        return found[:limit]

    def shown(self, entities: Sequence[Entity]) -> list[Entity]:
        """Those among the entities that are shown."""
        open_ = [each for each in entities if not each.is_shown_always]
        some = {each.id: self.links.naming(each.id, limit=_LOOKED_AT) for each in open_}
        live = self.live(named.source for found in some.values() for named in found)
        is_named = {each: any(named.source in live for named in found) for each, found in some.items()}
        return [
            each
            for each in entities
            if each.is_shown_always
            or is_named[each.id]
            or ((len(some[each.id]) == _LOOKED_AT or _absorbs(each)) and self.sources(each, 1))
        ]

    def group(self, entity: Entity) -> list[EntityId]:
        """It, and all that count for it."""
        return self.entities.group(entity.id) if _absorbs(entity) else [entity.id]

    def weights(self, entity: Entity) -> dict[DocumentId, int]:
        """In how many chunks of each document that is shown it is named, or what counts for it."""
        group = self.group(entity)
        return self._documents(group, self.tallies.of(group))

    def told(self, space: Space, entity: Entity) -> ShownEntity:
        """The entity with its counts."""
        group = self.group(entity)
        tallies = self.tallies.of(group)
        memories = sum(tally.memories for tally in tallies.values())
        documents = self._documents(group, tallies)
        aliases = dict.fromkeys(self._spellings(entity)[1:])
        return ShownEntity(entity, space.name, tuple(aliases), memories, sum(documents.values()), documents)

    def _documents(self, group: Iterable[EntityId], tallies: Mapping[EntityId, Tally]) -> dict[DocumentId, int]:
        """Of documents that are shown."""
        weights: dict[DocumentId, int] = {}
        for each in group:
            for document, chunks in self.tallies.weights(each).items() if tallies[each].chunks else ():
                weights[document] = weights.get(document, 0) + chunks
        shown = self.documents.find(weights)
        return {each: chunks for each, chunks in weights.items() if each in shown and shown[each].is_shown}

    def _naming(self, group: Sequence[EntityId], when: Filters | None) -> Iterator[Named]:
        """The sources of several entities, newest first, each once."""
        seen: set[Source] = set()
        most = None if when is None else SHARED
        streams = [
            islice(self.links.all_naming(each, is_live=is_live), most) for each in group for is_live in states(when)
        ]
        for named in heapq.merge(*streams, key=lambda each: each.said_at, reverse=True):
            if named.source not in seen:
                seen.add(named.source)
                yield named

    def _is_meant(self, query: EntityQuery, entity: Entity) -> bool:
        wanted = name_key(query.words or "")
        if query.type not in (None, entity.type):
            return False
        return not wanted or any(wanted in name_key(each) for each in self._spellings(entity))

    def _spellings(self, entity: Entity) -> list[str]:
        """What it is called, and what the entities that count for it are, where those would be shown themselves."""
        if not _absorbs(entity):
            return [*entity.spellings]
        others = self.shown([*self.entities.find(self.entities.group(entity.id)[1:]).values()])
        return [*entity.spellings, *(name for each in others if not each.is_deleted for name in each.spellings)]


def _absorbs(entity: Entity) -> bool:
    """Others may count for it."""
    return Decided.MERGE in entity.decided


def _parts(named: Iterator[Named], size: int) -> Iterator[list[Named]]:
    while some := list(islice(named, max(size, 20))):
        yield some
