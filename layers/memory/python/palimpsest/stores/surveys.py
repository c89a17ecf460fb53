"""What the entries of each space have in common, as it was found when the space had so many of them.

Whoever keeps a survey or forgets one raises the number of the space, and a survey is only kept while the number is what
it was before the entries were looked at. So nothing that was seen before an erasure is written after it, and parts with
one number are of one survey.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Add, Condition, Delete, Equals, Key, Missing, Put, Query, Set, Table, Update
from palimpsest.stores import keys, survey_codec
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.kinds import NOW
from palimpsest.stores.survey_codec import UNKNOWN as UNKNOWN
from palimpsest.stores.survey_codec import Standing as Standing
from palimpsest.stores.survey_codec import Survey as Survey
from palimpsest.stores.walking import walk

_KEPT: Final = 64
"""Spaces that a process keeps in mind."""

_KEPT_BYTES: Final = 20_000_000
"""All of them together; one takes 300 KB, with vectors of 4,096 dimensions 3 MB."""

_KEPT_SECONDS: Final = 60.0
"""It may be older than that without harm: it changes little while a space grows by a quarter."""


@dataclass(frozen=True, slots=True)
class Surveys:
    """Reads and writes them, one a space and model."""

    table: Table
    seconds: Callable[[], float] = time.monotonic
    _known: OrderedDict[tuple[SpaceId, Model], tuple[float, Survey]] = field(
        default_factory=OrderedDict, init=False, compare=False
    )
    _lock: Lock = field(default_factory=Lock, init=False, compare=False)

    def read(self, space: SpaceId, model: Model) -> Survey:
        """What was found, at most a minute old; `UNKNOWN` while the space was not surveyed. Eventually read."""
        with self._lock:
            known = self._known.get((space, model))
        if known is not None and self.seconds() - known[0] < _KEPT_SECONDS:
            return known[1]
        places = [keys.survey_axes(space, model, part) for part in range(survey_codec.most_parts(model.dimensions))]
        stored = self.table.get(places, consistent=False).items
        found = survey_codec.read([Reader(stored[place]) for place in places if place in stored], model.dimensions)
        with self._lock:
            self._known[space, model] = self.seconds(), found
            self._known.move_to_end((space, model))
            while len(self._known) > _KEPT or self._size() > _KEPT_BYTES:
                self._known.popitem(last=False)
        return found

    def standing(self, space: SpaceId, model: Model) -> Standing:
        """What the survey of the space is of. Eventually read."""
        key = keys.survey(space, model)
        stored = self.table.get([key], consistent=False).items.get(key)
        return Standing() if stored is None else survey_codec.standing(Reader(stored))

    def number(self, space: SpaceId) -> int:
        """Of the space, 0 in the beginning; to be read before its entries are looked at."""
        key = keys.survey_number(space)
        stored = self.table.get([key], consistent=False).items.get(key)
        return 0 if stored is None else Reader(stored).integer("number")

    def forget(self, space: SpaceId) -> None:
        """Of every model, and what is being found out now; what follows the change log makes another one."""
        self.table.write(_raised(space))
        found = [
            Key(r.text("pk"), r.text("sk"))
            for kind in keys.SURVEYS
            for stored in walk(self.table, Query(keys.space(space).pk, prefix=kind, consistent=True))
            for r in [Reader(stored)]
        ]
        self.table.write_batch([Delete(key) for key in found])
        with self._lock:
            for known in [known for known in self._known if known[0] == space]:
                del self._known[known]

    def keep(self, space: SpaceId, model: Model, found: Survey, *, made: Standing, number: int) -> bool:
        """In place of the one before, whole or not at all; whether it was.

        Args:
            space: Whose entries were looked at.
            model: Of their vectors.
            found: What they have in common.
            made: What it is of.
            number: Of the space, as it was before anything was looked at; it is another one by now where this is late.
        """
        survey = item(keys.survey(space, model), entries=made.entries, embedded=made.embedded)
        parts = [
            Put({**item(keys.survey_axes(space, model, at), number=number + 1), **told})
            for at, told in enumerate(survey_codec.parts(found))
        ]
        try:
            self.table.transact([_raised(space, _is(number)), Put(survey), *parts])
        except ConditionFailed:
            return False
        with self._lock:
            self._known.pop((space, model), None)
        return True

    def _size(self) -> int:
        return sum(survey.size for _, survey in self._known.values())


def _raised(space: SpaceId, condition: Condition | None = None) -> Update:
    key = keys.survey_number(space)
    return Update(key, (Add("number", 1), Set("_v", NOW.of(key).writes)), condition)


def _is(number: int) -> Condition:
    return Equals("number", number) if number else Missing("number")
