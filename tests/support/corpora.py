"""The labelled texts under `tests/corpora`, as they are meant: frozen values, never changed by a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "corpora"

# Scrub: keeps secret-looking values apart in the files, so that no scanner takes them for leaked ones.
SEPARATOR = "\u241f"


@dataclass(frozen=True)
class Span:
    """A piece of a text, in code points, that has to go."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class ScrubPositive:
    """A text with at least one thing to remove; whatever no span covers has to stay."""

    id: str
    language: str
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class ScrubNegative:
    """A text of which nothing may be removed; `why` says what it tempts a rule to do."""

    id: str
    language: str
    text: str
    why: str


@dataclass(frozen=True)
class InjectionText:
    """A text and the marks that it has to get; a harmless one has none."""

    id: str
    language: str
    text: str
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class HtmlText:
    """A text as pasted and what a reader expects to be kept of it, runs of white space aside."""

    id: str
    text: str
    clean: str


@dataclass(frozen=True)
class JudgePair:
    """What is remembered, what comes in, and how the second stands to the first."""

    id: str
    language: str
    existing: str
    incoming: str
    label: str
    note: str = ""


@dataclass(frozen=True)
class EchoPair:
    """What a recall handed out, memories on lines of their own, and what was saved after it."""

    id: str
    language: str
    recalled: str
    saved: str
    is_echo: bool
    kind: str


@dataclass(frozen=True)
class LabelledFact:
    """What a careful memory keeps of a turn; the corpus' README says what each field means."""

    kind: str
    memory_type: str
    subject: str
    event_date: date | None
    date_phrase: str | None
    evidence: str
    text: str
    easy: bool
    corrected_by: str | None


@dataclass(frozen=True)
class Turn:
    """What one side said, and the facts in it, in the order of the label file."""

    id: str
    role: str
    speaker: str | None
    at: datetime | None
    text: str
    facts: tuple[LabelledFact, ...]


@dataclass(frozen=True)
class Conversation:
    """All turns of a talk, as they came."""

    id: str
    language: str
    held_on: date
    topic: str
    turns: tuple[Turn, ...]


def scrub_positives() -> list[ScrubPositive]:
    """Texts with personal data or secrets in them."""
    return [
        ScrubPositive(row["id"], row["language"], row["text"], tuple(Span(*span) for span in row["spans"]))
        for row in _rows("scrub/positives.jsonl")
    ]


def scrub_negatives() -> list[ScrubNegative]:
    """Texts that look like personal data or secrets and are neither."""
    return [ScrubNegative(**row) for row in _rows("scrub/negatives.jsonl")]


def injections() -> list[InjectionText]:
    """Texts with instructions or invisible characters hidden in them, then harmless ones."""
    return [
        InjectionText(row["id"], row["language"], row["text"], tuple(row["patterns"]))
        for row in _rows("scrub/injections.jsonl")
    ]


def html_texts() -> list[HtmlText]:
    """Texts with markup in them, and plain ones that only look like it."""
    return [HtmlText(**row) for row in _rows("scrub/html.jsonl")]


def judge_pairs() -> list[JudgePair]:
    """Pairs of memories: English, then Polish, then mixed."""
    return [JudgePair(**row) for row in _lines("judge/pairs.jsonl")]


def echo_pairs() -> list[EchoPair]:
    """Recalls and the saves that followed: English, then Polish."""
    return [EchoPair(**row) for row in _lines("echo/pairs.jsonl")]


def conversations() -> list[Conversation]:
    """Talks with labelled facts: English, then Polish, then mixed."""
    turns = [_turn(row) for row in _lines("facts/turns.jsonl")]
    return [
        Conversation(
            id=row["id"],
            language=row["language"],
            held_on=date.fromisoformat(row["date"]),
            topic=row["topic"],
            turns=tuple(turn for turn in turns if turn.id.startswith(f"{row['id']}-")),
        )
        for row in _lines("facts/conversations.jsonl")
    ]


def _turn(row: dict[str, Any]) -> Turn:
    said_at = row["at"] and datetime.fromisoformat(row["at"])
    return Turn(row["id"], row["role"], row["speaker"], said_at, row["text"], tuple(map(_fact, row["facts"])))


def _fact(row: dict[str, Any]) -> LabelledFact:
    day = row["event_date"] and date.fromisoformat(row["event_date"])
    return LabelledFact(**{"corrected_by": None, **row, "event_date": day})


def _rows(path: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / path).open(encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            yield {**row, "text": row["text"].replace(SEPARATOR, "")}


def _lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / path).read_text("utf-8").splitlines()]
