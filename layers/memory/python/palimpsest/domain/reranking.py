"""What a second look makes of scores: it is mixed in, never put in their place; what it did not see stays below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

TOP: Final = 20
"""So many of the best are looked at again."""


def mixed(scores: Sequence[float], seen: Sequence[float]) -> list[float]:
    """The means of what each had and what the second look says.

    A reranker by itself loses what it can't see: who speaks, which time is asked for, what age and marks say.

    Args:
        scores: 0 to 1.
        seen: The same for the second look, in the same order.
    """
    return [(score + look) / 2 for score, look in zip(scores, seen, strict=True)]


def capped(score: float, least: float) -> float:
    """The score of what was not looked at again: at most the least of those that were."""
    return min(score, least)


def by_rank(places: Sequence[int]) -> list[float]:
    """Scores of what stands at these places, from 0, of an order: equal steps from 1 down to above 0."""
    return [1 - place / len(places) for place in places]
