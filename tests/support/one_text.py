"""The score of one text, where the product scores many at once."""

from __future__ import annotations

from collections.abc import Sequence

from palimpsest.domain import ranking


def bm25(
    counts: Sequence[int],
    length: int,
    frequencies: Sequence[int],
    entries: int,
    mean_length: float,
    alternatives: Sequence[Sequence[int]] | None = None,
) -> float:
    """What `ranking.bm25_all` gives it."""
    return float(ranking.bm25_all([counts], [length], frequencies, entries, mean_length, alternatives)[0])
