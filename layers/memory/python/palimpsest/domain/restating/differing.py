"""Whether a number, a name, a date or a negation stands on one side only: what no model may overlook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final

from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.items import Item, Kind
from palimpsest.domain.restating.matching import Likeness, Matched
from palimpsest.domain.restating.opposing import are_opposites
from palimpsest.domain.restating.tellings import Telling, common_language
from palimpsest.domain.restating.wordlists import words

_COUNTED: Final = frozenset(
    {
        *("not", "no", "no longer", "not yet", "neither", "nor", "none", "forbidden", "allowed", "only"),
        *("all", "any", "some", "both", "half", "other", "another", "most", "least", "more", "less"),
        *("at least", "at most", "more than", "less than", "must", "can", "should", "may", "might", "used to"),
    }
)
"""Modifiers that deny, limit or count: the same of them have to stand on both sides, with the same words."""

_EXCEPTING: Final = words("bez except oprócz poza instead zamiast")
_DENYING: Final = words(
    "never nigdy nobody nikt nothing nic nowhere nigdzie stop stops stopped stopping quit quits quitting przestał"
    " przestała przestali przestały przestaje rzucił rzuciła rzucili"
)


def differs(one: Telling, other: Telling) -> bool:
    """Whether the two are set apart by a number, a name, a date or a negation, or rules can't tell.

    Careful where `restates` is strict: it lets texts pass that are worded or ordered otherwise. Taken for different is
    also what can't be compared (long texts, texts in two languages), one word in the place of another, which may be the
    name of something else, and what says more on one side alone. Symmetric.
    """
    if restates(one, other):
        return False
    language = common_language(one, other)
    if language is None or one.is_long or other.is_long:
        return True
    one, other = sorted((one, other), key=lambda telling: telling.text)
    first, second = one.read(language), other.read(language)
    matched = Likeness.of(first, second, is_loose=True).matched()
    left = [first.items[place] for place in matched.left]
    right = [second.items[place] for place in matched.right]
    return (
        _is_exchange_or_addition(left, right)
        or any(map(_is_telling, (*left, *right)))
        or any(are_opposites(mine, theirs) for mine in left for theirs in right)
        or _counted(first.items) != _counted(second.items)
        or _are_turned(first.items, second.items, matched)
    )


def _is_exchange_or_addition(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """One word stands in the place of another, or one text says more."""
    return len(left) == len(right) == 1 or bool(left) != bool(right)


def _counted(items: Sequence[Item]) -> Counter[str]:
    return Counter(chain.from_iterable(map(_words_that_count, items)))


def _words_that_count(item: Item) -> frozenset[str]:
    """What denies, limits or counts, in an item and around it."""
    return (_COUNTED & set(item.mods)) | (_EXCEPTING & {item.role}) | (_DENYING & {item.text})


def _is_telling(item: Item) -> bool:
    """What stands on one side only is a number, a date, a name, or may be a name."""
    return item.kind in (Kind.VALUE, Kind.NAME, Kind.MARK) or item.is_capital or any(map(str.isdigit, item.text))


def _are_turned(mine: Sequence[Item], theirs: Sequence[Item], matched: Matched) -> bool:
    """Something else is denied; or names, or numbers, come in another order: who owes whom, three of this."""
    pairs = sorted(matched.pairs.items())
    if any(_words_that_count(mine[place]) != _words_that_count(theirs[there]) for place, there in pairs):
        return True
    telling = [(place, there) for place, there in pairs if _is_telling(mine[place])]
    groups = [[there for place, there in telling if (mine[place].kind is Kind.VALUE) is kind] for kind in (True, False)]
    if any(_words_that_count(mine[place]) for place, _ in pairs):
        groups.append([there for _, there in pairs])  # what is denied depends on where it stands
    return any(before > after for group in groups for before, after in pairwise(group))
