"""PoQuAD (Tuora et al. 2023), reduced to passages and questions: which passage answers a question in Polish?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from harness.locomo_data import BadData


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `passage`: the position of its passage; not `answerable`: the passage does not say it."""

    text: str
    passage: int
    answerable: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """All passages, and the questions on them."""

    passages: tuple[str, ...]
    questions: tuple[Question, ...]


def read(path: Path) -> Reading:
    """What the file holds; BadData when it is no such file."""
    passages: list[str] = []
    questions: list[Question] = []
    try:
        for article in json.loads(path.read_text("utf-8")):
            for passage in article["passages"]:
                here = len(passages)
                questions += [Question(q["question"], here, q["answerable"]) for q in passage["questions"]]
                passages.append(passage["text"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(f"{path} is no file of passages and questions: {error!r}") from error
    return Reading(tuple(passages), tuple(questions))
