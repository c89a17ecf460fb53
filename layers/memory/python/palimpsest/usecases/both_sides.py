"""Pairs of versions as they are shown side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from palimpsest.domain.belief import Memory
from palimpsest.domain.ids import VersionRef
from palimpsest.stores.spaces import Space
from palimpsest.usecases.steps import Steps, memory

Pair: TypeAlias = tuple[VersionRef, VersionRef]


def both_sides(steps: Steps, space: Space, pairs: Sequence[Pair]) -> list[tuple[Memory, Memory] | None]:
    """Both versions of each pair in full, the current one where none is named; None where one is gone or hidden."""
    heads = steps.beliefs.heads(sorted({ref.root for pair in pairs for ref in pair}))
    wanted = [
        [(ref.root, ref.number or heads[ref.root].current) for ref in pair if ref.root in heads] for pair in pairs
    ]
    places = {place for pair in wanted for root, number in pair for place in ((root, number), (root, number + 1))}
    versions = steps.beliefs.versions(sorted(places)) if places else {}
    hidden = steps.sources.hidden(versions.values())
    shown: list[tuple[Memory, Memory] | None] = []
    for pair in wanted:
        sides = [
            memory(space, heads[root], versions[root, number], versions.get((root, number + 1)))
            for root, number in pair
            if (root, number) in versions and versions[root, number].ref not in hidden
        ]
        both = steps.told(sides)
        shown.append((both[0], both[1]) if len(both) > 1 else None)
    return shown
