"""What the entries of each space have in common, as it was found when the space had so many of them."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import numpy as np

from palimpsest.domain.ids import SpaceId
from palimpsest.domain.matching import Vectors
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Delete, Key, Put, Query, Table, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.walking import walk

_KEPT: Final = 64
"""Spaces that a process keeps in mind, 300 KB each."""

_KEPT_SECONDS: Final = 60.0
"""It may be older than that without harm: it changes little while a space grows by a quarter."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a space's entries have in common.

    Attributes:
        whitening: Of their vectors; None where these are too few or all the same.
        speakers: Who speaks in them, folded, the most frequent first.
    """

    whitening: Whitening | None = None
    speakers: tuple[str, ...] = ()


UNKNOWN: Final = Survey()


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
        key = keys.survey_axes(space, model)
        stored = self.table.get([key], consistent=False).items.get(key)
        found = UNKNOWN if stored is None else _read(Reader(stored), model.dimensions)
        with self._lock:
            self._known[space, model] = self.seconds(), found
            self._known.move_to_end((space, model))
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    def entries(self, space: SpaceId, model: Model) -> int:
        """How many entries the space had when it was surveyed; 0 while it was not."""
        key = keys.survey(space, model)
        stored = self.table.get([key], consistent=False).items.get(key)
        return 0 if stored is None else Reader(stored).integer("entries")

    def forget(self, space: SpaceId) -> None:
        """Of every model; what follows the change log makes another one."""
        found = [
            Key(r.text("pk"), r.text("sk"))
            for kind in keys.SURVEYS
            for stored in walk(self.table, Query(keys.space(space).pk, prefix=kind))
            for r in [Reader(stored)]
        ]
        self.table.write_batch([Delete(key) for key in found])
        with self._lock:
            for known in [known for known in self._known if known[0] == space]:
                del self._known[known]

    def keep(self, space: SpaceId, model: Model, found: Survey, entries: int) -> None:
        """In place of the one before."""
        told: dict[str, Value] = {}
        if found.whitening is not None:
            mean, axes = found.whitening.mean, found.whitening.axes.reshape(-1)
            told = {"mean": _packed(mean), "axes": _packed(axes), "count": found.whitening.count}
        kept = item(keys.survey_axes(space, model), speakers=list(found.speakers)) | told
        self.table.write_batch([Put(kept), Put(item(keys.survey(space, model), entries=entries))])
        with self._lock:
            self._known.pop((space, model), None)


def _packed(numbers: Vectors) -> bytes:
    return numbers.astype("<f2").tobytes()


def _read(r: Reader, dimensions: int) -> Survey:
    speakers = r.texts("speakers")
    if "axes" not in r.item:
        return Survey(None, speakers)
    mean, axes = (np.frombuffer(r.bytes(name), "<f2").astype(np.float32) for name in ("mean", "axes"))
    return Survey(Whitening(mean, axes.reshape(dimensions, -1), r.integer("count")), speakers)
