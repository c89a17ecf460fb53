"""What rows of the change log that the index does not show yet propose, and their figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from palimpsest.domain.ids import RootId
from palimpsest.domain.instants import UNDATED, microseconds
from palimpsest.ports.search_index import Candidate, Candidates, Kind, Statistics
from palimpsest.stores.changes import Change
from palimpsest.usecases.candidates import entry_key


def from_tail(changes: Iterable[Change], terms: Sequence[str], model: str, dimensions: int) -> Candidates:
    """The changes that can answer, as candidates: at least one term, or vectors of `model` (a digest) to compare."""
    asked = frozenset(terms)
    rows = []
    for change in changes:
        features = change.features
        if features is None:
            continue
        counted = Counter(filter(asked.__contains__, features.terms))
        vectors = features.vectors if change.model == model and len(features.vectors) else None
        if counted or vectors is not None:
            key, counts = entry_key(change.root, change.number), tuple([counted.get(term, 0) for term in terms])
            dated = UNDATED if change.traits is None else microseconds(change.traits.dated_at)
            rows.append(Candidate(key, Kind.MEMORY, counts, features.length, vectors, features.said, dated))
    return Candidates.of(rows, len(terms), dimensions)


def tail_statistics(tail: Mapping[RootId, Change]) -> Statistics:
    """Figures of the tail alone, for when the index can't give the space's."""
    features = [change.features for change in tail.values() if change.features is not None]
    frequencies: Counter[str] = Counter()
    for each in features:
        frequencies.update(set(each.terms))
    mean = sum(each.length for each in features) / len(features) if features else 0.0
    return Statistics(len(features), mean, frequencies)
