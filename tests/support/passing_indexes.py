"""The embedded search index behind something that a test puts before it: what is not overridden is passed on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.talk import Place
from palimpsest.ports.search_index import (
    Candidates,
    Entry,
    Generation,
    Gone,
    Matches,
    Removal,
    Search,
    SearchIndex,
    Statistics,
    Swept,
)


class PassingIndex:
    """One generation."""

    def __init__(self, inner: SearchIndex) -> None:
        self.inner = inner

    @property
    def generation(self) -> Generation:
        return self.inner.generation

    def check(self) -> None:
        self.inner.check()

    def upsert(self, entries: Iterable[Entry]) -> None:
        self.inner.upsert(entries)

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        self.inner.remove(space, removals)

    def held(self, space: SpaceId, keys: Sequence[str]) -> Collection[str]:
        return self.inner.held(space, keys)

    def wipe(self) -> bool:
        return self.inner.wipe()

    @property
    def needs_sweeps(self) -> bool:
        return self.inner.needs_sweeps

    def sweep(self, space: SpaceId, gone: Gone, after: str = "") -> Swept:
        return self.inner.sweep(space, gone, after)

    def keyword(self, search: Search) -> Matches:
        return self.inner.keyword(search)

    def vector(self, search: Search) -> Candidates:
        return self.inner.vector(search)

    def around(self, search: Search, places: Sequence[Place]) -> Candidates:
        return self.inner.around(search, places)

    def sample(self, space: SpaceId, limit: int) -> Candidates:
        return self.inner.sample(space, limit)

    def statistics(self, space: SpaceId, terms: Sequence[str]) -> Statistics:
        return self.inner.statistics(space, terms)


class PassingIndexes:
    """The generations in a folder, each behind what `wrap` makes of it."""

    is_off = False

    def __init__(self, folder: Path, wrap: Callable[[SearchIndex], SearchIndex], *, is_remote: bool = False) -> None:
        self.is_remote = is_remote
        self._inner = EmbeddedIndexes(folder)
        self._wrap = wrap

    def create(self, generation: Generation) -> SearchIndex:
        return self._wrap(self._inner.create(generation))

    def open(self, generation: Generation) -> SearchIndex:
        return self._wrap(self._inner.open(generation))

    def drop(self, generation: Generation) -> None:
        self._inner.drop(generation)

    def sweep(self, named: Collection[str]) -> int:
        return self._inner.sweep(named)

    def close(self) -> None:
        self._inner.close()
