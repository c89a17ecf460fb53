"""What a search proposes: entries that may answer, with the features that scores are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple, Self

import numpy as np

from palimpsest.domain import instants, matching, ranking, talk
from palimpsest.domain.matching import Floats, Integers, Passages
from palimpsest.domain.talk import ALONE, Said, Sayings
from palimpsest.ports.embedder import Vector


class Kind(StrEnum):
    """What an entry stands for."""

    MEMORY = "memory"
    CHUNK = "chunk"


class Candidate(NamedTuple):
    """An entry that may answer, with the features that scores are made of.

    Attributes:
        counts: How often each of the search's terms occurs, in the order of those terms.
        vectors: Of its passages, shape (n, dimensions); None while it has none that can be compared.
        dated: Event date, else asserted, in microseconds since 1970; `UNDATED` where it is not known.
    """

    key: str
    kind: Kind
    counts: tuple[int, ...]
    length: int
    vectors: Vector | None
    said: Said = ALONE
    dated: int = instants.UNDATED


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Entries that may answer, likely best first: what a `Candidate` says, column by column.

    Attributes:
        counts: Shape (candidates, terms).
        lengths: Shape (candidates,).
        dated: As of a `Candidate`, shape (candidates,).
        lacking: Why there may be more than these; None when these are all that were asked for.
    """

    keys: Sequence[str]
    kinds: Sequence[Kind]
    counts: Integers
    lengths: Integers
    dated: Integers
    passages: Passages
    sayings: Sayings
    lacking: str | None = None

    @classmethod
    def of(cls, rows: Sequence[Candidate], terms: int, dimensions: int) -> Self:
        """From rows, which are of one search for so many terms."""
        return cls(
            [row.key for row in rows],
            [row.kind for row in rows],
            np.array([row.counts for row in rows], np.int64).reshape(len(rows), terms),
            np.array([row.length for row in rows], np.int64),
            np.array([row.dated for row in rows], np.int64),
            Passages.given([row.vectors for row in rows], dimensions),
            Sayings.of([row.said for row in rows]),
        )

    def take(self, rows: Integers) -> Candidates:
        """Those rows, in that order."""
        return Candidates(
            [self.keys[row] for row in rows],
            [self.kinds[row] for row in rows],
            self.counts[rows],
            self.lengths[rows],
            self.dated[rows],
            self.passages.take(rows),
            self.sayings.take(rows),
        )

    def best(self, scores: Floats, limit: int) -> Candidates:
        """At most so many with the highest scores, equal ones by key; those whose score is NaN are none."""
        return self.take(np.array(ranking.by_score(scores, self.keys)[:limit], np.int64))

    def along(self, vector: Vector, limit: int) -> Candidates:
        """At most so many whose passages reach furthest in a direction, of what has passages."""
        return self.best(self.passages.cosines(vector), limit)

    def without_vectors(self) -> Candidates:
        """The same where nothing can be compared: the vectors are another model's."""
        return replace(self, passages=Passages.none(len(self)))

    def __len__(self) -> int:
        return len(self.keys)


NO_CANDIDATES: Final = Candidates.of((), 0, 0)


def together(given: Sequence[Candidates]) -> Candidates:
    """All of them: each key once, the first that has vectors, with the newest date that any of them knows."""
    held = [candidates for candidates in given if len(candidates)]
    lacking = next((each.lacking for each in given if each.lacking), None)
    if not held:
        return replace(NO_CANDIDATES, lacking=lacking)
    everything = Candidates(
        list(chain.from_iterable(candidates.keys for candidates in held)),
        list(chain.from_iterable(candidates.kinds for candidates in held)),
        np.concatenate([candidates.counts for candidates in held]),
        np.concatenate([candidates.lengths for candidates in held]),
        np.concatenate([candidates.dated for candidates in held]),
        matching.joined([candidates.passages for candidates in held]),
        talk.joined([candidates.sayings for candidates in held]),
        lacking,
    )
    is_unknown = (everything.passages.sizes == 0).tolist()
    rows: dict[str, int] = {}
    dated: dict[str, int] = {}
    for row, (key, date) in enumerate(zip(everything.keys, everything.dated.tolist(), strict=True)):
        first = rows.setdefault(key, row)
        dated[key] = max(date, dated.get(key, instants.UNDATED))
        if is_unknown[first] and not is_unknown[row]:
            rows[key] = row
    found = everything.take(np.array(list(rows.values()), np.int64))
    return replace(found, dated=np.array([dated[key] for key in rows], np.int64), lacking=lacking)
