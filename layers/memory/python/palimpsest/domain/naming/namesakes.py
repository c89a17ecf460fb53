"""Words that look like a name and may be something else where they stand."""

from __future__ import annotations

from collections.abc import Sequence

from palimpsest.domain.naming.everyday import EVERYDAY, MONTH_BEFORE, MONTHS, TITLES, VERBS_AFTER_NAMES
from palimpsest.domain.naming.mentions import Mention
from palimpsest.domain.naming.proposals import Method
from palimpsest.domain.naming.tokens import Token


def is_part_of_title(mention: Mention, titles: frozenset[int]) -> bool:
    """It stands within a title that goes on before or behind it, and nobody knows it."""
    first, last = mention.place, mention.place + mention.length - 1
    if mention.method is Method.KNOWN or first not in titles:
        return False
    return first - 1 in titles or last + 1 in titles


def is_longer_name(known: Mention, tokens: Sequence[Token], length: int) -> bool:
    """The capitals go on behind a known name: a surname behind a given name, a thing named for a place."""
    after = tokens[known.place + known.length]
    return known.length < length and not after.text[0].isdigit() and known.type in ("person", "place")


def is_titled(tokens: Sequence[Token], place: int) -> bool:
    """Mr, or Dr., stands before it."""
    before = [token.lower for token in tokens[max(place - 2, 0) : place]]
    return before[-1:] != [] and (before[-1] in TITLES or (before[-1] == "." and before[0] in TITLES))


def is_everyday_here(tokens: Sequence[Token], mention: Mention) -> bool:
    """A name of one word that is an everyday word as well, where it may be just that."""
    token = tokens[mention.place]
    if mention.length > 1 or not token.is_capital or token.lower not in EVERYDAY:
        return False
    before = tokens[mention.place - 1].lower if mention.place else ""
    after = tokens[mention.place + 1].lower if mention.place + 1 < len(tokens) else ""
    if token.lower in MONTHS and (before in MONTH_BEFORE or before.isdigit() or after.isdigit()):
        return True
    return token.is_first and after not in VERBS_AFTER_NAMES


def is_adjective(word: str, name: str) -> bool:
    """The form is one of the adjective beside a noun, not of the noun: Kolej Śląska, Husaria Polska."""
    return word.endswith(("iej", "ich", "iego", "iemu", "skie", "skim", "skimi")) and name.casefold() != word
