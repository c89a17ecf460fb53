"""A search engine that scales to zero: asleep it hears questions and answers none; awake it is the embedded one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import (
    Candidate,
    Entry,
    Generation,
    Matches,
    Removal,
    Search,
    SearchIndex,
    Statistics,
)


class Engine:
    """What the test turns.

    Attributes:
        reason: How the adapter says that nothing came.
        holds: When given, a question to the sleeping engine waits for it.
        wakes_at: The question at which the engine is awake.
        questions: How many it has heard.
        when_asked: Called at each.
        hear: Is told of each write.
    """

    def __init__(self) -> None:
        self.is_asleep = False
        self.reason = "index_asleep"
        self.holds: threading.Event | None = None
        self.wakes_at: int | None = None
        self.questions = 0
        self.hear: Callable[[str], None] = lambda _: None
        self.when_asked: Callable[[], None] = lambda: None

    def write(self, what: str) -> None:
        """Writes wake it too, but the first ones fail."""
        self.hear(what)
        if self.is_asleep:
            raise IndexUnavailable(self.reason, "no answer in time")

    def ask(self) -> None:
        self.questions += 1
        self.when_asked()
        if self.wakes_at is not None and self.questions >= self.wakes_at:
            self.is_asleep = False
        if self.is_asleep and self.holds is not None:
            self.holds.wait(10)
        if self.is_asleep:
            raise IndexUnavailable(self.reason, "no answer in time")


@dataclass(frozen=True, slots=True)
class SleepingIndex:
    """One generation."""

    engine: Engine
    inner: SearchIndex

    @property
    def generation(self) -> Generation:
        return self.inner.generation

    def check(self) -> None:
        self.engine.ask()
        self.inner.check()

    def upsert(self, entries: Iterable[Entry]) -> None:
        self.engine.write("upsert")
        self.inner.upsert(entries)

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        gone = list(removals)
        if gone:
            self.engine.write("remove")
        self.inner.remove(space, gone)

    def sweep(self, space: SpaceId) -> int:
        return self.inner.sweep(space)

    def keyword(self, search: Search) -> Matches:
        self.engine.ask()
        return self.inner.keyword(search)

    def vector(self, search: Search) -> list[Candidate]:
        self.engine.ask()
        return self.inner.vector(search)

    def statistics(self, space: SpaceId, terms: Sequence[str]) -> Statistics:
        self.engine.ask()
        return self.inner.statistics(space, terms)


class SleepingIndexes:
    """The engine's generations, kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.engine = Engine()
        self._inner = EmbeddedIndexes(folder)

    @property
    def is_remote(self) -> bool:
        return True

    @property
    def is_off(self) -> bool:
        return False

    def create(self, generation: Generation) -> SearchIndex:
        return SleepingIndex(self.engine, self._inner.create(generation))

    def open(self, generation: Generation) -> SearchIndex:
        return SleepingIndex(self.engine, self._inner.open(generation))

    def drop(self, generation: Generation) -> None:
        self._inner.drop(generation)

    def sweep(self, named: Collection[str]) -> int:
        return self._inner.sweep(named)

    def close(self) -> None:
        self._inner.close()
