"""Whether items that are all there in both texts also stand to each other in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating import english_order, polish_order
from palimpsest.domain.restating.items import Item, Reading
from palimpsest.domain.restating.runs import runs_of
from palimpsest.domain.restating.wordlists import words

_IN_TURN: Final = words("first then later finally after before najpierw potem później wreszcie")


def is_kept(one: Reading, other: Reading, pairs: dict[int, int]) -> bool:
    """Whether the order of one text, given which item is which of the other, means what the other's order means."""
    parts = _parts(one, other, pairs)
    if parts is not None and all(_is_part_kept(part, one, other, pairs) for part in parts):
        return True
    return len(one.clauses) == len(other.clauses) == 2 and _is_retold(one, other, pairs)


@dataclass(frozen=True, slots=True)
class Part:
    """Clauses of both texts that share their items, by place."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]


def _parts(one: Reading, other: Reading, pairs: dict[int, int]) -> list[Part] | None:
    """The clauses that go together, in order; None when they do not follow one another as they have to."""
    my_clause, their_clause = _clause_of(one), _clause_of(other)
    parts: list[tuple[set[int], set[int]]] = []
    for mine, theirs in sorted({(my_clause[place], their_clause[there]) for place, there in pairs.items()}):
        touched = [part for part in parts if mine in part[0] or theirs in part[1]]
        merged = ({mine}.union(*(part[0] for part in touched)), {theirs}.union(*(part[1] for part in touched)))
        parts = [part for part in parts if part not in touched] + [merged]
    ordered = [
        Part(tuple(sorted(mine)), tuple(sorted(theirs))) for mine, theirs in sorted(parts, key=lambda p: min(p[0]))
    ]
    if not all(_follow(first, second, one, other) for first, second in pairwise(ordered)):
        return None
    return ordered if all(_reasons(part.mine, one) == _reasons(part.theirs, other) for part in ordered) else None


def _follow(first: Part, second: Part, one: Reading, other: Reading) -> bool:
    if first.theirs < second.theirs:
        return True
    return bool(_reasons(first.mine, one) != _reasons(second.mine, one)) and len(one.clauses) == 2


def _is_retold(one: Reading, other: Reading, pairs: dict[int, int]) -> bool:
    """``She is tall and runs fast``, ``she runs fast and is tall``: two things said of one subject, in either order."""
    topic = _topic(one, other, pairs)
    if not topic or any(item.tense or item.text in _IN_TURN for item in one.items):
        return False
    mine, theirs = _clause_of(one), _clause_of(other)
    said = [(mine[place], theirs[there]) for place, there in pairs.items() if place >= topic]
    if set(said) != {(0, 1), (1, 0)} or _owes(said) or one.clauses[0].reason != other.clauses[1].reason:
        return False
    told = [[pairs[place] for place in sorted(pairs) if place >= topic and mine[place] == clause] for clause in (0, 1)]
    return one.clauses[1].reason == other.clauses[0].reason and all(each == sorted(each) for each in told)


def _topic(one: Reading, other: Reading, pairs: dict[int, int]) -> int:
    """How many items both begin with."""
    topic = 0
    while pairs.get(topic) == topic and "+" not in one.items[topic].role.replace("+owner", ""):
        if one.items[topic].is_adjunct or one.items[topic].role not in ("", "+owner"):
            break
        topic += 1
    return topic


def _owes(said: Sequence[tuple[int, int]]) -> bool:
    """One of the two is a single word, which can't be told of anything."""
    return any(sum(mine == clause for mine, _ in said) < 2 for clause in (0, 1))


def _reasons(places: Sequence[int], reading: Reading) -> list[str]:
    return [reading.clauses[place].reason for place in places if reading.clauses[place].reason]


def _clause_of(reading: Reading) -> list[int]:
    return [number for number, clause in enumerate(reading.clauses) for _ in clause.items]


def _is_part_kept(part: Part, one: Reading, other: Reading, pairs: dict[int, int]) -> bool:
    mine, theirs = _places(part.mine, one), _places(part.theirs, other)
    order = [theirs.index(pairs[place]) for place in mine]
    if order == sorted(order):
        return True
    if len(part.mine) > 1 or len(part.theirs) > 1:
        return False
    my_items = [_as_in_both(one.items[place], other.items[pairs[place]]) for place in mine]
    runs = runs_of(order)
    clauses = one.clauses[part.mine[0]], other.clauses[part.theirs[0]]
    if one.language is Language.POLISH:
        return polish_order.is_order_kept(my_items, runs) or polish_order.is_turned(clauses, runs)
    return english_order.is_order_kept(my_items, runs) or english_order.is_turned(clauses, runs)


def _as_in_both(one: Item, other: Item) -> Item:
    """A capital letter counts where both have it: else it is that of the first word."""
    return replace(one, is_capital=one.is_capital and other.is_capital)


def _places(clauses: Sequence[int], reading: Reading) -> list[int]:
    numbers = _clause_of(reading)
    return [place for place, number in enumerate(numbers) if number in clauses]
