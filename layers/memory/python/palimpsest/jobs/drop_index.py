"""Take away a generation that was replaced: its data in the engine, and its watermarks in the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Delete, Table
from palimpsest.stores import keys
from palimpsest.stores.builds import Builds
from palimpsest.stores.generations import GenerationStore, Retired
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.searching import Searching

DROPPED_AFTER = timedelta(seconds=30)
"""Other processes remember for five seconds which generation answers, and what they ask takes a while."""
_SPACES = 50


@dataclass(frozen=True, slots=True)
class DropIndex:
    """Drops in slices; one that was done already is fine."""

    table: Table
    generations: GenerationStore
    builds: Builds
    searching: Searching
    spaces: Spaces
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """One slice of dropping the generation with that id; True when there is more to do."""
        retired = next((each for each in self.generations.retired() if each.generation.id == subject), None)
        if retired is None:
            return False
        retired = self._noted(replace(retired, tried_at=self.clock.now()))
        state = self.generations.read()
        if subject in {generation.id for generation in (state.active, state.building) if generation}:
            return False  # whoever meant to replace it was overtaken
        if not retired.after:
            self.searching.drop(retired.generation)
        done: list[Space] = []
        for space in self.spaces.walk(retired.after):
            done.append(space)
            if len(done) == _SPACES:
                retired, done = self._without(retired, done), []
                if seconds_left() <= 0:
                    return True
        self._without(retired, done)
        self.builds.end(subject)
        self.generations.end(retired.generation)
        return False

    def _without(self, retired: Retired, spaces: list[Space]) -> Retired:
        """With the watermarks in these spaces gone."""
        partitions = [partition for space in spaces for partition in space.log_partitions()]
        self.table.write_batch([Delete(keys.watermark(each, retired.generation.id)) for each in partitions])
        return self._noted(replace(retired, after=spaces[-1].name)) if spaces else retired

    def _noted(self, retired: Retired) -> Retired:
        self.generations.note(retired)
        return retired
