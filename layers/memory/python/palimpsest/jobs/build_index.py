"""Build an index generation beside the one that answers, from the table alone, and swap; in slices."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from palimpsest.domain.analysis import ANALYSIS_VERSION
from palimpsest.domain.errors import IndexUnavailable, NotFound, UnknownWork
from palimpsest.jobs.asking import Asking
from palimpsest.jobs.drop_index import DROPPED_AFTER, DropIndex
from palimpsest.jobs.fill_index import FillIndex
from palimpsest.jobs.reached import REFUSES
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.embedder import Model
from palimpsest.ports.ids import Ids
from palimpsest.ports.search_index import GONE, Generation
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.builds import Builds, Phase, Progress
from palimpsest.stores.changes import SURELY_KEPT
from palimpsest.stores.generations import Generations, GenerationStore
from palimpsest.stores.keys import chunk_log
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.searching import Opened

SCHEMA = ANALYSIS_VERSION
_BEGUN_AGAIN = timedelta(days=1)
"""After a build was given up, nothing but somebody's request begins another one for so long."""


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
    asking: Asking
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
        self.asking(Work(Job.BUILD_INDEX, generation.id))
        if state.building is not None:
            self._drop(state.building)
        return generation

    def renew(self) -> None:
        """Begin a generation like the one that answers."""
        active = self.generations.read().active
        self.begin(model=active.model if active else None)

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """One slice of building the generation with that id; True when there is more to do.

        Raises:
            UnknownWork: A newer release has to build it; the message comes again until one takes it.
        """
        state = self.generations.read()
        try:
            if state.building is not None and state.building.id == subject:
                return self._build(state, state.building, seconds_left)
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

    def prepare(self) -> bool:
        """See to it that an index answers or is being built; True when there is one to build.

        Without an index, with one whose data is gone or one of an older schema, a build begins. An index of another
        model stays until somebody asks for a rebuild, since that embeds everything anew.
        """
        state = self.generations.read()
        if state.building is not None or self.fill.searching.indexes.is_off:
            return state.building is not None
        is_fine = not is_outdated(state) and state.active is not None and self._opens(state.active)
        if is_fine or self._failed_lately(state, self.fill.clock.now()):
            return False
        self.renew()
        return True

    def is_wanted(self, state: Generations, now: datetime) -> bool:
        """Another generation has to be begun, as far as the table tells; not again at once when that has failed."""
        return (is_outdated(state) or state.is_lost) and not self._failed_lately(state, now)

    def _failed_lately(self, state: Generations, now: datetime) -> bool:
        return state.failed_at is not None and now - state.failed_at < _BEGUN_AGAIN

    def _build(self, state: Generations, generation: Generation, seconds_left: SecondsLeft) -> bool:
        """A slice of filling, unless this release should not fill it."""
        if generation.schema > SCHEMA:
            raise UnknownWork("a newer release began the index that is being built, and has to build it")
        if generation.schema < SCHEMA or self.fill.clock.now() - generation.begun_at >= SURELY_KEPT:
            self.begin(model=generation.model)
            return False
        try:
            return self._fill(state, generation, seconds_left)
        except IndexUnavailable as error:
            if error.reason != REFUSES:
                raise
            self._give_up(generation, str(error))
            return False

    def _give_up(self, generation: Generation, why: str) -> None:
        """The index that answers stays, and the status tells why."""
        state = self.generations.read()
        if state.building == generation:
            self.generations.retire(generation)
            self.generations.move(state, active=state.active, building=None, failure=(self.fill.clock.now(), why))
            self.fill.searching.forget()
            self._drop(generation)

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
                self._drop(state.active)
        return True

    def _follow(self, generation: Generation, seconds_left: SecondsLeft) -> bool:
        """What came to each space between its filling and the swap."""
        progress = self.builds.read(generation.id)
        if progress is None:
            return False
        if progress.phase is Phase.FILL:  # killed just after the swap
            progress = self._save(progress.following())
        for space in self.spaces.walk(progress.after):
            for partition in (*space.log_partitions(), chunk_log(space.id)):
                if not self.fill.follow(generation, partition, seconds_left=seconds_left):
                    return True
            progress = self._save(progress.past(space.name))
            if seconds_left() <= 0:
                return True
        self.builds.end(generation.id)
        self.asking.rest(Work(Job.CHECK_LOGS))  # it has just been done
        return False

    def _opened(self, state: Generations, generation: Generation, progress: Progress) -> tuple[Opened, Progress]:
        """The index that is being filled. One that is not there is made, and filled from the first space on."""
        searching = self.fill.searching
        try:
            if progress.is_made:
                return searching.check(generation), progress
        except IndexUnavailable as error:
            if error.reason not in GONE:
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
            return error.reason not in GONE
        return True

    def _drop(self, generation: Generation) -> None:
        self.asking(Work(Job.DROP_INDEX, generation.id), after=DROPPED_AFTER)


def is_outdated(state: Generations) -> bool:
    """No index answers, or one of an older schema. One of a newer schema is left to the release that made it."""
    return state.active is None or state.active.schema < SCHEMA
