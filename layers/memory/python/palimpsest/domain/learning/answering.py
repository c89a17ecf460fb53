"""A model's answer held against what was said: what does not stand there is no fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from palimpsest.domain.errors import ModelAnswerUnusable
from palimpsest.domain.learning.fact import Day, Fact, Span
from palimpsest.domain.learning.window import FACTS, Utterance
from palimpsest.domain.version import MemoryType

_TEXT: Final = 500
_SUBJECT: Final = 100
"""Characters."""

_SURE: Final = 50
"""Percent, below which nothing is learned."""


def read(content: Mapping[str, object], window: Sequence[Utterance]) -> tuple[tuple[Fact, ...], ...]:
    """For each utterance the facts that hold, each once.

    A fact that is not as it was asked for is left out: of a turn that is not to be learned from, with evidence that the
    turn does not say, with a day that is none. An answer of another form means nothing.

    Raises:
        ModelAnswerUnusable: There are no facts in it, or more than were asked for.
    """
    rows = content.get("facts")
    if not isinstance(rows, list):
        raise ModelAnswerUnusable("it needs a list `facts`, which may be empty")
    if len(rows) > FACTS:
        raise ModelAnswerUnusable(f"it has more than {FACTS} facts; give the most certain ones")
    found: list[list[Fact]] = [[] for _ in window]
    for row in rows:
        place, fact = _read(row, window)
        if fact is not None and all(
            fact.evidence != other.evidence or fact.text != other.text for other in found[place]
        ):
            found[place].append(fact)
    return tuple(map(tuple, found))


def _read(row: object, window: Sequence[Utterance]) -> tuple[int, Fact | None]:
    match row:
        case {
            "turn": int(number),
            "text": str(text),
            "memory_type": str(memory_type),
            "subject": str(subject),
            "evidence": str(evidence),
            "date_phrase": str() | None as phrase,
            "event_date": str() | None as day,
            "confidence": int(percent),
        } if 1 <= number <= len(window) and window[number - 1].is_open:
            utterance = window[number - 1]
            is_worded = _is_short(text, _TEXT) and _is_short(subject, _SUBJECT) and memory_type in set(MemoryType)
            place, when = _place(evidence, utterance.text), _day(phrase, day, utterance)
            if is_worded and place is not None and when is not _NO_DAY and _SURE <= percent <= 100:
                kind = MemoryType(memory_type)
                return number - 1, Fact(text.strip(), kind, subject.strip(), place, when, percent / 100)
    return 0, None


_NO_DAY: Final = Day("", None)
"""Stands for what is said of a day and can't be right."""


def _is_short(text: str, most: int) -> bool:
    return len(text.strip()) > 0 and len(text) <= most


def _place(evidence: str, text: str) -> Span | None:
    """Where the turn says it, word for word."""
    words = evidence.strip()
    begin = text.find(words) if words else -1
    return None if begin < 0 else Span(begin, begin + len(words))


def _day(phrase: str | None, day: str | None, utterance: Utterance) -> Day | None:
    if not phrase:
        return None if not day else _NO_DAY
    if phrase.strip() not in utterance.text or not phrase.strip():
        return _NO_DAY
    if not day:
        return Day(phrase.strip(), None)
    try:
        return Day(phrase.strip(), date.fromisoformat(day)) if utterance.said_on else Day(phrase.strip(), None)
    except ValueError:
        return _NO_DAY
