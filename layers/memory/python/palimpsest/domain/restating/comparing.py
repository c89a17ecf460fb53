"""Whether two texts say the same."""

from __future__ import annotations

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.restating import ordering
from palimpsest.domain.restating.items import Item, Reading
from palimpsest.domain.restating.matching import Likeness
from palimpsest.domain.restating.tellings import Telling, common_language


def restates(one: Telling, other: Telling) -> bool:
    """Whether each says all that the other says and no more: in other words, another order, or another notation.

    Sure of what it affirms, not of what it denies: many a restatement is not seen. Symmetric.
    """
    if one.form == other.form:
        return True
    if one.is_long or other.is_long or not one.is_like(other):
        return False
    one, other = sorted((one, other), key=lambda telling: telling.text)
    language = common_language(one, other)
    if language is None:
        return False
    first, second = one.read(language), other.read(language)
    if len(first.items) != len(second.items):
        return False
    matched = Likeness.of(first, second).matched()
    is_same = bool(matched.pairs) and matched.is_whole and not _is_one_letter(first, second, matched.pairs)
    return is_same and ordering.is_kept(first, second, matched.pairs)


def _is_one_letter(one: Reading, other: Reading, pairs: dict[int, int]) -> bool:
    """The letters of a single word alone are other ones: *sąd* and *sad*, not a text typed without Polish letters."""
    if one.language is not Language.POLISH:
        return False
    mine, theirs = one.items, other.items
    folded = [mine[place] for place, there in pairs.items() if _is_only_folded(mine[place], theirs[there])]
    return len(folded) == 1 and not folded[0].is_capital


def _is_only_folded(one: Item, other: Item) -> bool:
    return one.key != other.key and fold(one.key) == fold(other.key)
