"""The beliefs of a space by time, newest first: the index's page united with the tail, each head read again."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from palimpsest.domain import instants
from palimpsest.domain.belief import Head, State
from palimpsest.domain.ids import RootId
from palimpsest.ports.table import Index, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.codec import Reader
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail

_CHUNK = 50
_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class Listing:
    """Walks heads in order of creation."""

    table: Table
    beliefs: Beliefs

    def walk(
        self, space: Space, state: State, before: str | None, tail: Tail | None, *, only_readable: bool = False
    ) -> Iterator[tuple[str, Head]]:
        """(place, head) of each belief in that state, newest first, below the place `before`.

        `only_readable`: without heads that no codec can read.
        """
        recent = self._recent(tail, before)
        places = heapq.merge(self._places(space, state, before), sorted(recent, reverse=True), reverse=True)
        chunk: list[str] = []
        last = None
        for place in places:
            if place != last:
                chunk.append(place)
            last = place
            if len(chunk) == _CHUNK:
                yield from self._heads(chunk, state, only_readable=only_readable)
                chunk = []
        yield from self._heads(chunk, state, only_readable=only_readable)

    def count(self, space: Space, state: State, most: int) -> int:
        """How many beliefs of the space are in that state by the index; it stops counting at `most`."""
        counted = 0
        for shard in range(space.read_shards):
            query: Query | None = Query(keys.listing(space.id, state, shard), index=Index.ONE, limit=_COUNTED)
            while query is not None and counted < most:
                page = self.table.query(query)
                counted += len(page.items)
                query = replace(query, after=page.next_cursor) if page.next_cursor else None
        return min(counted, most)

    def newest(self, space: Space, state: State, most: int) -> list[RootId]:
        """At most so many beliefs that are in that state by the index, newest first."""
        return [keys.root_of_listed(place) for place in islice(self._places(space, state, None), most)]

    def _heads(self, places: list[str], state: State, *, only_readable: bool) -> Iterator[tuple[str, Head]]:
        roots = [keys.root_of_listed(place) for place in places]
        heads = self.beliefs.heads(roots, only_readable=only_readable)
        for place in places:
            head = heads.get(keys.root_of_listed(place))
            if head is not None and head.state is state:
                yield place, head

    def _recent(self, tail: Tail | None, before: str | None) -> set[str]:
        roots: list[RootId] = [] if tail is None else list(tail.newest)
        heads = self.beliefs.heads(roots).values()
        places = {keys.listed(instants.write(head.created_at), head.root) for head in heads}
        return {place for place in places if before is None or place < before}

    def _places(self, space: Space, state: State, before: str | None) -> Iterator[str]:
        shards = [self._shard(keys.listing(space.id, state, n), before) for n in range(space.read_shards)]
        return heapq.merge(*shards, reverse=True)

    def _shard(self, partition: str, before: str | None) -> Iterator[str]:
        cursor = None
        while True:
            query = Query(partition, index=Index.ONE, descending=True, high=before, limit=_CHUNK, after=cursor)
            page = self.table.query(query)
            for entry in page.items:
                place = Reader(entry).text("g1sk")
                if place != before:
                    yield place
            cursor = page.next_cursor
            if cursor is None:
                return
