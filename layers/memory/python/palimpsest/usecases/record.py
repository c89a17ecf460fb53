"""Record a recall: what it answered, with the fingerprints that tell echoes, while the rest of the answer is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from palimpsest.domain.access import Caller
from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import KeyId, RecallId, SpaceId
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Put
from palimpsest.stores.recalls import Answer, Recalls
from palimpsest.stores.unreinforced import RELIED_ON, Unreinforced
from palimpsest.usecases.answers import AnyHit, ArmReport, Hit, space_of

_REMEMBERED: Final = 10_000

_WAITED_SECONDS: Final = 0.6
"""With the boxes of what comes before it a recall stays under three seconds, also while the disk stands still."""

IsRecorded: TypeAlias = Callable[[], bool]
"""Waits for the record; False when it could not be written, or not in time: then it may be there later."""


@dataclass(frozen=True, slots=True)
class Record:
    """Records in one batch of writes: an item a space and, once a minute, the word that there is something to count."""

    recalls: Recalls
    unreinforced: Unreinforced
    executor: Executor
    clock: Clock
    _noted: dict[tuple[SpaceId, KeyId], datetime] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, caller: Caller, answers: Sequence[Answer]) -> IsRecorded:
        """Begin to record what a caller is answered from each space."""
        if not answers:
            return lambda: True
        job = self.executor.submit(self._write, answers, caller.key, self.clock.now())
        return lambda: _is_done(job)

    def _write(self, answers: Sequence[Answer], by: KeyId, now: datetime) -> None:
        fresh = [answer.space for answer in answers if not self._is_noted(answer.space, by, now)]
        notes = [self.unreinforced.note(space, by, now) for space in fresh]
        writes: list[Put] = [*notes, *(self.recalls.record(answer, by, now) for answer in answers)]
        self.recalls.keep(writes)
        if len(self._noted) + len(fresh) > _REMEMBERED:
            self._noted.clear()
        self._noted.update({(space, by): now for space in fresh})

    def _is_noted(self, space: SpaceId, by: KeyId, now: datetime) -> bool:
        noted_at = self._noted.get((space, by))
        return noted_at is not None and now - noted_at < RELIED_ON


def answered(recall: RecallId, space: SpaceId, reports: Sequence[ArmReport], hits: Sequence[AnyHit]) -> Answer:
    """What a recall with these results answers from one of its spaces, where its arms did so."""
    own = [hit for hit in hits if space_of(hit) == space]
    versions = [hit.memory.version for hit in own if isinstance(hit, Hit)]
    return Answer(recall, space, versions, len(own), {report.name: report.state for report in reports})


def _is_done(job: Future[None]) -> bool:
    try:
        job.result(_WAITED_SECONDS)
    except TableError:
        return False
    except TimeoutError:
        job.cancel()  # where the disk stands still, what waits for it must not pile up
        return False
    return True
