"""Learn facts from a conversation once it is shown, turn by turn, each turn once.

What was found of a turn is kept beside its chunk before any of it is saved, so that a worker that dies anywhere is
followed by one that saves the same, whatever a model would say the second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.extraction import USER
from palimpsest.domain.ids import DocumentId
from palimpsest.domain.learning.window import Found, Utterance, is_person, windows
from palimpsest.jobs.work import SecondsLeft, Slice
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents
from palimpsest.stores.learned import Learned, Lesson
from palimpsest.stores.learnings import Learning, Learnings
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.learn import Learn, Talk

SAVE_SECONDS: Final = 15.0
"""With less left the facts of no further turn are saved."""

Find = Callable[[Space, Sequence[Utterance]], Found]


@dataclass(frozen=True, slots=True)
class LearnFacts:
    """Does one conversation. `enough_seconds`: with less left no further window is begun."""

    learnings: Learnings
    learned: Learned
    documents: Documents
    chunks: Chunks
    spaces: Spaces
    find: Find
    learn: Learn
    enough_seconds: float

    def slice(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Learn from part after part; True when the time was up before, or it was sent again meanwhile."""
        learning = self.learnings.find(DocumentId(subject))
        if learning is None:
            return False
        document = self.documents.find([learning.document]).get(learning.document)
        if document is None or document.restore_until is not None or document.erased_at is not None:
            return not self.learnings.end(learning)
        if document.edition < learning.edition:  # before it is shown there is nothing to do, and what failed never is
            return not document.is_arriving and not self.learnings.end(learning)
        return self._parts(document, learning, seconds_left)

    def _parts(self, document: Document, learning: Learning, seconds_left: SecondsLeft) -> bool:
        talk = Talk(self.spaces.by_id(document.space), document, learning.sent_by, self._has_people(document))
        while places := self.chunks.part(document.id, document.edition, learning.part):
            there = self.chunks.find(place.chunk for place in places)
            chunks = [there[place.chunk] for place in places if place.chunk in there]
            if not self._part(talk, chunks, seconds_left):
                return True
            moved = self.learnings.move(learning, learning.part + 1)
            if moved is None:
                return True
            learning = moved
        return not self.learnings.end(learning)

    def _has_people(self, document: Document) -> bool:
        """Told by the first hundred turns."""
        first = self.chunks.find(place.chunk for place in self.chunks.part(document.id, document.edition, 0))
        return all(is_person(chunk.fragment.role) for chunk in first.values() if chunk.fragment is not None)

    def _part(self, talk: Talk, chunks: Sequence[Chunk], seconds_left: SecondsLeft) -> bool:
        """Whether all that can be learned from these was, in the time that was left."""
        lessons = self.learned.find(chunk.id for chunk in chunks)
        left = [(chunk, lessons[chunk.id]) for chunk in chunks if chunk.id in lessons]
        if not self._save(talk, left, seconds_left):
            return False
        said = [_utterance(chunk, talk, is_new=chunk.id not in lessons) for chunk in chunks]
        for first, window in windows(said):
            if seconds_left() < self.enough_seconds:
                return False
            found = self.find(talk.space, window)
            new = [(chunks[first + place], found.of(place)) for place, each in enumerate(window) if each.is_open]
            if not self._save(talk, [(chunk, self._planned(chunk, told)) for chunk, told in new], seconds_left):
                return False
        return True

    def _planned(self, chunk: Chunk, found: Found) -> Lesson:
        """What is to be saved of a turn, whoever goes on with it."""
        lesson = Lesson(chunk.id, found.facts[0], found.method, found.model)
        return self.learned.plan(lesson) if lesson.facts else lesson

    def _save(self, talk: Talk, lessons: Sequence[tuple[Chunk, Lesson]], seconds_left: SecondsLeft) -> bool:
        """Whether all of these are saved."""
        done: list[Lesson] = []
        for chunk, lesson in lessons:
            if lesson.facts and seconds_left() < SAVE_SECONDS:
                break
            self.learn(talk, chunk, lesson)
            done.append(lesson)
        self.learned.saved([lesson for lesson in done if not lesson.is_saved])
        return len(done) == len(lessons)


def then_learn(ingest: Slice, learnings: Learnings, ask: Callable[[Work], object]) -> Slice:
    """Reading documents as `ingest` does, after which facts are learned from what is shown now."""

    def run(subject: str, seconds_left: SecondsLeft) -> bool:
        is_more = ingest(subject, seconds_left)
        if not is_more and learnings.find(DocumentId(subject)) is not None:
            ask(Work(Job.LEARN, subject))
        return is_more

    return run


def _utterance(chunk: Chunk, talk: Talk, *, is_new: bool) -> Utterance:
    """A turn as whoever looks for facts is given it."""
    fragment = chunk.fragment
    if fragment is None:
        return Utterance(chunk.text, USER, None, is_open=False)
    is_named = fragment.speaker if talk.has_people or not is_person(fragment.role) else None
    said_on = fragment.at.date() if fragment.at else None
    return Utterance(chunk.text, is_named or _by_role(fragment.role), said_on, is_new and is_person(fragment.role))


def _by_role(role: str) -> str:
    return USER if is_person(role) else role
