"""How good a ranking is, from the ids that it gives, best first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np


def fraction(gold: Collection[str], ranked: Sequence[str], k: int) -> float:
    """The share of the gold ids that are among the first k; ValueError without gold."""
    if not gold:
        raise ValueError("nothing to find")
    return len(set(gold) & set(ranked[:k])) / len(set(gold))


def any_hit(gold: Collection[str], ranked: Sequence[str], k: int) -> float:
    """1.0 when at least one gold id is among the first k, else 0.0."""
    return float(fraction(gold, ranked, k) > 0)


def groups(ranked: Iterable[str]) -> list[str]:
    """The groups of ranked members, in the order of the best member of each."""
    return list(dict.fromkeys(ranked))


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The probability that a positive value is above a negative one, ties counted half; ValueError without either."""
    if not positive or not negative:
        raise ValueError("both kinds are needed")
    ours, others = np.array(positive)[:, None], np.array(negative)[None]
    return float(np.mean((np.sign(ours - others) + 1) / 2))


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; ValueError for none."""
    if not values:
        raise ValueError("no values")
    return sum(values) / len(values)
