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
        lengths: Words of each, 0 where they are not known; shape (candidates,).
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
    """All of them, each key once.

    With the words and the place of the first that knows them, the vectors of the first that has any, the newest date.
    """
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
    said, seen, dated = _firsts(everything)
    found = everything.take(said)
    passages = found.passages if said is seen else everything.passages.take(seen)
    return replace(found, passages=passages, dated=dated, lacking=lacking)


def _firsts(everything: Candidates) -> tuple[Integers, Integers, Integers]:
    """For each key the first row with its words, and with vectors, and its newest date; the same rows if they agree."""
    has_words, has_vectors = (everything.lengths > 0).tolist(), (everything.passages.sizes > 0).tolist()
    said: dict[str, int] = {}
    seen: dict[str, int] = {}
    dated: dict[str, int] = {}
    for row, (key, date) in enumerate(zip(everything.keys, everything.dated.tolist(), strict=True)):
        if key not in said:
            said[key] = seen[key] = row
            dated[key] = date
            continue
        dated[key] = max(date, dated[key])
        if has_words[row] and not has_words[said[key]]:
            said[key] = row
        if has_vectors[row] and not has_vectors[seen[key]]:
            seen[key] = row
    rows, times = np.array(list(said.values()), np.int64), np.array(list(dated.values()), np.int64)
    return rows, rows if said == seen else np.array(list(seen.values()), np.int64), times
