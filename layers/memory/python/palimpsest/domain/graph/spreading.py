"""What a way along relations gives: of each hop a share of the score of what led there, so never more than that has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Final

SHARE: Final = 0.3
"""Of the score of what leads somewhere."""

HOPS: Final = 2
"""At most; a third would give .027."""

Onward = Callable[[Sequence[str]], Mapping[str, Collection[str]]]
"""To what each of these keys leads."""


def spread(
    own: Mapping[str, float], leaders: Sequence[str], onward: Onward, *, width: int, most: int
) -> dict[str, float]:
    """The scores that ways from the leaders give, by key: of what has none of its own, and where they are higher.

    Args:
        own: Scores of what was found without a way, 0 to 1.
        leaders: Those of it from which ways begin.
        onward: Asked at most `HOPS` times, and once for a key.
        width: From so many that were reached ways go on, those with the highest scores.
        most: So many that have no score of their own are reached at most.
    """
    ways: dict[str, Collection[str]] = {}
    given: dict[str, float] = {}
    frontier = {leader: own[leader] for leader in leaders}
    for _ in range(HOPS):
        if unknown := [key for key in frontier if key not in ways]:
            ways |= {**dict.fromkeys(unknown, ()), **onward(unknown)}
        reached = _reached(frontier, ways)
        room = most - sum(key not in own for key in given)
        fresh = [key for key in reached if key not in own and key not in given][: max(room, 0)]
        kept = {key: score for key, score in reached.items() if key in own or key in given or key in fresh}
        given |= {key: max(score, given.get(key, 0.0)) for key, score in kept.items()}
        frontier = dict(islice(kept.items(), width))
    return {key: score for key, score in given.items() if score > own.get(key, 0.0)}


def _reached(frontier: Mapping[str, float], ways: Mapping[str, Collection[str]]) -> dict[str, float]:
    """What the next hop gives, the highest scores first."""
    reached: dict[str, float] = {}
    for key, score in frontier.items():
        for other in ways.get(key, ()):
            reached[other] = max(reached.get(other, 0.0), SHARE * score)
    return dict(sorted(reached.items(), key=lambda each: -each[1]))
