"""LoCoMo (Maharana et al., ACL 2024) in its upstream format: conversations over many sessions, and questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ADVERSARIAL = 5
CATEGORIES = {1: "several pieces", 2: "temporal", 3: "open domain", 4: "single hop", ADVERSARIAL: "adversarial"}

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_QUESTION_ID = re.compile(r"locomo_(\d+)_qa(\d+)")


class BadData(Exception):
    """The file is no LoCoMo file, or the corrections belong to another one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says at once. `id`: ``D<session>:<turn>``; `date`: as the file writes it."""

    id: str
    session: str
    date: str
    speaker: str
    text: str
    caption: str | None

    @property
    def content(self) -> str:
        """The turn as one memory."""
        said = " ".join(filter(None, (self.text, f"[photo: {self.caption}]" if self.caption else None)))
        return f"[{self.date}] {self.speaker}: {said}"

    @property
    def said_at(self) -> datetime:
        """The session's date, taken for UTC."""
        return datetime.strptime(self.date, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the turns that answer it; none that can be found when there is no evidence."""

    text: str
    category: int
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in order, and the questions on them."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def read(path: Path) -> list[Conversation]:
    """The conversations of a file; BadData when it is none of these."""
    try:
        return [_conversation(sample) for sample in json.loads(path.read_text("utf-8"))]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadData(f"{path} is not in LoCoMo's format: {error!r}") from error


def corrected(conversations: Iterable[Conversation], path: Path) -> list[Conversation]:
    """The same with the evidence that an audit of the answer key found; BadData when a question is not there."""
    changed = list(conversations)
    for entry in json.loads(path.read_text("utf-8")):
        found = _QUESTION_ID.fullmatch(entry["question_id"])
        if found is None:
            raise BadData(f"no question has the id {entry['question_id']!r}")
        place, number = int(found[1]), int(found[2])
        if place < len(changed):
            changed[place] = _with_evidence(changed[place], number, entry)
    return changed


def evidence(raw: Iterable[object], known: Iterable[str]) -> frozenset[str]:
    """The turns that an evidence list means: split where ids were joined, zeros stripped, unknown ones dropped."""
    parts = [part for text in raw for part in re.split(r"[;\s]+", str(text))]
    found = [match for part in parts if (match := _EVIDENCE.fullmatch(part))]
    return frozenset(f"D{int(match[1])}:{int(match[2])}" for match in found) & frozenset(known)


def _conversation(sample: Mapping[str, Any]) -> Conversation:
    turns = tuple(_turns(sample["conversation"]))
    known = {turn.id for turn in turns}
    questions = tuple(
        Question(qa["question"], qa["category"], evidence(qa.get("evidence") or (), known)) for qa in sample["qa"]
    )
    return Conversation(sample["sample_id"], turns, questions)


def _turns(raw: Mapping[str, Any]) -> Iterator[Turn]:
    numbers = sorted(int(match[1]) for name in raw if (match := _SESSION.fullmatch(name)))
    for number in numbers:
        for turn in raw[f"session_{number}"] or ():
            date, caption = raw[f"session_{number}_date_time"], turn.get("blip_caption")
            yield Turn(turn["dia_id"], f"session_{number}", date, turn["speaker"], turn.get("text") or "", caption)


def _with_evidence(conversation: Conversation, number: int, entry: Mapping[str, Any]) -> Conversation:
    questions = list(conversation.questions)
    if number >= len(questions) or questions[number].text != entry["question"]:
        raise BadData(f"{entry['question_id']} of the corrections asks something else than {conversation.name}")
    gold = evidence(entry["correct_evidence"], (turn.id for turn in conversation.turns))
    questions[number] = replace(questions[number], gold=gold)
    return replace(conversation, questions=tuple(questions))
