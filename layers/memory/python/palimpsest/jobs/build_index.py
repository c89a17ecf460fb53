"""Build an index generation beside the one that answers, from the table alone, and swap; in slices."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

from palimpsest.domain.analysis import ANALYSIS_VERSION
from palimpsest.domain.errors import IndexUnavailable, NotFound, QueueUnavailable
from palimpsest.jobs.drop_index import DropIndex
from palimpsest.jobs.fill_index import FillIndex
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.embedder import Model
from palimpsest.ports.ids import Ids
from palimpsest.ports.search_index import Generation
from palimpsest.ports.work_queue import Job, Work, WorkQueue
from palimpsest.stores.builds import Builds, Phase, Progress
from palimpsest.stores.generations import Generations, GenerationStore
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.searching import Opened

SCHEMA = ANALYSIS_VERSION
_GONE = frozenset({"index_missing", "index_corrupt", "index_mapping"})
"""Reasons that no waiting mends; an index that is only busy or out of reach is not built anew."""


class _Overtaken(Exception):
    """Another worker goes on with this build."""


@dataclass(frozen=True, slots=True)
class BuildIndex:
    """Begins generations, and does one slice of building one. Two that do so at once are one too many, and one ends."""

    generations: GenerationStore
    builds: Builds
    spaces: Spaces
    fill: FillIndex
    drop: DropIndex
    queue: WorkQueue
    ids: Ids

    def begin(self, *, model: Model | None = None) -> Generation:
        """Begin a generation, with the embedder's model unless another is given, in place of what was being built.

        It is noted in the table and asked for; the index itself is touched by the first slice.
        """
        generation = Generation(self.ids.ulid(), model or self.fill.embedder.model, SCHEMA)
        while True:
            state = self.generations.read()
            if state.building is not None:
                self.generations.retire(state.building)
            if self.generations.move(state, active=state.active, building=generation):
                break
        self.fill.searching.forget()
        self._ask(Job.BUILD_INDEX, generation)
        if state.building is not None:
            self._ask(Job.DROP_INDEX, state.building)
        return generation

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """One slice of building the generation with that id; True when there is more to do."""
        state = self.generations.read()
        try:
            if state.building is not None and state.building.id == subject:
                return self._fill(state, state.building, seconds_left)
            if state.active is not None and state.active.id == subject:
                return self._follow(state.active, seconds_left)
        except _Overtaken:
            pass
        return False

    def finish(self) -> bool:
        """All slices in one go, and what they leave behind; False when there is nothing to build."""
        building = self.generations.read().building
        if building is None:
            return False
        while self(building.id, lambda: math.inf):
            pass
        for retired in self.generations.retired():
            self.drop(retired.generation.id, lambda: math.inf)
        state = self.generations.read()
        return state.active is not None and state.active.id == building.id

    def resume(self) -> None:
        """Ask for what is being built to go on; for the start of a machine whose queue is empty."""
        building = self.generations.read().building
        if building is not None:
            self._ask(Job.BUILD_INDEX, building)

    def prepare(self) -> bool:
        """See to it that an index answers or is being built; True when there is one to build.

        Without an index, with one whose data is gone or one of an older schema, a build begins. An index of another
        model stays until somebody asks for a rebuild, since that embeds everything anew.
        """
        state = self.generations.read()
        if state.building is not None or self.fill.searching.indexes.is_off:
            return state.building is not None
        if not is_outdated(state) and state.active is not None and self._opens(state.active):
            return False
        self.begin(model=state.active.model if state.active else None)
        return True

    def _fill(self, state: Generations, generation: Generation, seconds_left: SecondsLeft) -> bool:
        begun = Progress(generation.id, Phase.FILL, self.fill.clock.now())
        opened, progress = self._opened(state, generation, self.builds.read(generation.id) or begun)
        while (space := self._space(progress)) is not None:
            if progress.space != space.id:
                progress = self._save(progress.filling(space.id, self.fill.clock.now()))
            progress, is_done = self.fill(opened, space, progress, self._save, seconds_left)
            if is_done:
                progress = self._save(progress.past(space.name))
            if not is_done or seconds_left() <= 0:
                return True
        return self._swap(opened.generation, progress)

    def _swap(self, generation: Generation, progress: Progress) -> bool:
        """Let the generation answer. When the state has moved since, the next slice looks again."""
        state = self.generations.read()
        if state.building != generation:
            raise _Overtaken
        if state.active is not None:
            self.generations.retire(state.active)
        if self.generations.move(state, active=generation, building=None):
            self.fill.searching.forget()
            self._save(progress.following())
            if state.active is not None:
                self._ask(Job.DROP_INDEX, state.active)
        return True

    def _follow(self, generation: Generation, seconds_left: SecondsLeft) -> bool:
        """What came to each space between its filling and the swap."""
        progress = self.builds.read(generation.id)
        if progress is None:
            return False
        if progress.phase is Phase.FILL:  # killed just after the swap
            progress = self._save(progress.following())
        for space in self.spaces.walk(progress.after):
            for partition in space.log_partitions():
                if not self.fill.follow(generation, partition, seconds_left=seconds_left):
                    return True
            progress = self._save(progress.past(space.name))
            if seconds_left() <= 0:
                return True
        self.builds.end(generation.id)
        return False

    def _opened(self, state: Generations, generation: Generation, progress: Progress) -> tuple[Opened, Progress]:
        """The index that is being filled. One that is not there is made, and filled from the first space on."""
        searching = self.fill.searching
        try:
            if progress.is_made:
                return searching.check(generation), progress
        except IndexUnavailable as error:
            if error.reason not in _GONE:
                raise
        progress = self._save(Progress(generation.id, Phase.FILL, progress.moved_at, progress.revision))
        opened = searching.create(generation)
        if not self.generations.move(state, active=state.active, building=opened.generation):
            raise _Overtaken
        return opened, self._save(replace(progress, is_made=True))

    def _space(self, progress: Progress) -> Space | None:
        """The space to be filled now; None after the last."""
        with suppress(NotFound):
            if progress.space is not None:
                return self.spaces.by_id(progress.space)
        return next(self.spaces.walk(progress.after), None)

    def _save(self, progress: Progress) -> Progress:
        moved = self.builds.move(progress, self.fill.clock.now())
        if moved is None:
            raise _Overtaken
        return moved

    def _opens(self, generation: Generation) -> bool:
        try:
            self.fill.searching.check(generation)
        except IndexUnavailable as error:
            return error.reason not in _GONE
        return True

    def _ask(self, job: Job, generation: Generation) -> None:
        with suppress(QueueUnavailable):  # the plan asks for what stands in the table
            self.queue.send(Work(job, generation.id))


def is_outdated(state: Generations) -> bool:
    """No index answers, or one that this release can't use."""
    return state.active is None or state.active.schema != SCHEMA
