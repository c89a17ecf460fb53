"""A search engine that scales to zero: asleep it hears questions and answers none; awake it is the embedded one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import (
    Candidates,
    Entry,
    Matches,
    Removal,
    Search,
    SearchIndex,
    Statistics,
)
from tests.support.passing_indexes import PassingIndex, PassingIndexes


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


class SleepingIndex(PassingIndex):
    """One generation."""

    def __init__(self, engine: Engine, inner: SearchIndex) -> None:
        super().__init__(inner)
        self._engine = engine

    def check(self) -> None:
        self._engine.ask()
        super().check()

    def upsert(self, entries: Iterable[Entry]) -> None:
        self._engine.write("upsert")
        super().upsert(entries)

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        gone = list(removals)
        if gone:
            self._engine.write("remove")
        super().remove(space, gone)

    def keyword(self, search: Search) -> Matches:
        self._engine.ask()
        return super().keyword(search)

    def vector(self, search: Search) -> Candidates:
        self._engine.ask()
        return super().vector(search)

    def statistics(self, space: SpaceId, terms: Sequence[str]) -> Statistics:
        self._engine.ask()
        return super().statistics(space, terms)


class SleepingIndexes(PassingIndexes):
    """The engine's generations, kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.engine = Engine()
        super().__init__(folder, lambda inner: SleepingIndex(self.engine, inner), is_remote=True)
