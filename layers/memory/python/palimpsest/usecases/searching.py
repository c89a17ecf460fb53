"""Which index generation answers now, and what it lacks yet. Only `check`, `create` and `drop` ask a remote engine."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from palimpsest.domain.errors import IndexUnavailable, QueueUnavailable, TableError
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import ASLEEP, GONE, Generation, SearchIndex, SearchIndexes
from palimpsest.ports.table import Table
from palimpsest.ports.work_queue import Job, Work, WorkQueue
from palimpsest.stores.generations import Generations, GenerationStore
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail, Tails
from palimpsest.stores.watermarks import Watermarks

_REMEMBERED = timedelta(seconds=5)

_ANSWERS_AGAIN = timedelta(minutes=1)
"""That the engine answered is noted again after that."""

OFF = "index_off"
"""The reason of what fails because the installation has no index, on purpose."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A generation and its index."""

    generation: Generation
    index: SearchIndex


@dataclass(slots=True)
class Searching:
    """Opens the active generation; which one it is is asked again every five seconds and after a failure.

    `queue` has a sleeping engine woken, so that no recall waits for that.
    """

    table: Table
    generations: GenerationStore
    indexes: SearchIndexes
    tails: Tails
    clock: Clock
    queue: WorkQueue
    _seen: tuple[datetime, Generations] | None = field(default=None, init=False)

    def state(self) -> Generations:
        """Which generations there are."""
        now = self.clock.now()
        seen = self._seen
        if seen is None or now - seen[0] > _REMEMBERED:
            seen = self._seen = (now, self.generations.read())
        return seen[1]

    def answering(self) -> Generation:
        """The generation that answers.

        Raises:
            IndexUnavailable: ``index_missing`` when there is none, ``index_off`` when there shall be none,
                ``index_asleep`` while its engine is being woken.
        """
        if self.indexes.is_off:
            raise IndexUnavailable(OFF, "this installation has no search index, by its settings")
        state = self.state()
        if state.active is None:
            raise IndexUnavailable("index_missing", "there is no search index yet; it is being built")
        if state.is_asleep(self.clock.now()):
            raise IndexUnavailable(ASLEEP, "the search index sleeps and is being woken; try again in half a minute")
        return state.active

    def found_asleep(self) -> None:
        """The engine of the active generation does not answer: it is woken, once, and let be until it is awake.

        Where that can't be noted or asked for now, a later recall tries again: nobody's answer depends on it.
        """
        state = self.state()
        with suppress(TableError, QueueUnavailable):
            if state.active is not None and self.generations.fall_asleep(state, self.clock.now()):
                self.forget()  # before anybody begins to wake it
                self.queue.send(Work(Job.WAKE_INDEX, state.active.id))
        self.forget()

    def found_gone(self, generation: Generation) -> None:
        """A request to that generation failed for a reason of `GONE`: if it is so, the next plan has it built anew."""
        with suppress(TableError):
            state = self.state()
            if state.active == generation and self._is_gone(generation):
                self.generations.lose(state)
        self.forget()

    def _is_gone(self, generation: Generation) -> bool:
        if not self.indexes.is_remote:
            return True
        try:
            self.check(generation)
        except IndexUnavailable as error:
            return error.reason in GONE
        return False

    def found_awake(self, generation_id: str) -> None:
        """The engine of that generation answers again."""
        self.forget()
        state = self.state()
        if state.active is not None and state.active.id == generation_id and state.asleep_since is not None:
            self.generations.wake_up(state)
            self.forget()

    def found_answering(self, at: datetime) -> None:
        """The engine answered a recall then, so that background work which wakes nobody may ask it for a while."""
        state = self.state()
        if state.answered_at is None or at - state.answered_at >= _ANSWERS_AGAIN:
            self.generations.answered(state, at)
            self.forget()

    def is_surely_awake(self, state: Generations) -> bool:
        """Asking the index wakes nobody: it lies on this machine, or its engine answered lately."""
        return not self.indexes.is_remote or state.is_surely_awake(self.clock.now())

    def open(self, generation: Generation) -> Opened:
        """An index that was made before; IndexUnavailable when the engine knows at once that it is gone."""
        return Opened(generation, self.indexes.open(generation))

    def check(self, generation: Generation) -> Opened:
        """An index that was made before, which the engine has been asked for; IndexUnavailable when it is gone."""
        opened = self.open(generation)
        opened.index.check()
        return opened

    def create(self, generation: Generation) -> Opened:
        """A new, empty index."""
        index = self.indexes.create(generation)
        return Opened(index.generation, index)

    def drop(self, generation: Generation) -> None:
        """Make an index be gone."""
        self.indexes.drop(generation)
        self.forget()

    def forget(self) -> None:
        """Ask anew which generation is active; for after a failure or a change."""
        self._seen = None

    def watermarks(self, generation: Generation) -> Watermarks:
        """How far a generation has read the change logs."""
        return Watermarks(self.table, generation.id, self.tails.timing.refresh)

    def tail(self, space: Space, generation: Generation | None) -> Tail:
        """What that generation can't show yet; without one, all that fits."""
        watermarks = self.watermarks(generation) if generation else None
        return self.tails.read(space, watermarks, self.clock.now())
