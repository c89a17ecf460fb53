"""Which sources a search is held to by an entity that they have to name, or to be about."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.links import ChunkSource, MemorySource, Source
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.traits import Traits
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.link_entries import Named
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.naming_memories import NamingMemories

MOST: Final = 5_000
"""Sources of one entity, about a megabyte of index entries; of more only the newest are looked at."""

LOOKED: Final = 200
"""Sources that are read, where filters have to be looked at, to find some that pass."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What a search is held to.

    Attributes:
        sources: By the key of their entry, newest first.
        is_whole: There are no more.
    """

    sources: Mapping[str, Source]
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Narrow:
    """Looks in the table's index of what names entities; the re-read decides of what is found."""

    naming: NamingMemories

    def __call__(self, space: SpaceId, entity: str | None, subject: str | None, states: Sequence[bool]) -> Narrowed:
        """The sources that name `entity` and are about `subject`, as far as they are given: an id, or a name.

        Args:
            space: Whose entities they are.
            entity: None asks for nothing.
            subject: The same.
            states: True for what is live, False for what was replaced.
        """
        wanted = [(name, is_subject) for name, is_subject in ((entity, False), (subject, True)) if name is not None]
        found = [self._found(space, name, states, is_subject=is_subject) for name, is_subject in wanted]
        first, *others = found
        kept = {key: each for key, each in first.sources.items() if all(key in other.sources for other in others)}
        return Narrowed(kept, all(each.is_whole for each in found))

    def _found(self, space: SpaceId, name: str, states: Sequence[bool], *, is_subject: bool) -> Narrowed:
        links = self.naming.links
        group = self.naming.group(space, name)
        walks = [links.all_naming(each, is_live=is_live, at_once=MOST) for each in group for is_live in states]
        merged: Iterator[Named] = heapq.merge(*walks, key=lambda each: each.said_at, reverse=True)
        listed = list(islice((each for each in merged if each.is_subject or not is_subject), MOST + 1))
        return Narrowed({key_of(each.source): each.source for each in listed[:MOST]}, len(listed) <= MOST)


def passing(
    sources: Iterable[Source], filters: Filters, limit: int, beliefs: Beliefs, chunks: Chunks
) -> Iterable[Source]:
    """The first of them, at most `limit`, that pass the filters; those are looked for among the first 200."""
    if not filters.narrow:
        return islice(sources, limit)
    some = list(islice(sources, LOOKED))
    heads, versions = beliefs.heads_and_versions(
        [(each.root, each.number) for each in some if isinstance(each, MemorySource)]
    )
    found = chunks.find([each.chunk for each in some if isinstance(each, ChunkSource)])

    def passes(source: Source) -> bool:
        if isinstance(source, ChunkSource):
            return source.chunk in found and filters.take(Traits.of_chunk(found[source.chunk]))
        version = versions.get((source.root, source.number))
        return version is not None and filters.fits(heads[source.root], version)

    return islice(filter(passes, some), limit)


def key_of(source: Source) -> str:
    """The key of its entry in the index."""
    return source.chunk if isinstance(source, ChunkSource) else entry_key(source.root, source.number)


def states(filters: Filters) -> tuple[bool, ...]:
    """What is live, and what was replaced where that may answer."""
    return (True, False) if filters.is_timed or filters.shows_stale else (True,)
