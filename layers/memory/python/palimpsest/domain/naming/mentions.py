"""Named things as they stand in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from palimpsest.domain.naming.proposals import Method
from palimpsest.domain.naming.tokens import Token

CONFIDENCE: Final = {
    Method.KNOWN: 0.95,
    Method.HANDLE: 0.9,
    Method.PACKAGE: 0.9,
    Method.DICTIONARY: 0.85,
    Method.LEGAL_FORM: 0.9,
    Method.PERSON: 0.8,
    Method.CONTEXT: 0.8,
    Method.SEEN_TWICE: 0.7,
}
"""How sure each method is: an order among names of one text, not a measured chance."""

HIDDEN: Final = "hidden"
"""The type of capitalised words that are a name for sure, in a case that hides which: they are never believed."""


@dataclass(slots=True)
class Mention:
    """A name in a sentence. Its type, and with it whether it is believed at all, may come from what stands around it.

    Attributes:
        place: Its first token in the sentence.
        length: How many tokens it takes.
        method: None for capitalised words that nothing speaks for yet.
        is_weak: Such a word at the start of a sentence, where every word has a capital.
    """

    name: str
    type: str
    start: int
    end: int
    place: int
    length: int
    method: Method | None = None
    is_weak: bool = False
    is_owner: bool = False

    def believe(self, type_: str, method: Method) -> None:
        """Take `type_` from what stands around it, unless the type is known already."""
        if self.method is None and self.type != HIDDEN:
            self.type, self.method, self.is_weak = type_, method, False


def mention_of(
    tokens: Sequence[Token], place: int, length: int, *, name: str, type_: str, method: Method | None
) -> Mention:
    last = tokens[place + length - 1]
    return Mention(name, type_, tokens[place].start, last.end, place, length, method)


def spelled(run: Sequence[Token]) -> str:
    parts = [run[0].text]
    for before, token in pairwise(run):
        parts += [" " * (token.start > before.end), token.text]
    return "".join(parts)
