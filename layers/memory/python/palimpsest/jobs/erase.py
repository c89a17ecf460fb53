"""Erase a belief or a document for good: take it away wherever it lies, ask each place again, write the receipt.

A pass goes through all places. What it found was taken away, so only a pass that found nothing proves anything; where
stores show writes late it begins a while after the one before. It can be killed anywhere and run twice at once: the
next slice goes on, or finds that another one has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from typing import Final

from palimpsest.domain.erasure import Erasure
from palimpsest.domain.errors import QueueUnavailable
from palimpsest.domain.ids import ErasureId
from palimpsest.jobs.erase_derived import HideDerived
from palimpsest.jobs.erase_entries import IndexPlace
from palimpsest.jobs.erase_places import Part, Place, Subject
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.wiper import Wiper
from palimpsest.ports.work_queue import Job, Work, WorkQueue
from palimpsest.stores.erasures import Erasures
from palimpsest.stores.ledger import Ledger

_WIPED_AGAIN: Final = timedelta(seconds=1)
_STILL_WRITTEN: Final = timedelta(seconds=5)


class _Overtaken(Exception):
    """Another worker goes on with this erasure."""


class _TimeIsUp(Exception):
    """The next slice goes on."""


def _but_for_the_first(seconds_left: SecondsLeft) -> Callable[[], bool]:
    """Whether the time is up; it never is before something was done."""
    asked = count()
    return lambda: next(asked) > 0 and seconds_left() <= 0


@dataclass(frozen=True, slots=True)
class Erase:
    """Erases in slices.

    Attributes:
        beliefs, documents: What is special to erasing one of them.
        settle: How long after a pass the next one may begin, so that it sees what came late.
        queue: Takes the message for the next pass when there is one to wait for.
        ledger: Outlives the table; None where the installation keeps none.
    """

    erasures: Erasures
    beliefs: Subject
    documents: Subject
    derived: HideDerived
    entries: IndexPlace
    wiper: Wiper
    settle: timedelta
    queue: WorkQueue
    clock: Clock
    ledger: Ledger | None = None

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """One slice of the erasure with that id; True when there is more to do at once.

        Raises:
            IndexUnavailable, TableError, BlobsUnavailable: A place does not answer; the message comes again.
        """
        erasure, is_up = self.erasures.read(ErasureId(subject)), _but_for_the_first(seconds_left)
        if self.ledger is not None and erasure is not None and erasure.verified_at is None:
            self.ledger.note(erasure.subject)
        try:
            if erasure is not None and erasure.verified_at is None and self._subject(erasure).is_written(erasure):
                self._rest(erasure, _STILL_WRITTEN)
                return False
            while erasure is not None and erasure.verified_at is None and erasure.resumes_at <= self.clock.now():
                erasure = self._pass(erasure, is_up)
                if erasure.progress.empty < self._wanted():
                    erasure = self._rest(erasure, self.settle)
                elif not (self.entries.wipe() and self.wiper.wipe()):
                    erasure = self._rest(erasure, _WIPED_AGAIN)
                else:
                    self._subject(erasure).end(erasure)
                    return False
        except _TimeIsUp:
            return True
        except _Overtaken:
            pass
        return False

    def _wanted(self) -> int:
        """So many passes in a row have to find nothing: one that is searched may not show everything to the first."""
        return 2 if self.entries.searching.indexes.is_remote else 1

    def _pass(self, erasure: Erasure, is_up: Callable[[], bool]) -> Erasure:
        """Every place, from where the pass stands."""
        if not erasure.progress.place:
            erasure = self._hide_derived(replace(erasure, unasked=()))
        for name, place in self._places(erasure).items():
            if name < erasure.progress.place:
                continue
            if name != erasure.progress.place:
                erasure = replace(erasure, progress=erasure.progress.entering(name))
            erasure = self._gone_through(erasure, place, is_up)
        return self._kept(replace(erasure, progress=erasure.progress.over()))

    def _gone_through(self, erasure: Erasure, place: Place, is_up: Callable[[], bool]) -> Erasure:
        for part in place(erasure, erasure.progress.cursor):
            if is_up():
                self._kept(replace(erasure, progress=erasure.progress.at(part.cursor)))
                raise _TimeIsUp
            counted = self._counted(erasure, part)
            erasure = self._kept(counted) if part.found else counted
            part.take_away()
        return erasure

    def _counted(self, erasure: Erasure, part: Part) -> Erasure:
        """Counted before it is taken away, so that a kill between the two loses no count."""
        at = replace(erasure, progress=erasure.progress.at(part.cursor), unasked=part.unasked or erasure.unasked)
        return at.counting(part.found)

    def _places(self, erasure: Erasure) -> Mapping[str, Place]:
        """By names that sort in the order in which they are gone through."""
        named = self._subject(erasure).by_name()
        return {f"{at} {name}": place for at, (name, place) in enumerate(named.items())}

    def _subject(self, erasure: Erasure) -> Subject:
        return self.beliefs if erasure.document is None else self.documents

    def _hide_derived(self, erasure: Erasure) -> Erasure:
        hidden = self.derived(erasure)
        return self._kept(replace(erasure, hidden={**erasure.hidden, **hidden})) if hidden else erasure

    def _rest(self, erasure: Erasure, pause: timedelta) -> Erasure:
        """Before the next pass; a message brings it where that is a while."""
        if not pause:
            return erasure
        resting = self._kept(replace(erasure, resumes_at=self.clock.now() + pause))
        with suppress(QueueUnavailable):
            self.queue.send(Work(Job.ERASE, erasure.id), after=pause)
        return resting

    def _kept(self, erasure: Erasure) -> Erasure:
        moved = self.erasures.move(erasure)
        if moved is None:
            raise _Overtaken
        return moved
