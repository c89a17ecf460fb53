"""Pieces of a clause that stand in both texts, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.restating.items import Item

BOUND: Final = frozenset({"of", "than", "as", "like_", "niż", "jak"})
"""Roles of what belongs to the word before it."""


@dataclass(frozen=True, slots=True)
class Run:
    """Items that follow one another in both texts."""

    start: int
    length: int
    there: int

    def of(self, items: Sequence[Item]) -> Sequence[Item]:
        """Its items, of those of the first text."""
        return items[self.start : self.start + self.length]


def runs_of(order: Sequence[int]) -> list[Run]:
    """The longest pieces that follow one another in both texts, in the order of the first."""
    runs: list[Run] = []
    for place, there in enumerate(order):
        if runs and runs[-1].there + runs[-1].length == there:
            runs[-1] = Run(runs[-1].start, runs[-1].length + 1, runs[-1].there)
        else:
            runs.append(Run(place, 1, there))
    return runs
