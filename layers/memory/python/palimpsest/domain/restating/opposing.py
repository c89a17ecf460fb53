"""Whether two texts are likely to exclude each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.items import Item, Kind
from palimpsest.domain.restating.matching import Likeness
from palimpsest.domain.restating.tellings import Telling, common_language
from palimpsest.domain.restating.wordlists import words

_SHARED: Final = 2
"""So many items have to be the same for each one that differs."""

_DENYING: Final = words("not no no_longer not_yet only już_nie jeszcze_nie bez nie_wolno")
_DENIALS: Final = words("never nigdy")
_NOT: Final = words("not nie")
_WORD: Final = re.compile(r"\w+")
_PREFIXES: Final = ("un", "in", "im", "dis", "non", "nie")
_PAIRS: Final = """
always never, likes dislikes, like dislike, likes hates, loves hates, open closed, on off, enabled disabled, left right,
before after, north south, east west, up down, increased decreased, more less, lefthanded righthanded, first last,
passed failed, older younger, accepted rejected, allowed forbidden, zawsze nigdy, otwarty zamknięty, otwarta zamknięta,
otwarte zamknięte, włączone wyłączone, włączony wyłączony, wzrosła spadła, wzrósł spadł, lewo prawo, starszy młodszy,
leworęczny praworęczny, lubi nienawidzi, zdał oblał, zdała oblała, rano wieczorem, pierwszy ostatni, górze dole
"""
_OPPOSITES: Final = frozenset(words(pair) for pair in _PAIRS.split(","))


def opposes(one: Telling, other: Telling) -> bool:
    """Whether the two are likely to exclude each other.

    They say the same of the same but for a number, a name, a date, a negation or a word that is the other's opposite.
    Likely is not sure: it is for a person to decide. Symmetric.
    """
    one, other = sorted((one, other), key=lambda telling: telling.text)
    language = common_language(one, other)
    if language is None or one.is_long or other.is_long or not one.is_like(other) or restates(one, other):
        return False
    if _is_denied(one.text, other.text):
        return True
    first, second = one.read(language), other.read(language)
    if abs(len(first.items) - len(second.items)) * _SHARED > min(len(first.items), len(second.items)):
        return False
    matched = Likeness.of(first, second, is_loose=True).matched()
    mine, theirs = first.items, second.items
    left = [mine[place] for place in matched.left]
    right = [theirs[place] for place in matched.right]
    same = [(mine[place], theirs[there]) for place, there in matched.pairs.items()]
    if 0 not in matched.pairs or matched.pairs[0] != 0 or len(same) < _SHARED * max(len(left), len(right), 1):
        return False
    if any(item.text == "?" for item in mine):
        return False
    are_named = any(item.kind is Kind.NAME for item in (*left, *right))
    if are_named and (mine[-1] not in left or theirs[-1] not in right):
        return False  # of other people, or things, the same may well be true
    return _is_opposite(left, right, same)


def _is_denied(one: str, other: str) -> bool:
    """One text is the other with a denial put in, and no question.

    It is seen in the words as they stand, since a phrase that is read as one word (``is allergic to``) is none any more
    with a denial inside.
    """
    mine, theirs = (_WORD.findall(text.casefold()) for text in (one, other))
    is_same = [word for word in mine if word not in _NOT] == [word for word in theirs if word not in _NOT]
    return is_same and abs(len(mine) - len(theirs)) == 1 and "?" not in one + other


def _is_opposite(left: Sequence[Item], right: Sequence[Item], same: Sequence[tuple[Item, Item]]) -> bool:
    """What differs is of the kinds that matter, and nothing else differs."""
    turned = any(_DENYING & (set(one.mods) ^ set(other.mods)) for one, other in same)
    if not left and not right:
        return turned
    if left and right:
        return len(left) == len(right) and all(_excludes(one, other) for one, other in zip(left, right, strict=True))
    return all(item.text in _DENIALS or item.kind is Kind.MARK for item in (*left, *right))


def _excludes(one: Item, other: Item) -> bool:
    if one.kind is Kind.VALUE or other.kind is Kind.VALUE:
        return one.text.partition(":")[0] == other.text.partition(":")[0]
    return one.kind is other.kind is Kind.NAME or are_opposites(one, other)


def are_opposites(one: Item, other: Item) -> bool:
    """One word is the opposite of the other: of the pairs that are known, or by what stands before it (``un-``)."""
    if frozenset({one.text, other.text}) in _OPPOSITES:
        return True
    return any(one.text == prefix + other.text or other.text == prefix + one.text for prefix in _PREFIXES)
