"""What the entries of each space have in common, as it was found when the space had so many of them."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
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

_PART_BYTES: Final = 300_000
"""Of an item, which holds 400 KB; the axes of 384 numbers take half of it, those of 4,096 six."""

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
        found = self._found(space, model)
        with self._lock:
            self._known[space, model] = self.seconds(), found
            self._known.move_to_end((space, model))
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    def _found(self, space: SpaceId, model: Model) -> Survey:
        key = keys.survey_axes(space, model)
        stored = self.table.get([key], consistent=False).items.get(key)
        if stored is None:
            return UNKNOWN
        first = Reader(stored)
        count = first.optional("parts", first.integer) or 1
        further = [keys.survey_axes(space, model, part) for part in range(1, count)]
        others = self.table.get(further, consistent=False).items if further else {}
        parts = [first, *(Reader(others[place]) for place in further if place in others)]
        is_whole = len(parts) == count and len({part.item.get("seal") for part in parts}) == 1
        return _read(parts, model.dimensions) if is_whole else UNKNOWN

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
        further: list[Put] = []
        if found.whitening is not None:
            axes = _packed(found.whitening.axes.reshape(-1))
            parts = [axes[at : at + _PART_BYTES] for at in range(0, len(axes), _PART_BYTES)]
            told = {"mean": _packed(found.whitening.mean), "axes": parts[0], "count": found.whitening.count}
            if len(parts) > 1:  # with a seal, so that nobody reads parts of two surveys as one
                seal = hashlib.blake2b(axes, digest_size=16).digest()
                told |= {"parts": len(parts), "seal": seal}
                for number, part in enumerate(parts[1:], start=1):
                    further.append(Put(item(keys.survey_axes(space, model, number), axes=part, seal=seal)))
        kept = item(keys.survey_axes(space, model), speakers=list(found.speakers)) | told
        self.table.write_batch([*further, Put(kept), Put(item(keys.survey(space, model), entries=entries))])
        with self._lock:
            self._known.pop((space, model), None)


def _packed(numbers: Vectors) -> bytes:
    return numbers.astype("<f2").tobytes()


def _read(parts: Sequence[Reader], dimensions: int) -> Survey:
    first = parts[0]
    speakers = first.texts("speakers")
    if "axes" not in first.item:
        return Survey(None, speakers)
    mean, axes = _unpacked(first.bytes("mean")), _unpacked(b"".join(part.bytes("axes") for part in parts))
    return Survey(Whitening(mean, axes.reshape(dimensions, -1), first.integer("count")), speakers)


def _unpacked(packed: bytes) -> Vectors:
    return np.frombuffer(packed, "<f2").astype(np.float32)
