"""Keep the index equal to the table: a doorbell tells which change logs to follow, for the generation that answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.domain.errors import IndexUnavailable, NewerItem, TableError
from palimpsest.jobs.follow_logs import FollowLogs
from palimpsest.jobs.reached import REFUSES
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.search_index import GONE
from palimpsest.ports.table import Key
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.lagging import Lagging
from palimpsest.usecases.searching import OFF, Searching


@dataclass(frozen=True, slots=True)
class IndexChanges:
    """The index's consumer of the change logs; a generation that is built follows them by itself."""

    follow: FollowLogs
    searching: Searching
    lagging: Lagging

    def __call__(self, rows: Sequence[Key], seconds_left: SecondsLeft = lambda: math.inf) -> list[Key]:
        """Index what these rows of change logs announce, and all else that waits in their logs.

        Once the engine is away or the time is up, no further log is tried. A log that could not be handled is noted, so
        that it is followed later even when nobody announces its rows again.

        Returns:
            The rows whose log could not be handled; they have to be announced again.
        """
        failed: list[Key] = []
        is_over = False
        for pk in dict.fromkeys(row.pk for row in rows):
            own = [row for row in rows if row.pk == pk]
            is_over = is_over or seconds_left() <= 0
            try:
                if is_over or not self.catch_up(LogPartition.of(pk), own, seconds_left):
                    failed += own
            except IndexUnavailable as error:
                is_over = error.reason != REFUSES
                if error.reason != OFF:
                    failed += own
            except (NewerItem, TableError):
                failed += own
        for pk in dict.fromkeys(row.pk for row in failed):
            with suppress(TableError):
                self.lagging.note(LogPartition.of(pk), self.follow.clock.now())
        return failed

    def catch_up(
        self, partition: LogPartition, announced: Sequence[Key] = (), seconds_left: SecondsLeft = lambda: math.inf
    ) -> bool:
        """Bring the generation that answers up to the end of one log; False when the time was up before.

        Raises:
            IndexUnavailable: It could not be. When the index is gone, a plan begins another one.
        """
        state = self.searching.state()
        if state.active is None or self.searching.indexes.is_off:
            return True
        try:
            return self.follow(state.active, partition, announced, seconds_left=seconds_left)
        except IndexUnavailable as error:
            if error.reason in GONE:
                self.searching.found_gone(state.active)
            self.searching.forget()
            raise

    def recheck(self, partition: LogPartition, back: timedelta) -> None:
        """Index the rows of the last `back` before the watermark again.

        After a loss of power the index's file may lack what it had acknowledged in the last seconds; the table's never.
        """
        generation = self.searching.state().active
        if generation is not None:
            self.follow.forget()
            self.follow(generation, partition, back=back)
