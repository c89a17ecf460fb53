"""The labelled texts of ``tests/corpora/scrub``, and texts of two kilobytes that are hard on scrub."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from harness.talk import Talk

FOLDER = Path(__file__).parents[2] / "tests" / "corpora" / "scrub"
BYTES = 2_048
_MOST = 50

_APART = "\u241f"
"""Keeps secret-looking values apart in the files."""

Draw = Callable[[random.Random], str]

_DIGITS: dict[str, Draw] = {
    "phone numbers": lambda drawn: f"6{_digits(drawn, 2)} {_digits(drawn, 3)} {_digits(drawn, 3)}\n",
    "phone numbers, called so": lambda drawn: f"tel. 6{_digits(drawn, 2)} {_digits(drawn, 3)} {_digits(drawn, 3)}\n",
    "phone numbers with +48": lambda drawn: f"+48 {_digits(drawn, 9)}, ",
    "numbers behind +": lambda drawn: f"+{_digits(drawn, drawn.randint(1, 11))} ",
    "numbers with many separators": lambda drawn: _digits(drawn, drawn.randint(1, 11)) + drawn.choice(" -./(,\n+"),
    "threes": lambda drawn: f"{_digits(drawn, 3)} ",
    "sixteen digits by four": lambda drawn: "4" + " ".join((_digits(drawn, 3), *(_digits(drawn, 4),) * 3)) + " ",
    "eleven digits": lambda drawn: f"{_digits(drawn, 11)}\n",
    "accounts": lambda drawn: f"PL{_digits(drawn, 26)} ",
    "one number": lambda drawn: _digits(drawn, 50),
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and what has to go from it: pieces by kind, in code points. Nothing of a text without any."""

    text: str
    spans: tuple[tuple[int, int, str], ...]


def labelled() -> list[Labelled]:
    """The positives, then the negatives."""
    positives = [
        Labelled(row["text"], tuple((start, end, kind) for start, end, kind in row["spans"]))
        for row in _rows("positives")
    ]
    return positives + [Labelled(row["text"], ()) for row in _rows("negatives")]


def digits() -> dict[str, str]:
    """Texts of little but digits, by what they are like."""
    drawn = random.Random(1)  # noqa: S311 - the same texts each time
    return {name: _filled(draw, drawn) for name, draw in _DIGITS.items()}


def prose(texts: list[str]) -> list[str]:
    """Texts of running words: those given, joined (over and over when they are few) and cut; made-up talk for none."""
    joined = " ".join(texts) or " ".join(islice(Talk(1).turns(200), 200))
    joined *= 1 + BYTES // len(joined)
    return [joined[place : place + BYTES] for place in range(0, min(len(joined), _MOST * BYTES) - BYTES + 1, BYTES)]


def _rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield {**row, "text": row["text"].replace(_APART, "")}


def _filled(draw: Draw, drawn: random.Random) -> str:
    text = ""
    while len(text) < BYTES:
        text += draw(drawn)
    return text[:BYTES]


def _digits(drawn: random.Random, count: int) -> str:
    return "".join(drawn.choices("0123456789", k=count))
