"""The names that a query may hold: its phrases of a few words, also as Polish inflects them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.naming.inflecting import bases
from palimpsest.domain.naming.names import name_key
from palimpsest.domain.naming.tokens import Token, sentences
from palimpsest.domain.stop_words import ENGLISH, POLISH

WORDS: Final = 4
"""Of a name that is looked up; longer ones are rare, and are found by their words."""
MOST: Final = 120
"""Spellings of one query."""
_FORMS: Final = 6
"""Of one phrase."""
_SHORTEST: Final = 2

_STOPPED: Final = ENGLISH | POLISH


def spellings(query: str, languages: Sequence[Language]) -> tuple[str, ...]:
    """Name keys that the query may mean: its phrases, the longest first, then what they may be inflected from.

    Args:
        query: As it was asked.
        languages: What it may be written in; only where that may be Polish is anything inflected.

    Returns:
        At most 120. No phrase begins or ends with a stop word.
    """
    read = sentences(query)
    phrases = [each for length in range(WORDS, 0, -1) for tokens in read for each in _phrases(tokens, length)]
    plain = [name_key(" ".join(token.lower for token in phrase)) for phrase in phrases]
    may_be_inflected = Language.POLISH in languages
    inflected = (form for phrase in phrases for form in _forms(phrase)) if may_be_inflected else ()
    found = dict.fromkeys(each for each in chain(plain, inflected) if len(each) >= _SHORTEST)
    return tuple(islice(found, MOST))


def names_in(query: str, languages: Sequence[Language]) -> frozenset[str]:
    """The words of a query, folded, and in Polish also what they may be inflected from."""
    words = {token.lower for tokens in sentences(query) for token in tokens if token.kind != "sign"}
    if Language.POLISH in languages:
        words |= {base for word in words for base in bases(word)}
    return frozenset(map(fold, words)) - _STOPPED


def _phrases(tokens: Sequence[Token], length: int) -> Iterator[Sequence[Token]]:
    for at in range(len(tokens) - length + 1):
        phrase = tokens[at : at + length]
        if all(token.kind != "sign" for token in phrase) and not {phrase[0].lower, phrase[-1].lower} & _STOPPED:
            yield phrase


def _forms(phrase: Sequence[Token]) -> Iterator[str]:
    """The phrase, each of its words in the forms that it may be inflected from."""
    words = product(*(bases(token.lower) for token in phrase))
    return (name_key(" ".join(each)) for each in islice(words, _FORMS))
