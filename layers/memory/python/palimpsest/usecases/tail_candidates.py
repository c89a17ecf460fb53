"""What rows of the change log that the index does not show yet propose, and their figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from palimpsest.domain.ids import RootId
from palimpsest.domain.instants import UNDATED, microseconds
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Candidate, Candidates, Kind, Statistics
from palimpsest.stores.changes import Change, Features
from palimpsest.usecases.candidates import entry_key


def from_tail(changes: Iterable[Change], terms: Sequence[str], vector: Vector | None, model: str) -> Candidates:
    """The changes that can answer, as candidates: at least one term, or a vector of `model` (a digest) to compare."""
    given = [(change, change.features) for change in changes if change.features is not None]
    near = _nearness([features if change.model == model else None for change, features in given], vector)
    asked = frozenset(terms)
    candidates = []
    for (change, features), similarity in zip(given, near, strict=True):
        counted = Counter(filter(asked.__contains__, features.terms))
        if counted or similarity is not None:
            key, counts = entry_key(change.root, change.number), tuple([counted.get(term, 0) for term in terms])
            dated = UNDATED if change.traits is None else microseconds(change.traits.dated_at)
            candidates.append(Candidate(key, Kind.MEMORY, counts, features.length, similarity, dated))
    return Candidates.of(candidates)


def _nearness(features: Sequence[Features | None], vector: Vector | None) -> list[float | None]:
    """Of each the cosine of its nearest passage; None where there is nothing to compare. One product for all."""
    passages = [each.vectors if each is not None and vector is not None else None for each in features]
    found = [each for each in passages if each is not None and len(each)]
    if vector is None or not found:
        return [None] * len(features)
    starts = np.cumsum([0, *(len(each) for each in found[:-1])])
    best = iter(np.maximum.reduceat(np.concatenate(found) @ vector, starts).tolist())
    return [next(best) if each is not None and len(each) else None for each in passages]


def tail_statistics(tail: Mapping[RootId, Change]) -> Statistics:
    """Figures of the tail alone, for when the index can't give the space's."""
    features = [change.features for change in tail.values() if change.features is not None]
    frequencies: Counter[str] = Counter()
    for each in features:
        frequencies.update(set(each.terms))
    mean = sum(each.length for each in features) / len(features) if features else 0.0
    return Statistics(len(features), mean, frequencies)
