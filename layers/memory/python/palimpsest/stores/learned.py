"""What was learned from a turn, beside its chunk: found once, before any of it is saved, and marked when all of it is.

So a worker that dies anywhere is followed by one that saves the same, and a turn that is sent again teaches nothing.
It goes with the chunk.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.extraction import Method
from palimpsest.domain.ids import ChunkId
from palimpsest.domain.learning.fact import Day, Fact, Span
from palimpsest.domain.version import MemoryType
from palimpsest.ports.table import Item, Missing, Put, Table
from palimpsest.stores import library_keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was found in a turn. `is_saved`: all of it has become memories, and none of its words stands here."""

    chunk: ChunkId
    facts: tuple[Fact, ...]
    method: Method
    model: str | None = None
    is_saved: bool = False


@dataclass(frozen=True, slots=True)
class Learned:
    """Reads and writes lessons."""

    table: Table

    def find(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, Lesson]:
        """Those that there are."""
        places = [library_keys.learned(chunk) for chunk in dict.fromkeys(chunks)]
        found = self.table.get(places).items.values() if places else ()
        return {each.chunk: each for each in map(_read, found)}

    def plan(self, lesson: Lesson) -> Lesson:
        """Keep what is to be saved; what somebody else has found before, where they came first."""
        try:
            self.table.write(Put(_item(lesson), Missing("pk")))
        except ConditionFailed:
            return self.find([lesson.chunk]).get(lesson.chunk, lesson)
        return lesson

    def saved(self, lessons: Sequence[Lesson]) -> None:
        """All of these have become memories."""
        self.table.write_batch([Put(_marked(lesson)) for lesson in lessons])


def _item(lesson: Lesson) -> Item:
    place = library_keys.learned(lesson.chunk)
    told = json.dumps([_told(fact) for fact in lesson.facts], ensure_ascii=False)
    return item(place, facts=told, method=lesson.method, model=lesson.model)


def _marked(lesson: Lesson) -> dict[str, Any]:
    return item(library_keys.learned(lesson.chunk), count=len(lesson.facts), method=lesson.method, model=lesson.model)


def _read(stored: Item) -> Lesson:
    r = Reader(stored)
    facts = r.optional("facts", lambda name: r.parsed(name, _facts))
    return Lesson(
        chunk=ChunkId(r.text("pk").removeprefix("Q#")),
        facts=facts or (),
        method=r.choice("method", Method),
        model=r.optional("model", r.text),
        is_saved=facts is None,
    )


def _told(fact: Fact) -> Mapping[str, Any]:
    day = fact.day
    return {
        "text": fact.text,
        "memory_type": fact.memory_type,
        "subject": fact.subject,
        "evidence": fact.evidence,
        "day": None if day is None else [day.phrase, day.date and day.date.isoformat()],
        "percent": round(fact.confidence * 100),
    }


def _facts(text: str) -> tuple[Fact, ...]:
    return tuple(map(_fact, json.loads(text)))


def _fact(told: Mapping[str, Any]) -> Fact:
    day = told["day"]
    return Fact(
        text=told["text"],
        memory_type=MemoryType(told["memory_type"]),
        subject=told["subject"],
        evidence=Span(*told["evidence"]),
        day=None if day is None else Day(day[0], day[1] and date.fromisoformat(day[1])),
        confidence=told["percent"] / 100,
    )
