"""Patterns of senses, and the tokens that fit them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from palimpsest.domain.asking.date_tokens import Token
from palimpsest.domain.asking.spans import Recurring, Span, Unit

_MACROS: Final = {
    "MONTH": "month|month_word|month_short", "DAY": "number|ordinal", "UNIT": "unit|units", "OF": "the? the?",
    "WEEKDAY": "weekday|day_short", "SEASON": "season|season_when", "NTH": "number|ordinal|roman",
    "LAST": "last|past", "WHICH": "last|this|next|before_last", "ON": "in|at|the",
}  # fmt: skip
_SLOTS: Final = {
    "ordinal": "number", "roman": "number", "month_word": "month", "month_short": "month", "day_short": "weekday",
    "season_when": "season",
}  # fmt: skip
"""What a value is, whatever the sense is that has it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When it is asked, on the clock of who asks, and whether for what is to come."""

    now: datetime
    is_ahead: bool = False

    @property
    def today(self) -> date:
        return self.now.date()


class Reading(NamedTuple):
    """What a phrase names.

    Attributes:
        span: The days that are likeliest meant.
        recurring: Where the phrase leaves open which year, or which week.
        is_bare: Alone it is a mention; it tells what is asked for beside a word such as `in`, or not even there.
    """

    span: Span
    recurring: Recurring | None = None
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """Tokens that fit a pattern, and the values of their senses; `intro` is the word that relates them, if any."""

    text: Sequence[Token]
    begin: int
    end: int
    moment: Moment
    intro: Token | None
    numbers: Mapping[str, int] = field(default_factory=dict)
    units: Sequence[Unit] = ()
    spans: Sequence[Span] = ()

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]

    @property
    def unit(self) -> Unit:
        return self.units[-1]

    @property
    def today(self) -> date:
        return self.moment.today

    @property
    def before(self) -> Token | None:
        return self.text[self.begin - 1] if self.begin else None

    @property
    def behind(self) -> Token | None:
        return self.text[self.end] if self.end < len(self.text) else None

    def has(self, *senses: str) -> bool:
        """A token of it has one of these senses."""
        return any(token.may_be(*senses) for token in self.text[self.begin : self.end])

    def open(self, recurring: Recurring, *, is_bare: bool = False) -> Reading:
        """The last that has begun, or what is coming when it is asked for that."""
        span = recurring.coming(self.today) if self.moment.is_ahead else recurring.begun(self.today)
        return Reading(span, recurring, is_bare)


Meaning: TypeAlias = Callable[[Match], Reading | Span | None]
"""What tokens name that fit; None for what only looks like it."""
Rule: TypeAlias = tuple[str, Meaning]


@dataclass(slots=True)
class Table:
    """Rules as a tree of senses, so that what fits none is left at its first word. `meanings`: of what ends here."""

    behind: dict[str, Table] = field(default_factory=dict)
    meanings: list[Meaning] = field(default_factory=list)

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> Table:
        """A pattern is a row of senses; ``a|b`` is either, ``a?`` may be left out, capitals stand for several."""
        root = cls()
        for pattern, meaning in rules:
            for senses in _variants(pattern):
                node = root
                for sense in senses:
                    node = node.behind.setdefault(sense, cls())
                if meaning not in node.meanings:
                    node.meanings.append(meaning)
        return root

    def fitting(self, text: Sequence[Token], place: int) -> Iterator[tuple[tuple[str, ...], Meaning]]:
        """What fits the tokens from a place on, as the senses that they have there, and what these mean."""
        if place < len(text):
            for sense in text[place].senses:
                node = self.behind.get(sense)
                if node is not None:
                    yield from (((sense,), meaning) for meaning in node.meanings)
                    yield from (((sense, *rest), meaning) for rest, meaning in node.fitting(text, place + 1))


def _variants(pattern: str) -> Iterator[tuple[str, ...]]:
    spelled = re.sub(r"[A-Z]+", lambda word: _MACROS[word[0]], pattern).split()
    choices = [[*word.rstrip("?").split("|"), *([""] if word.endswith("?") else [])] for word in spelled]
    yield from (tuple(filter(None, chosen)) for chosen in product(*choices))


def match(
    rules: Table, text: Sequence[Token], begin: int, moment: Moment, intro: Token | None
) -> tuple[Reading, int] | None:
    """What the longest phrase names that begins there, and where it ends."""
    for senses, meaning in sorted(rules.fitting(text, begin), key=lambda fitting: -len(fitting[0])):
        end = begin + len(senses)
        reading = _meant(meaning, _filled(Match(text, begin, end, moment, intro), senses))
        if reading is not None:
            return reading, end
    return None


def _meant(meaning: Meaning, found: Match) -> Reading | None:
    """None of what is no date: 31 February, or a day that lies outside the years 1 to 9999."""
    try:
        reading = meaning(found)
    except (ValueError, OverflowError, LookupError, StopIteration):
        return None
    return Reading(reading) if isinstance(reading, Span) else reading


def _filled(found: Match, senses: Sequence[str]) -> Match:
    numbers: dict[str, int] = {}
    units: list[Unit] = []
    spans: list[Span] = []
    for sense, token in zip(senses, found.text[found.begin : found.end], strict=True):
        value = token.senses[sense]
        if isinstance(value, Unit):
            units.append(value)
        elif isinstance(value, Span):
            spans.append(value)
        elif value is not None:
            numbers.setdefault(_SLOTS.get(sense, sense), value)
    return Match(found.text, found.begin, found.end, found.moment, found.intro, numbers, units, spans)
