"""A part of a conversation as whoever looks for facts is given it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from palimpsest.domain.extraction import Method
from palimpsest.domain.learning.fact import Fact

CHARACTERS: Final = 12_000
"""Of what is said in one window; with the rest of a prompt it fits every model and `ask_model.LONGEST_PROMPT`."""

FACTS: Final = 20
"""That one window may give."""

_BEFORE: Final = 3
_SHOWN_BEFORE: Final = 400
"""Characters of each that was said before a window."""

_PROGRAMS: Final = frozenset(["assistant", "system", "tool", "function", "developer", "model", "ai", "bot", "agent"])
"""Roles of those whose words are no facts about anybody."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A turn, or a part of a long one.

    Attributes:
        who: Whom "I" means: ``user``, or a name.
        said_on: None when nobody knows.
        is_open: Facts are learned from it; the rest is there to be understood by.
    """

    text: str
    who: str
    said_on: date | None
    is_open: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a window: for each utterance its facts, and by what; `model` is its name."""

    facts: tuple[tuple[Fact, ...], ...]
    method: Method
    model: str | None = None

    def of(self, place: int) -> Found:
        """What was found of one utterance alone."""
        return Found((self.facts[place],), self.method, self.model)


def is_person(role: str) -> bool:
    """Whoever has this role in a conversation speaks for themselves."""
    return role.strip().casefold() not in _PROGRAMS


def windows(utterances: Sequence[Utterance]) -> Iterator[tuple[int, Sequence[Utterance]]]:
    """The utterances in windows that say something new, each with where its first one stands among them.

    Before those of a window stand the last ones that were said before it, which nothing is learned from again.
    """
    begin = 0
    while begin < len(utterances):
        end, characters = begin, 0
        while end < len(utterances) and (end == begin or characters + len(utterances[end].text) <= CHARACTERS):
            characters += len(utterances[end].text)
            end += 1
        window = utterances[begin:end]
        if any(each.is_open for each in window):
            first = max(0, begin - _BEFORE)
            yield first, [*map(_before, utterances[first:begin]), *window]
        begin = end


def _before(utterance: Utterance) -> Utterance:
    return replace(utterance, text=utterance.text[-_SHOWN_BEFORE:], is_open=False)
