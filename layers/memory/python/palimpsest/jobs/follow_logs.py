"""Follow any change log, each by its own way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.domain.errors import IndexUnavailable, TableThrottled, TableUnavailable
from palimpsest.jobs.canary_notes import CanaryNotes
from palimpsest.jobs.follow_chunks import FollowChunks
from palimpsest.jobs.follow_log import FollowLog
from palimpsest.jobs.survey_space import SurveySpace
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation
from palimpsest.ports.table import Key
from palimpsest.stores.keys import LogPartition


@dataclass(frozen=True, slots=True)
class FollowLogs:
    """Brings generations up to the ends of logs."""

    beliefs: FollowLog
    chunks: FollowChunks
    survey: SurveySpace
    canary: CanaryNotes

    def __call__(
        self,
        generation: Generation,
        partition: LogPartition,
        announced: Sequence[Key] = (),
        *,
        back: timedelta = timedelta(0),
        seconds_left: SecondsLeft = lambda: math.inf,
    ) -> bool:
        """As `FollowLog` and `FollowChunks` do."""
        follow = self.chunks if partition.is_of_chunks else self.beliefs
        is_done = follow(generation, partition, announced, back=back, seconds_left=seconds_left)
        if is_done:
            searching = self.beliefs.searching
            with suppress(IndexUnavailable, TableThrottled, TableUnavailable):  # the next one makes it
                self.survey(searching.open(generation), partition.space, is_remote=searching.indexes.is_remote)
            if announced:
                self.canary.changed(partition.space)
        return is_done

    @property
    def clock(self) -> Clock:
        return self.beliefs.clock

    def forget(self) -> None:
        """Put in again what was put in before: the index may have lost it."""
        self.beliefs.forget()
        self.chunks.forget()
