"""Capitalised words that stand together and may be one name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from palimpsest.domain import stop_words
from palimpsest.domain.naming.everyday import HEADINGS, NO_NAMES, STARTS
from palimpsest.domain.naming.tokens import Token, sentences
from palimpsest.domain.restating.wordlists import words

_LINKS: Final = words("of de la van von der den du di da del le & the und")
_FUNCTION_WORDS: Final = (stop_words.ENGLISH | stop_words.POLISH) - {"sam", "go"}
_QUOTES: Final = frozenset('"“”„«»')
_LONGEST_TITLE: Final = 6
_LONGEST_NAME: Final = 8
"""Tokens; behind so many another name begins."""

_FEW: Final = 3
"""Capital words from which a sentence in capitals is a heading or a shout."""


def run_at(tokens: Sequence[Token], place: int) -> int:
    """How many tokens from `place` on are capitalised words that may be one name; 0 when the first is none."""
    if not _may_be_named(tokens[place]):
        return 0
    if tokens[place].lower in (STARTS if tokens[place].is_first else _FUNCTION_WORDS):
        return 0
    end = place + 1
    while end - place < _LONGEST_NAME and (length := _length_of_next(tokens, end)) > 0:
        end += length
    return end - place


def _length_of_next(tokens: Sequence[Token], place: int) -> int:
    """How many tokens the name goes on for: a word, one behind 'of' or the like, an initial with its point."""
    if place >= len(tokens) or tokens[place].start != tokens[place - 1].end + 1:
        return 0
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is not None and following.text == "." and tokens[place].is_capital and len(tokens[place].text) == 1:
        return 2 if place + 2 < len(tokens) and tokens[place + 2].is_capital else 0
    if _may_be_named(tokens[place]) and len(tokens[place].text) > 1:
        return 1
    is_linked = tokens[place].lower in _LINKS and following is not None and _continues(tokens, place + 1)
    return 2 if is_linked else 0


def is_shouted(tokens: Sequence[Token]) -> bool:
    """Most words of the sentence are capitals throughout, or nearly all begin with one: a heading, no sentence."""
    upper = sum([token.text.isupper() and len(token.text) > 1 for token in tokens])
    return upper >= _FEW and 2 * upper > sum([token.kind == "word" and token.text[0].isalpha() for token in tokens])


def quoted_titles(tokens: Sequence[Token]) -> frozenset[int]:
    """The places of what stands in quotation marks and is called so: a few words, the first with a capital."""
    marks = [place for place, token in enumerate(tokens) if token.text in _QUOTES]
    found: set[int] = set()
    for opening, closing in pairwise(marks):
        inside = tokens[opening + 1 : closing]
        is_title = 1 < len(inside) <= _LONGEST_TITLE and inside[0].is_capital
        if is_title and not any(token.text in "?!," for token in inside):
            found.update(range(opening + 1, closing))
    return frozenset(found)


def is_heading(run: Sequence[Token]) -> bool:
    """One of its words is said in headings, so that being seen twice says nothing."""
    return any(token.lower in HEADINGS for token in run)


def phrases(text: str) -> tuple[str, ...]:
    """The capitalised phrases of a text, for `Known.seen` when another one is read: no first words of sentences."""
    found: list[str] = []
    for tokens in sentences(text):
        place = 0
        while place < len(tokens) and not is_shouted(tokens):
            length = run_at(tokens, place)
            run = tokens[place : place + length]
            if length and not is_heading(run) and (length > 1 or not run[0].is_first):
                found.append(text[run[0].start : run[-1].end])
            place += max(length, 1)
    return tuple(dict.fromkeys(found))


def _may_be_named(token: Token) -> bool:
    return token.is_capital and token.lower not in NO_NAMES and (len(token.text) > 1 or token.text.isalpha())


def _continues(tokens: Sequence[Token], place: int) -> bool:
    before, token = tokens[place - 1], tokens[place]
    return _may_be_named(token) and len(token.text) > 1 and token.start == before.end + 1 and before.text != "."
