"""What a doorbell of the change logs leads to: the index is made equal, and new sources are to be read for entities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain.errors import TableError
from palimpsest.jobs.asking import Asking
from palimpsest.jobs.index_changes import IndexChanges
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Key
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.unextracted import Unextracted

GATHERED: Final = timedelta(seconds=3)
"""So long after the first of a burst of changes they are read together."""


@dataclass(frozen=True, slots=True)
class HearChanges:
    """Hears doorbells."""

    index: IndexChanges
    unextracted: Unextracted
    asking: Asking
    clock: Clock

    def __call__(self, rows: Sequence[Key], seconds_left: SecondsLeft = lambda: math.inf) -> list[Key]:
        """Index what these rows announce, and have it read; the rows that have to be announced again."""
        failed = dict.fromkeys(self.index(rows, seconds_left))
        for space in dict.fromkeys(LogPartition.of(row.pk).space for row in rows):
            try:
                self.unextracted.note(space, self.clock.now())
            except TableError:
                failed |= dict.fromkeys(row for row in rows if LogPartition.of(row.pk).space == space)
            else:
                self.asking(Work(Job.EXTRACT, space), after=GATHERED)
        return list(failed)
