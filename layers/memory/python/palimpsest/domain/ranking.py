"""Scores: BM25 from a space's own statistics, arms rescaled to one range, and their weighted sum.

The engines propose candidates; what orders an answer is computed here alone, so that every backend ranks alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from palimpsest.domain.matching import Floats

K1: Final = 1.2
"""How soon more occurrences of a term stop to count (Robertson and Zaragoza 2009, section 3.3)."""

B: Final = 0.75
"""How far a text's length counts: 0 not at all, 1 in full (same source)."""

POOL: Final = 100
"""Candidates of an arm that span its range; 50 to 200 gave the same quality within noise (LoCoMo, 2026-11-29)."""

WEIGHTS: Final[Mapping[str, float]] = {"keyword": 0.6, "vector": 0.4, "entity": 0.1}
"""Each arm's share; keyword and vector fitted on the development part of LoCoMo, 2026-11-29: flat between .5 and .65.

The entity arm's is a guess that moves little: what only names what the query names never passes what answers it.
"""

_FLOORS: Final[Mapping[str, float]] = {"keyword": 0.0, "entity": 0.0}
"""Scores that mean "nothing at all", of the arms that have one; a cosine has none."""


def bm25_all(
    counts: npt.ArrayLike,
    lengths: npt.ArrayLike,
    frequencies: Sequence[int],
    entries: int,
    mean_length: float,
    alternatives: Sequence[Sequence[int]] | None = None,
    weights: Sequence[float] | None = None,
) -> Floats:
    """BM25 of texts against a query (Robertson and Zaragoza 2009; idf as in Lucene, never negative).

    A term adds ``idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / mean_length))`` with
    ``idf = ln(1 + (entries - frequency + 0.5) / (frequency + 0.5))``. Terms that are alternatives of one word, such as
    its stem and its exact form, add what the best of them adds: their sum would count a word twice (R@1 on the
    development part of PoQuAD: .894 in place of .920).

    Args:
        counts: How often each term occurs in each text, shape (texts, terms).
        lengths: The texts' lengths, shape (texts,).
        frequencies: In how many of the space's entries each term occurs.
        entries: How many entries the space has.
        mean_length: Mean of their lengths; at 0.0 every text counts as of mean length.
        alternatives: For each word of the query the positions of its terms; when not given, each term is a word.
        weights: What each term counts beside the others, 0 to 1; when not given, 1.

    Returns:
        One score a text, from 0.0 up, shape (texts,).
    """
    words = np.asarray(lengths, np.float64)
    tf = np.asarray(counts, np.float64).reshape(len(words), len(frequencies))
    norm = K1 * (1 - B + B * (words / mean_length if mean_length > 0 else np.ones(len(words))))
    parts = idf(frequencies, entries) * tf * (K1 + 1) / (tf + norm[:, None])
    if weights is not None:
        parts *= np.asarray(weights)
    scores = np.zeros(len(words))
    for terms in [[term] for term in range(len(frequencies))] if alternatives is None else alternatives:
        scores += parts[:, list(terms)].max(axis=1, initial=0.0)
    return scores


def idf(frequencies: Sequence[int], entries: int) -> Floats:
    """How rare each term is in a space: 0 at the least, for a term that is in every entry of many."""
    found = np.asarray(frequencies, np.float64)
    return np.log1p((np.maximum(entries, found) - found + 0.5) / (found + 0.5))


def min_max(scores: Floats, *, floor: float | None = None, pool: int = POOL) -> Floats:
    """Rescale one arm's scores to [0, 1] over its own best candidates.

    Dense cosines of contrastive models sit in a narrow band (E5: about 0.70 to 0.95), so dividing by the maximum leaves
    nearly equal scores and the arm stops voting; the range, not the level, carries the ranking.

    Args:
        scores: Raw scores of one arm, shape (candidates,); NaN where the arm has none.
        floor: The score that means nothing at all, if the arm has one.
        pool: The range is that of so many of the best; what is below gets 0.0.

    Returns:
        The same shape; best 1.0; the worst, or what is at the floor, or NaN, 0.0. All equal gives 1.0 for each, or 0.0
        at the floor.
    """
    ordered = np.sort(scores[~np.isnan(scores)])[::-1]
    if not len(ordered):
        return np.zeros(len(scores))
    best, lowest = float(ordered[0]), float(ordered[: max(pool, 1)][-1])
    if floor is not None and len(ordered) <= pool:
        lowest = floor
    if best <= lowest:
        return np.asarray((scores >= best) & (scores != floor), np.float64)
    return np.nan_to_num(np.maximum((scores - lowest) / (best - lowest), 0.0))


class Fused(NamedTuple):
    """Scores of candidates from 0 to 1, each of shape (candidates,): whole, and what each arm gave to them."""

    total: Floats
    parts: Mapping[str, Floats]


def fuse(arms: Mapping[str, Floats], weights: Mapping[str, float] = WEIGHTS) -> Fused:
    """The weighted mean of the arms' rescaled scores.

    Args:
        arms: Raw scores by arm, at least one, each of shape (candidates,). NaN is a candidate that the arm lacks; it
            gets nothing from it.
        weights: The arms' shares. An arm that has no scores at all leaves its share to the others.
    """
    parts = {
        arm: min_max(scores, floor=_FLOORS.get(arm))
        for arm, scores in sorted(arms.items())
        if not np.isnan(scores).all()
    }
    share = sum(weights[arm] for arm in parts) or 1.0
    total = np.zeros(len(next(iter(arms.values()))))
    for arm, part in parts.items():
        total += weights[arm] / share * part
    return Fused(total, parts)


def by_score(scores: Floats, keys: Sequence[str]) -> list[int]:
    """The positions, best first; equal scores in the order of the keys, so that an answer never depends on chance.

    What has no score (NaN) is left out.
    """
    having = np.flatnonzero(~np.isnan(scores)).tolist()
    ordered = sorted(zip((-scores[having]).tolist(), (keys[place] for place in having), having, strict=True))
    return [place for _, _, place in ordered]
