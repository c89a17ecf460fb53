"""A memory as it is shown."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from palimpsest.api.wire.fields import Answer, Range, WrittenInstant, is_none
from palimpsest.domain import instants
from palimpsest.domain.belief import Annotations, Memory, Status
from palimpsest.domain.extraction import Extraction, Method
from palimpsest.domain.source import Source, Trust
from palimpsest.domain.version import MemoryType, Statement, Version

EXAMPLE_ID = "mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"


class SourceItem(Answer):
    """Where a statement comes from; `trust` is the grade that holds."""

    agent: str
    session: str | None
    channel: str | None
    trust: Trust

    @classmethod
    def of(cls, source: Source) -> SourceItem:
        """What is told of it."""
        return cls(agent=source.agent, session=source.session, channel=source.channel, trust=source.trust)


class ExtractionItem(Answer):
    """How a memory was learned from a conversation, and from which words: their range is in its whole text."""

    subject: str
    confidence: float
    method: Method
    model: str | None
    date_phrase: str | None
    document_id: str
    chunk_id: str
    chars: Range

    @classmethod
    def of(cls, extraction: Extraction) -> ExtractionItem:
        """What is told of it."""
        return cls(
            subject=extraction.subject,
            confidence=extraction.confidence,
            method=extraction.method,
            model=extraction.model,
            date_phrase=extraction.date_phrase,
            document_id=extraction.document,
            chunk_id=extraction.chunk,
            chars=extraction.characters,
        )


class MemoryItem(Answer):
    """One version of a memory, and how it stands.

    `content_truncated` is there when the answer would have passed 4 MB: the whole text is at GET /memory/{id}.
    `restore_until` is there when the memory is forgotten and was asked for; `extraction` when it was learned from a
    conversation.
    """

    id: str = Field(examples=[f"{EXAMPLE_ID}@2"])
    root_id: str = Field(examples=[EXAMPLE_ID])
    version: int
    status: Status
    memory_type: MemoryType
    content: str
    canonical: str | None
    level: str
    asserted_at: WrittenInstant
    recorded_at: WrittenInstant
    stale_since: WrittenInstant | None
    valid_from: WrittenInstant | None
    valid_until: WrittenInstant | None
    event_date: WrittenInstant | None
    source: SourceItem
    attributed_to: str | None
    metadata: dict[str, Any]
    derived_from: tuple[str, ...]
    extraction: ExtractionItem | None = Field(default=None, exclude_if=is_none)
    run_id: str | None
    created_by: str
    content_hash: str
    previous_hash: str | None
    space: str
    tags: tuple[str, ...]
    pinned: bool
    importance: float
    strength: float
    access_count: int
    last_recalled_at: WrittenInstant | None
    expires_at: WrittenInstant | None
    dormant: bool = False
    disputed: bool
    merged_into: str | None
    embedding: Literal["ready", "pending"]
    content_truncated: bool | None = Field(default=None, exclude_if=is_none)
    restore_until: WrittenInstant | None = Field(default=None, exclude_if=is_none)

    @classmethod
    def of(cls, memory: Memory, *, tells_window: bool = False) -> MemoryItem:
        """What is told of `memory`; with the end of its recovery window when `tells_window`."""
        version, head = memory.version, memory.head
        return cls(
            status=memory.status,
            stale_since=written(memory.stale_since),
            space=memory.space,
            embedding="pending" if head.embedded < version.number == head.current else "ready",
            disputed=head.is_disputed,
            merged_into=head.merged_into,
            importance=memory.importance,
            strength=memory.reinforcement.strength,
            access_count=memory.reinforcement.access_count,
            last_recalled_at=written(memory.reinforcement.last_recalled_at),
            restore_until=written(head.restore_until) if tells_window else None,
            **_of_row(version),
            **_of_statement(version.statement),
            **_of_annotations(head.annotations),
        )


def _of_row(version: Version) -> dict[str, Any]:
    return {
        "id": str(version.ref),
        "root_id": version.root,
        "version": version.number,
        "recorded_at": instants.write(version.recorded_at),
        "run_id": version.run,
        "created_by": version.created_by,
        "content_hash": version.content_hash,
        "previous_hash": version.previous_hash,
    }


def _of_statement(said: Statement) -> dict[str, Any]:
    source = said.source
    return {
        "memory_type": said.memory_type,
        "content": said.content,
        "canonical": said.canonical,
        "level": said.level,
        "asserted_at": instants.write(said.asserted_at),
        "valid_from": written(said.valid_from),
        "valid_until": written(said.valid_until),
        "event_date": written(said.event_date),
        "source": SourceItem.of(source),
        "attributed_to": said.attributed_to,
        "metadata": json.loads(said.metadata),
        "derived_from": said.derived_from,
        "extraction": None if said.extraction is None else ExtractionItem.of(said.extraction),
    }


def _of_annotations(annotations: Annotations) -> dict[str, Any]:
    return {
        "tags": annotations.tags,
        "pinned": annotations.pinned,
        "expires_at": written(annotations.expires_at),
    }


def written(instant: datetime | None) -> str | None:
    """`instant` as text, if there is one."""
    return None if instant is None else instants.write(instant)
