"""The labelled texts under `tests/corpora`, as they are meant: frozen values, never changed by a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
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


def _rows(path: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / path).open(encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            yield {**row, "text": row["text"].replace(SEPARATOR, "")}


def _lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / path).read_text("utf-8").splitlines()]
