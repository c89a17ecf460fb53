"""English: places tell who does what; adverbs, times and phrases at either end may move."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from palimpsest.domain.restating.items import Clause, Item
from palimpsest.domain.restating.runs import BOUND, Run


def is_order_kept(items: Sequence[Item], runs: Sequence[Run]) -> bool:
    """All but what may stand at either end (``in production``), or anywhere (``always``), is in order."""
    here = _movable(items, runs)
    there = _movable(items, sorted(runs, key=lambda run: run.there))
    kept = [run for run in runs if run not in here or run not in there]
    return all(first.there < second.there for first, second in pairwise(kept))


def _movable(items: Sequence[Item], runs: Sequence[Run]) -> list[Run]:
    """Runs that say when, where or how: adverbs and times anywhere, the others at either end."""
    free = [run for run in runs if all(item.is_adjunct for item in run.of(items))]
    rest = [run for run in runs if run not in free]
    for ordered in (rest, rest[::-1]):
        for run in ordered:
            head = run.of(items)[0]
            if not head.role or head.role in BOUND or "owner" in head.role:
                break
            free.append(run)
    return free


def is_turned(clauses: tuple[Clause, Clause], runs: Sequence[Run]) -> bool:
    """``Priya is the user's manager`` and the other way round: both sides are one certain thing."""
    one, other = clauses
    if len(runs) != 2 or one.copula != runs[0].length or other.copula != runs[1].length:
        return False
    sides = one.items[: one.copula], one.items[one.copula :]
    return all(_is_certain(side) for side in sides) and not any(item.tense or item.mods for item in one.items)


def _is_certain(items: Sequence[Item]) -> bool:
    head = items[0]
    return not head.role.replace("+owner", "") and (head.is_definite or head.is_capital)
