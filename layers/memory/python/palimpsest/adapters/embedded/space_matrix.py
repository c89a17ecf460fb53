"""The spaces of the indexes that are in memory, each brought up to date from its file before it is searched."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import replace
from typing import Final

import numpy as np

from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.growing import Growing
from palimpsest.adapters.embedded.index_reads import Slice, SpaceState
from palimpsest.adapters.embedded.sketches import Sketches
from palimpsest.adapters.embedded.snapshot import Mask, Snapshot, quantised

CACHE_BYTES: Final = 192 * 1024 * 1024
"""About 450,000 vectors of 384 numbers."""

_READ_AT_ONCE = 2_048


class SpaceMatrix:
    """One space. Any number of threads may ask.

    New entries are put behind the old ones, and those that are gone are marked, so a search in another thread goes on
    over the snapshot that it holds.
    """

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._lock = threading.Lock()
        self._columns = _Columns(dimensions, 0)
        self._snapshot: Snapshot | None = None

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        snapshot = self._snapshot
        masks = (len(snapshot.known) + len(snapshot.passed)) * len(snapshot.ids) if snapshot else 0
        return self._columns.nbytes + masks

    def at(self, connection: sqlite3.Connection, state: SpaceState) -> Snapshot:
        """The space in `state`, which was read in the connection's transaction, or in a later one."""
        snapshot = self._snapshot
        if snapshot is not None and snapshot.changes >= state.changes:
            return snapshot
        with self._lock:
            snapshot = self._snapshot
            if snapshot is None or snapshot.changes < state.changes:
                self._snapshot = None  # when reading fails in the middle, the next search begins anew
                snapshot = self._snapshot = self._read(connection, state, snapshot)
            return snapshot

    def _read(self, connection: sqlite3.Connection, state: SpaceState, old: Snapshot | None) -> Snapshot:
        first, last = index_reads.removals_known(connection)
        if old is None or first > old.removal + 1 or old.is_mostly_gone:
            old = None
            room = index_reads.facets(connection, state.id).entries
            self._columns = _Columns(self._dimensions, room)
        after = old.last if old else 0
        while new := index_reads.entries_after(connection, state.id, after, _READ_AT_ONCE):
            self._columns.add(new)
            after = int(new.ids[-1])
        snapshot = self._columns.snapshot(state.changes, last)
        if old is None:
            return snapshot
        snapshot.alive[: len(old.alive)] = old.alive
        snapshot.alive[snapshot.positions(index_reads.removed_after(connection, state.id, old.removal))] = False
        return replace(snapshot, known=old.known)


class _Columns:
    """The arrays behind the snapshots of one space."""

    def __init__(self, dimensions: int, room: int) -> None:
        self._dimensions = dimensions
        self._ids = Growing(np.int64, room=room)
        self._facets = Growing(np.int32, room=room)
        self._dated = Growing(np.int64, room=room)
        self._lengths = Growing(np.int32, room=room)
        self._owners = Growing(np.int32, room=room)
        self._codes = Growing(np.int8, dimensions, room=room)
        self._scales = Growing(np.float32, room=room)
        self._sketches = Sketches()
        self._has_passages = False

    @property
    def nbytes(self) -> int:
        columns = (self._ids, self._facets, self._dated, self._lengths, self._owners, self._codes, self._scales)
        return sum(column.nbytes for column in columns) + self._sketches.nbytes

    def add(self, new: Slice) -> None:
        """Put entries behind those that are there."""
        vectors = np.frombuffer(new.vectors, "<f2").reshape(-1, self._dimensions).astype(np.float32)
        codes, scales = quantised(vectors)
        positions = len(self._ids.view()) + np.arange(len(new.ids))
        self._ids.add(new.ids)
        self._facets.add(new.facets)
        self._dated.add(new.dated)
        self._lengths.add(new.lengths)
        self._owners.add(np.repeat(positions, new.passages))
        self._codes.add(codes)
        self._scales.add(scales)
        self._has_passages |= bool((new.passages > 1).any())

    def snapshot(self, changes: int, removal: int) -> Snapshot:
        """Everything so far, with a mask of its own."""
        alive: Mask = np.ones(len(self._ids.view()), np.bool_)
        return Snapshot(
            changes=changes,
            removal=removal,
            ids=self._ids.view(),
            facets=self._facets.view(),
            dated=self._dated.view(),
            lengths=self._lengths.view(),
            alive=alive,
            owners=self._owners.view(),
            codes=self._codes.view(),
            scales=self._scales.view(),
            sketched=self._sketches.sketched(self._codes.view(), self._scales.view()),
            has_passages=self._has_passages,
        )


class MatrixCache:
    """The spaces that were searched last, as many as fit; one that is larger than the room has it alone.

    A space is known by its file and its number in that file.
    """

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._lock = threading.Lock()
        self._matrices: OrderedDict[tuple[Hashable, int], SpaceMatrix] = OrderedDict()
        self._sizes: dict[tuple[Hashable, int], int] = {}
        self._total = 0

    @property
    def nbytes(self) -> int:
        """Memory that all of them take."""
        return self._total

    def get(self, file: Hashable, space: int, dimensions: int) -> SpaceMatrix:
        """The matrix of a space, made if need be, now the last one used."""
        with self._lock:
            matrix = self._matrices.setdefault((file, space), SpaceMatrix(dimensions))
            self._matrices.move_to_end((file, space))
            return matrix

    def weigh(self, file: Hashable, space: int) -> None:
        """Take note of a space's size, and let go of those that were not used for longest until the rest fits."""
        with self._lock:
            matrix = self._matrices.get((file, space))
            if matrix is None:
                return
            size = matrix.nbytes
            self._total += size - self._sizes.get((file, space), 0)
            self._sizes[file, space] = size
            while self._total > self._limit_bytes and len(self._matrices) > 1:
                self._drop(next(iter(self._matrices)))

    def forget(self, file: Hashable) -> None:
        """Let go of all spaces of a file."""
        with self._lock:
            for key in [key for key in self._matrices if key[0] == file]:
                self._drop(key)

    def _drop(self, key: tuple[Hashable, int]) -> None:
        del self._matrices[key]
        self._total -= self._sizes.pop(key, 0)
