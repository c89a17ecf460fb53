"""The entities around one: what is stated between them, what names both, and the shortest way from one to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from palimpsest.domain.ids import EntityId


@dataclass(frozen=True, slots=True)
class Tie:
    """What ties an entity to one of its neighbours.

    Attributes:
        stated: How many live sources state something between the two.
        shared: How many live sources name both.
    """

    stated: int = 0
    shared: int = 0

    @property
    def rank(self) -> tuple[int, int]:
        """What is stated weighs more than what only stands beside."""
        return self.stated, self.shared


Around = Callable[[Sequence[EntityId]], Mapping[EntityId, Mapping[EntityId, Tie]]]
"""Of each entity its neighbours."""


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity that was reached. `via`: from which one; the entity itself where it began. `hops`: 0 where it began."""

    entity: EntityId
    via: EntityId
    hops: int
    tie: Tie


def spread(start: EntityId, hops: int, around: Around, *, width: int, most: int) -> list[Reached]:
    """The entities within so many hops, the nearest first, of equally near ones those with the strongest tie.

    Args:
        start: Where to begin; it is not among them.
        hops: At least 1.
        around: Asked once a hop.
        width: Of each hop so many are gone on from, those with the strongest ties.
        most: It ends when so many are reached.
    """
    reached = {start: Reached(start, start, 0, Tie())}
    frontier = [start]
    for hop in range(1, hops + 1):
        found: dict[EntityId, Reached] = {}
        for near, neighbours in around(frontier).items():
            for other, tie in neighbours.items():
                known = found.get(other)
                if other not in reached and (known is None or known.tie.rank < tie.rank):
                    found[other] = Reached(other, near, hop, tie)
        best = by_tie(found.values())
        reached |= {each.entity: each for each in best}
        frontier = [each.entity for each in best[:width]]
        if len(reached) > most or not frontier:
            break
    return list(reached.values())[1 : most + 1]


def path(start: EntityId, end: EntityId, hops: int, around: Around, *, width: int) -> list[Reached] | None:
    """The shortest way, with its beginning and its end; None when there is none of so many hops that was seen."""
    if start == end:
        return [Reached(start, start, 0, Tie())]
    found = {each.entity: each for each in spread(start, hops, around, width=width, most=width * width * hops)}
    if end not in found:
        return None
    way = [found[end]]
    while way[-1].via != start:
        way.append(found[way[-1].via])
    return [Reached(start, start, 0, Tie()), *reversed(way)]


def by_tie(reached: Iterable[Reached]) -> list[Reached]:
    """In the order of their ties, the strongest first; equal ones by id."""
    return sorted(reached, key=lambda each: (-each.tie.stated, -each.tie.shared, each.entity))
