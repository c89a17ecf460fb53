"""What a space believes that is nearest in meaning to a new statement: proposed by index and tail, read in the table.

Only the vector arm is asked. Of the corpus of the judge (`tests/corpora/judge`, multilingual E5 small, 2026-11-30) each
restatement that the rules know was the nearest of all 568 texts, and each likely contradiction among the nearest two:
words find nothing that meaning would miss.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

import numpy as np

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import RootId
from palimpsest.domain.version import Version
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import ASLEEP, NO_CANDIDATES, Candidates, Generation, Search
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.changes import Change
from palimpsest.stores.keys import model_digest
from palimpsest.stores.spaces import Space
from palimpsest.usecases.candidates import parse_entry_key
from palimpsest.usecases.searching import Searching

_POOL = 10
"""Entries that the index gives: some may be outdated."""

_BOX = timedelta(seconds=1)
"""How long an index over a network is waited for."""

_Ref: TypeAlias = tuple[RootId, int]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A current version near to a statement, as the table has it. `similarity`: cosine of the nearest passage."""

    head: Head
    version: Version
    similarity: float


@dataclass(frozen=True, slots=True)
class Around:
    """What is read of a space before there are vectors to compare.

    Attributes:
        generation: Which index answers; None when there is none whose vectors can be compared.
        lately: What was written and may not show in the index yet.
    """

    space: Space
    generation: Generation | None
    lately: Lately


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Finds them. `model`: whose vectors statements have."""

    searching: Searching
    beliefs: Beliefs
    executor: Executor
    model: Model

    def around(self, space: Space) -> Around:
        """What needs no vectors; a save reads it while the embedder works."""
        generation = self._generation()
        tail = self.searching.tail(space, generation).newest
        return Around(space, generation, Lately.of(tail.values(), model_digest(self.model)))

    def __call__(
        self, around: Around, statements: Sequence[Vector], *, least: float, most: int
    ) -> list[list[Neighbour]]:
        """For each statement's vectors, shape (passages, dimensions), the nearest current beliefs, nearest first.

        Args:
            least: Only with a similarity of at least that.
            most: At most so many.
        """
        proposed = self._proposed(around, statements, least)
        best = [sorted(refs.items(), key=lambda each: (-each[1], each[0]))[:most] for refs in proposed]
        refs = list(dict.fromkeys(ref for each in best for ref, _ in each))
        heads, versions = self.beliefs.heads_and_versions(refs) if refs else ({}, {})
        return [
            [
                Neighbour(heads[ref[0]], versions[ref], similarity)
                for ref, similarity in each
                if ref in versions and _is_current(heads[ref[0]], ref, around.space)
            ]
            for each in best
        ]

    def _proposed(self, around: Around, statements: Sequence[Vector], least: float) -> list[dict[_Ref, float]]:
        """By what the tail and the index say; the tail's word on a belief is the last one."""
        waiting = [self._asked(around.generation, around.space, vectors) for vectors in statements]
        lately = around.lately
        deadline = time.perf_counter() + _BOX.total_seconds()
        found = []
        for vectors, asked in zip(statements, waiting, strict=True):
            near = _above(self._answer(asked, deadline), vectors, least)
            settled = {ref: similarity for ref, similarity in near.items() if ref[0] not in lately.roots}
            found.append(settled | lately.above(vectors, least))
        return found

    def _generation(self) -> Generation | None:
        """The generation that answers, if its vectors can be compared."""
        with suppress(IndexUnavailable):
            generation = self.searching.answering()
            return generation if generation.model == self.model else None
        return None

    def _asked(self, generation: Generation | None, space: Space, vectors: Vector) -> Future[Candidates]:
        """The index's answer, on its way where it comes over a network."""
        if generation is None or not len(vectors):
            return _done(lambda: NO_CANDIDATES)
        search = Search(space.id, (), lambda: vectors[0], limit=_POOL)
        begin = self.executor.submit if self.searching.indexes.is_remote else _done
        return begin(lambda: self.searching.open(generation).index.vector(search))

    def _answer(self, asked: Future[Candidates], deadline: float) -> Candidates:
        try:
            return asked.result(timeout=max(0.0, deadline - time.perf_counter()))
        except FutureTimeout:
            asked.cancel()
        except IndexUnavailable as error:
            if error.reason == ASLEEP:
                self.searching.found_asleep()
        return NO_CANDIDATES


@dataclass(frozen=True, slots=True)
class Lately:
    """The passages of what was written lately, and whose they are, row by row. `roots`: all that was touched."""

    roots: Collection[RootId]
    refs: Sequence[_Ref]
    passages: Vector

    @classmethod
    def of(cls, changes: Collection[Change], model: str) -> Lately:
        """Of changes whose vectors are of `model`, a digest."""
        refs: list[_Ref] = []
        passages: list[Vector] = []
        for change in changes:
            if change.features is not None and change.model == model and len(change.features.vectors):
                passages.append(change.features.vectors)
                refs += [(change.root, change.number)] * len(change.features.vectors)
        roots = frozenset(change.root for change in changes)
        return cls(roots, refs, np.concatenate(passages) if passages else np.empty((0, 0), np.float32))

    def above(self, vectors: Vector, least: float) -> dict[_Ref, float]:
        """Those whose nearest passage is at least so near to the first of `vectors`."""
        if not self.refs or not len(vectors):
            return {}
        near = self.passages @ vectors[0]
        found: dict[_Ref, float] = {}
        for row in np.flatnonzero(near >= least).tolist():
            ref = self.refs[row]
            found[ref] = max(found.get(ref, -1.0), float(near[row]))
        return found


def _above(candidates: Candidates, vectors: Vector, least: float) -> dict[_Ref, float]:
    if not len(candidates):
        return {}
    near = zip(candidates.keys, candidates.passages.cosines(vectors[0]).tolist(), strict=True)
    return {parse_entry_key(key): similarity for key, similarity in near if similarity >= least}


def _is_current(head: Head, ref: _Ref, space: Space) -> bool:
    return head.space == space.id and head.state is State.LIVE and head.current == ref[1]


def _done(work: Callable[[], Candidates]) -> Future[Candidates]:
    """The work, done at once in this thread; what it raises is raised to who asks for the result."""
    future: Future[Candidates] = Future()
    try:
        future.set_result(work())
    except IndexUnavailable as error:
        future.set_exception(error)
    return future
