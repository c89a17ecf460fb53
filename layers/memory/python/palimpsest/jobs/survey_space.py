"""Find out what the entries of a space have in common, when nobody did or it has grown since."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, TypeAlias

from palimpsest.domain.ids import SpaceId
from palimpsest.domain.whitening import FEWEST, SAMPLE, Whitening
from palimpsest.ports.search_index import Candidates
from palimpsest.stores.surveys import Standing, Survey, Surveys
from palimpsest.usecases.searching import Opened

_ENOUGH: Final = 16
"""Entries; with fewer the candidates of a recall are most of the space, and tell the same."""
_GROWTH: Final = 1.25
"""Surveyed at the half of a space, R@5 loses .012 of .779; at four fifths .002 (LoCoMo)."""
_SPEAKERS: Final = 20
_LOOKED_AGAIN: Final = 100
_LOOKED_SOON: Final = 10
"""Calls after which a remote index is asked for the number of its entries again: once a space is surveyed, and while it
is not or many of its entries wait for their vectors."""
_REMEMBERED: Final = 10_000

_Known: TypeAlias = tuple[str, SpaceId]


@dataclass(slots=True)
class SurveySpace:
    """Surveys spaces. Whoever puts entries into an index calls it afterwards; it costs little when none is due."""

    surveys: Surveys
    _calls: OrderedDict[_Known, tuple[int, bool]] = field(default_factory=OrderedDict, init=False)
    """How many there were since something of the space was erased, and whether it was surveyed at the last one."""
    _lock: Lock = field(default_factory=Lock, init=False)

    def __call__(self, opened: Opened, space: SpaceId, *, is_remote: bool) -> bool:
        """Survey the space if it is due; whether it was.

        It is when it has grown by a quarter since, or those of its entries that have vectors have.

        Raises:
            IndexUnavailable, TableError: Something does not answer; another call does it.
        """
        model = opened.generation.model
        before = self.surveys.standing(space, model)
        is_whole = 0 < before.entries < _GROWTH * before.embedded
        calls = self._called((opened.generation.id, space), before)
        if is_remote and calls % (_LOOKED_AGAIN if is_whole else _LOOKED_SOON):
            return False
        entries = opened.index.statistics(space, ()).entries
        is_grown = entries >= max(_ENOUGH, _GROWTH * before.entries)
        if not is_grown and (not before.entries or entries < _GROWTH * before.embedded):
            return False
        number, some = self.surveys.number(space), opened.index.sample(space, SAMPLE)
        now = Standing(entries, _embedded(some, entries))
        if not is_grown and now.embedded < max(FEWEST, _GROWTH * before.embedded):
            return False
        return self.surveys.keep(space, model, _found(some), made=now, number=number)

    def _called(self, known: _Known, before: Standing) -> int:
        """How often it was called before, since a survey of the space was forgotten."""
        is_surveyed = before.entries > 0
        with self._lock:
            calls, was_surveyed = self._calls.pop(known, (0, False))
            calls = 0 if was_surveyed and not is_surveyed else calls
            self._calls[known] = calls + 1, is_surveyed
            while len(self._calls) > _REMEMBERED:
                self._calls.popitem(last=False)
        return calls


def _embedded(some: Candidates, entries: int) -> int:
    """How many of the entries have vectors, if they are like the sample."""
    return round(entries * int((some.passages.sizes > 0).sum()) / max(1, len(some)))


def _found(some: Candidates) -> Survey:
    said = zip(some.sayings.speakers, some.sayings.talks.tolist(), strict=True)
    spoken = Counter(speaker for speaker, talk in said if speaker and talk)
    speakers = [speaker for speaker, count in spoken.most_common(_SPEAKERS) if count > 1]
    return Survey(Whitening.learn(some.passages.vectors), tuple(speakers))
