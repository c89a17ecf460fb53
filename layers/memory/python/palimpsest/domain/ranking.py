"""BM25 from a space's own statistics, and the order of scores.

The engines propose candidates; what orders an answer is computed here alone, so that every backend ranks alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from palimpsest.domain.matching import Floats

K1: Final = 1.2
"""How soon more occurrences of a term stop to count (Robertson and Zaragoza 2009, section 3.3)."""

B: Final = 0.75
"""How far a text's length counts: 0 not at all, 1 in full (same source)."""

_DECIMALS: Final = 6
"""Of a score that orders: sums over other pools differ behind them."""


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
        counts: How often each term occurs in each text, shape (texts, terms); fractions are neighbours' terms.
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


def by_score(scores: Floats, keys: Sequence[str]) -> list[int]:
    """The positions, best first; equal scores in the order of the keys, so that an answer never depends on chance.

    What has no score (NaN) is left out.
    """
    having = np.flatnonzero(~np.isnan(scores)).tolist()
    rounded = np.round(scores[having], _DECIMALS)
    ordered = sorted(zip((-rounded).tolist(), (keys[place] for place in having), having, strict=True))
    return [place for _, _, place in ordered]
