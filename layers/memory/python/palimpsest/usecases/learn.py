"""Save what was found in a turn of a conversation, through the whole of a save."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.errors import IdempotencyReused, Invalid, WrongState
from palimpsest.domain.extraction import Extraction
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId
from palimpsest.domain.learning.fact import Fact
from palimpsest.domain.source import Trust, lowest
from palimpsest.ports.clock import Clock
from palimpsest.stores.learned import Lesson
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drafts import Draft, JudgeMode, Saved, SourceClaim

AGENT: Final = "conversation"
"""The agent of what is learned: nobody has saved it, and who said it is in `attributed_to`."""

Save = Callable[[Caller, Draft, Idempotency | None], Saved]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation that is learned from. `has_people`: no program talks in it, so everybody goes by their name."""

    space: Space
    document: Document
    sent_by: KeyId
    has_people: bool


@dataclass(frozen=True, slots=True)
class Learn:
    """Saves. Each fact of a turn is saved once, whoever retries: a save remembers its place in the lesson for a day."""

    save: Save
    clock: Clock

    def __call__(self, talk: Talk, chunk: Chunk, lesson: Lesson) -> None:
        """Save the facts of a lesson on the chunk, trusted by a2 at most; one that can't be stored is left out."""
        space = talk.space.name
        caller = Caller(talk.sent_by, Role.WRITER, (space,), lowest(Trust.A2, talk.document.trust), space)
        for place, fact in enumerate(lesson.facts, start=1):
            idempotency = Idempotency(f"learned {chunk.id}", chunk.digest.encode(), place)
            with suppress(Invalid, IdempotencyReused, WrongState):  # the last: it was learned, and forgotten since
                self.save(caller, self._draft(talk, chunk, lesson, fact), idempotency)

    def _draft(self, talk: Talk, chunk: Chunk, lesson: Lesson, fact: Fact) -> Draft:
        fragment = chunk.fragment
        said_at = fragment.at if fragment else None
        return Draft(
            content=fact.text,
            space=talk.space.name,
            memory_type=fact.memory_type,
            source=SourceClaim(AGENT, session=talk.document.id),
            attributed_to=fragment.speaker if fragment else None,
            asserted_at=None if said_at is None else min(said_at, self.clock.now()),
            judge=JudgeMode.ASYNC,  # nobody waits for the answer, and the time of a slice is short
            event_date=_midnight(fact.day.date if fact.day else None),
            extraction=_extraction(talk.document, chunk, lesson, fact),
        )


def _extraction(document: Document, chunk: Chunk, lesson: Lesson, fact: Fact) -> Extraction:
    begin = chunk.fragment.characters[0] if chunk.fragment else 0
    return Extraction(
        subject=fact.subject,
        percent=round(fact.confidence * 100),
        method=lesson.method,
        document=document.id,
        chunk=chunk.id,
        characters=(begin + fact.evidence.begin, begin + fact.evidence.end),
        model=lesson.model,
        date_phrase=fact.day.phrase if fact.day else None,
    )


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC)
