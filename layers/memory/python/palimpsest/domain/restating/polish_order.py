"""Polish: endings tell who does what; where they do not, places do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from palimpsest.domain.restating.items import Clause, Item, Kind
from palimpsest.domain.restating.runs import BOUND, Run
from palimpsest.domain.restating.wordforms import INSTRUMENTAL, Form

_MARKED: Final = (
    "ę", "ą", "owi", "em", "ami", "om", "ach", "ego", "emu", "iej", "ej", "ym", "im", "ych", "ich", "ów", "ie", "i",
)  # fmt: skip
"""Endings of Polish words that can't be who does something, so that it may stand before or behind its verb."""
_VERBAL: Final = frozenset({Form.PAST, Form.PRESENT, Form.IMPERSONAL})
_YOUNG: Final = ("kocię", "imię", "zwierzę", "dziewczę", "szczenię", "pisklę", "niemowlę", "źrebię", "cielę", "jagnię")
"""Nominatives that look like accusatives."""
_ADJECTIVAL: Final = ("ny", "ty", "wy", "ki", "gi", "ły", "ry", "ne", "te", "we", "kie", "gie", "łe", "re", "lty")


def is_turned(clauses: tuple[Clause, Clause], runs: Sequence[Run]) -> bool:
    """``Patrycja jest szefową`` and the other way round: one side alone is in the instrumental."""
    one, other = clauses
    if len(runs) != 2 or one.copula != runs[0].length or other.copula != runs[1].length:
        return False
    sides = one.items[: one.copula], one.items[one.copula :]
    return sum(any(item.text.endswith(INSTRUMENTAL) for item in side) for side in sides) == 1


def is_order_kept(items: Sequence[Item], runs: Sequence[Run]) -> bool:
    """Each two pieces that changed places may, as endings, not places, tell who does what."""
    past = [item.text for item in items if item.form == Form.PAST]
    for number, first in enumerate(runs):
        for second in runs[number + 1 :]:
            if first.there > second.there and not _may_swap(first.of(items), second.of(items), past):
                return False
    return True


def _may_swap(one: Sequence[Item], two: Sequence[Item], past: Sequence[str]) -> bool:
    if _moves(one) or _moves(two):
        return True
    if any(all(item.kind is Kind.VALUE for item in each) for each in (one, two)):
        return False
    if all(any(item.kind is Kind.VALUE for item in each) for each in (one, two)):
        return False
    is_single = len(one) == len(two) == 1 and not (one[0].is_capital and two[0].is_capital)
    if is_single and one[0].text.endswith(_ADJECTIVAL) != two[0].text.endswith(_ADJECTIVAL):
        return True
    return not any(_are_alike(a, b) and not _is_told_apart(a, b, past) for a in one for b in two)


def _moves(run: Sequence[Item]) -> bool:
    return (bool(run[0].role) and run[0].role not in BOUND) or all(item.is_adjunct for item in run)


def _are_alike(one: Item, other: Item) -> bool:
    """Neither a verb, and no ending tells them apart."""
    if one.form in _VERBAL or other.form in _VERBAL:
        return False
    are_names = one.is_capital and other.is_capital
    return are_names or _ending(one).removesuffix("e") == _ending(other).removesuffix("e")


def _is_told_apart(one: Item, other: Item, past: Sequence[str]) -> bool:
    """The only verb in the past goes with one of the two alone: ``kupiła`` with Weronika, not with *bilety*."""
    if len(past) != 1 or (one.is_capital and other.is_capital):
        return False
    return _may_do(one.text, past[0]) != _may_do(other.text, past[0])


def _may_do(noun: str, verb: str) -> bool:
    if verb.endswith("ła"):
        return noun.endswith(("a", "i", "ć", "ść", "w"))
    if verb.endswith(("ły", "li")):
        return noun.endswith(("y", "i", "e", "a"))
    return not noun.endswith(("y", "i", "e", "ę")) if verb.endswith("ł") else True


def _ending(item: Item) -> str:
    if item.text.endswith(_YOUNG):
        return ""
    return next((ending for ending in _MARKED if item.text.endswith(ending)), "")
