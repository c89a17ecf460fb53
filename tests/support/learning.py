"""A conversation sent, read and learned from, in an installation of a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from palimpsest.domain.belief import Memory
from palimpsest.domain.ids import DocumentId
from palimpsest.domain.library.fragments import Turn
from palimpsest.ports.work_queue import Job, Work
from palimpsest.usecases.add_conversation import Talk
from palimpsest.usecases.add_document import DocumentAdded
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, Installation

HELD = datetime(2026, 2, 18, 9, tzinfo=UTC)  # a Wednesday


def send(memory: Installation, turns: Sequence[Turn], **told: object) -> DocumentAdded:
    """Send a conversation and read it; nothing is learned yet."""
    talk = replace(Talk(turns, external_id="c1", held_at=HELD), **told)  # type: ignore[arg-type]
    added = memory.wired.service.add_conversation(OWNER, talk)
    memory.wired.worker(Work(Job.INGEST, added.document.id), lambda: 1_000)
    return added


def learn(memory: Installation, document: DocumentId) -> None:
    """Learn all that there is to learn."""
    while memory.wired.worker.slices[Job.LEARN](document, lambda: 1_000):
        pass


def taught(memory: Installation, turns: Sequence[Turn], **told: object) -> DocumentAdded:
    """Send a conversation, read it and learn from it."""
    added = send(memory, turns, **told)
    learn(memory, added.document.id)
    return added


def memories(memory: Installation, space: str = "default") -> list[Memory]:
    """Those that are current, the oldest first."""
    listed = memory.wired.service.list_memories(OWNER, ListQuery(space=space, limit=100))
    return list(reversed(listed.memories))


def contents(memory: Installation, space: str = "default") -> list[str]:
    """What they say."""
    return [each.version.statement.content for each in memories(memory, space)]
