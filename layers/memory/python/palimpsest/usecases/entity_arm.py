"""The entity arm: what names the entities that a query names, and more faintly what names those related to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from palimpsest.domain.asking.spellings import spellings
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import ChunkSource, Source
from palimpsest.domain.ids import EntityId
from palimpsest.domain.instants import UNDATED
from palimpsest.domain.language import Language
from palimpsest.domain.matching import Passages
from palimpsest.domain.talk import Sayings
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import Candidates, Kind, Search
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.entities import Entities
from palimpsest.stores.links import LinkStore
from palimpsest.usecases.naming_memories import NamingMemories
from palimpsest.usecases.narrow import LOOKED, Narrow, Narrowed, key_of, passing, states

ANCHORS: Final = 5
"""Entities of one query; memloom takes ten, found by vectors."""
SOURCES: Final = 30
"""The newest of each anchor."""
RELATED: Final = 10
"""Entities that are stated to be related to an anchor."""
_FURTHER: Final = 5
"""The newest sources of each of those."""
_FAINT: Final = 0.5
"""What a related entity counts for, beside an anchor's 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the arm.

    Attributes:
        query: Its text.
        languages: What it may be written in.
        only: Only what names this entity: its id, or one of its names.
        about: Only what is about this one.
        is_expanded: Related entities count, too.
    """

    query: str
    languages: tuple[Language, ...] = ()
    only: str | None = None
    about: str | None = None
    is_expanded: bool = True

    @property
    def is_narrow(self) -> bool:
        """Not everything is asked for."""
        return self.only is not None or self.about is not None


@dataclass(frozen=True, slots=True)
class Anchor:
    """An entity that a query names, and the keys of the entries that name it."""

    entity: Entity
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Voted:
    """What the arm found.

    Attributes:
        anchors: The entities that the query names.
        votes: By the key of an entry, how much speaks for it: 1 for each anchor that it names.
    """

    candidates: Candidates
    anchors: tuple[Anchor, ...] = ()
    votes: Mapping[str, float] = field(default_factory=dict)


class EntityArm(Protocol):
    """Finds what names entities; the table decides of all that it finds, as of what any arm finds."""

    def narrowed(self, search: Search, asked: Asked) -> Narrowed:
        """The sources of the search's space that alone are asked for."""
        ...

    def __call__(self, search: Search, asked: Asked, narrowed: Narrowed | None) -> Voted:
        """The sources of the search's space that name what the query names, of those that it is held to."""
        ...


@dataclass(frozen=True, slots=True)
class NamedSources:
    """The arm over the table: names are looked up by their keys, so that its cost does not grow with the space."""

    entities: Entities
    links: LinkStore
    beliefs: Beliefs
    chunks: Chunks
    model: Model

    def narrowed(self, search: Search, asked: Asked) -> Narrowed:
        narrow = Narrow(NamingMemories(self.entities, self.links))
        return narrow(search.space, asked.only, asked.about, states(search.filters))

    def __call__(self, search: Search, asked: Asked, narrowed: Narrowed | None) -> Voted:
        anchors = self._anchors(search, asked)
        limit = search.limit if asked.only is not None else SOURCES
        naming = {anchor.id: self._naming(anchor.id, search, limit) for anchor in anchors}
        votes = self._votes(search, asked, naming)
        if narrowed is not None:
            votes = dict.fromkeys(self._passing(narrowed.sources.values(), search, search.limit), 1.0)
        found = {key_of(source): source for source in votes if _kind(source) in search.kinds}
        by_key = {key: votes[source] for key, source in found.items()}
        told = tuple(Anchor(each, frozenset(map(key_of, naming[each.id]))) for each in anchors)
        return Voted(self._candidates(search, found, by_key), told, by_key)

    def _votes(
        self, search: Search, asked: Asked, naming: Mapping[EntityId, Sequence[Source]]
    ) -> Mapping[Source, float]:
        votes: dict[Source, float] = defaultdict(float)
        for source in (source for found in naming.values() for source in found):
            votes[source] += 1.0
        for related in self._related(list(naming)) if asked.is_expanded and not asked.is_narrow else ():
            for source in self._naming(related, search, _FURTHER):
                votes[source] += _FAINT
        return votes

    def _anchors(self, search: Search, asked: Asked) -> list[Entity]:
        """The entities that are named, the longest names first."""
        if asked.only is not None and asked.only.startswith("ent_"):
            found = [each for each in self.entities.find([EntityId(asked.only)]).values() if each.space == search.space]
        else:
            names = [asked.only] if asked.only is not None else spellings(asked.query, asked.languages)
            found = list(self.entities.named(search.space, names, consistent=False).values())
        standing = self.entities.standing(each.id for each in found)
        distinct = {standing[each.id].id: standing[each.id] for each in found if each.id in standing}
        return list(distinct.values())[:ANCHORS]

    def _naming(self, entity: EntityId, search: Search, limit: int) -> list[Source]:
        most = LOOKED if search.filters.narrow else limit
        found = [
            named
            for each in self.entities.group(entity)
            for is_live in states(search.filters)
            for named in self.links.naming(each, is_live=is_live, limit=most)
        ]
        newest = sorted(found, key=lambda each: each.said_at, reverse=True)
        return list(self._passing((named.source for named in newest), search, limit))

    def _passing(self, sources: Iterable[Source], search: Search, limit: int) -> Iterable[Source]:
        return passing(sources, search.filters, limit, self.beliefs, self.chunks)

    def _related(self, anchors: Sequence[EntityId]) -> list[EntityId]:
        """Those that something is stated of together with an anchor."""
        ends: dict[EntityId, None] = {}
        for anchor in anchors:
            for is_from in (True, False):
                for stated in self.links.stated(anchor, is_from=is_from, limit=RELATED):
                    ends[stated.target if is_from else stated.subject] = None
        standing = self.entities.standing(ends)
        return [each for each in dict.fromkeys(end.id for end in standing.values()) if each not in anchors][:RELATED]

    def _candidates(self, search: Search, found: Mapping[str, Source], votes: Mapping[str, float]) -> Candidates:
        """As entries without a word of the query, with the cosines that their stored vectors have."""
        keys = sorted(found, key=lambda key: (-votes[key], key))[: search.limit]
        counts = np.zeros((len(keys), len(search.terms)), np.int64)
        sources = [found[key] for key in keys]
        kinds = [_kind(source) for source in sources]
        passages = Passages.given(self._vectors(sources), self.model.dimensions)
        undated = np.full(len(keys), UNDATED)  # a link says when it was recorded, not of when it tells
        lengths = np.zeros(len(keys), np.int64)
        return Candidates(keys, kinds, counts, lengths, undated, passages, Sayings.alone(len(keys)))

    def _vectors(self, sources: Sequence[Source]) -> list[Vector | None]:
        """Of each source its stored vectors."""
        chunks = self.chunks.vectors((each.chunk for each in sources if isinstance(each, ChunkSource)), self.model)
        refs = [(each.root, each.number) for each in sources if not isinstance(each, ChunkSource)]
        memories = self.beliefs.vectors_of(refs, self.model) if refs else {}
        return [
            chunks.get(each.chunk) if isinstance(each, ChunkSource) else memories.get((each.root, each.number))
            for each in sources
        ]


def _kind(source: Source) -> Kind:
    return Kind.CHUNK if isinstance(source, ChunkSource) else Kind.MEMORY


def names(anchors: Iterable[Anchor], answered: Collection[str]) -> tuple[str, ...]:
    """What anchors are called, each once: those that an entry among the `answered` names, or that a person declared.

    A name that only what is forgotten has is told to nobody.
    """
    shown = [each.entity for each in anchors if each.entity.is_shown_always or not each.keys.isdisjoint(answered)]
    return tuple(dict.fromkeys(each.name for each in shown))
