"""A place in a text's tokens, from which a value may begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from palimpsest.domain.language import Language
from palimpsest.domain.restating.tokens import Sort, Token

Found: TypeAlias = tuple[str, int] | None
"""A value, and how many tokens it takes."""

SUFFIXES: Final = frozenset({"st", "nd", "rd", "th"})
"""Of a number in digits that counts its place in a row."""


class Place:
    """A place in the tokens, and what was made of those before."""

    def __init__(self, tokens: Sequence[Token], i: int, before: Sequence[Token], language: Language) -> None:
        self.tokens, self.i, self.before, self.language = tokens, i, before, language

    def text(self, ahead: int = 0) -> str:
        place = self.i + ahead
        return self.tokens[place].text if place < len(self.tokens) else ""

    def sort(self, ahead: int = 0) -> Sort:
        place = self.i + ahead
        return self.tokens[place].sort if place < len(self.tokens) else Sort.BREAK

    @property
    def token(self) -> Token:
        return self.tokens[self.i]

    @property
    def last(self) -> str:
        return self.before[-1].text if self.before else ""

    @property
    def is_behind_name(self) -> bool:
        """What stands before is written with a capital letter within its sentence: *Sheffield Wednesday*."""
        last = self.before[-1] if self.before else None
        return last is not None and last.sort is Sort.WORD and last.is_capital and not last.is_first

    def integer(self, ahead: int = 0) -> int | None:
        """A whole number at that place, in digits or as an ordinal."""
        text = self.text(ahead)
        return int(text) if text.isdecimal() and len(text) <= 4 else None
