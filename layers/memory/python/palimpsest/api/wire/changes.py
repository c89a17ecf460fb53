"""Changing memories: what is sent, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import ConfigDict, Field

from palimpsest.api.wire.fields import Answer, Content, Flag, Instant, Metadata, Name, Request, Tags, WrittenInstant
from palimpsest.api.wire.memory import MemoryItem
from palimpsest.api.wire.scrubbing import RedactionItem, WarningItem, redaction_items, warning_items
from palimpsest.api.wire.sources import Importance, SourceRequest, VersionNumber
from palimpsest.domain import instants
from palimpsest.domain.belief import Memory
from palimpsest.domain.version import Because, MemoryType
from palimpsest.usecases.drafts import UNSET, Annotated, Annotation, Forgotten, Outcome, Revised, Revision

_REVISED: Mapping[Outcome, Literal["unchanged", "conflict"]] = {
    Outcome.UNCHANGED: "unchanged",
    Outcome.CONFLICT: "conflict",
}


class UpdateRequest(Request):
    """A new version. What is left out is as before, the text too; `valid_until: null` takes the end away."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"content": "Marta prefers coffee", "valid_from": "2026-03-01"}]}
    )

    content: Content | None = None
    memory_type: MemoryType | None = None
    canonical: Content | None = None
    metadata: Metadata | None = None
    source: SourceRequest = SourceRequest()
    attributed_to: Name | None = None
    asserted_at: Instant | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    event_date: Instant | None = None
    because: Because | None = Field(
        default=None, description="`changed`: the old version was true until then. `corrected`: it was never true."
    )
    expected_version: VersionNumber | None = Field(default=None, description="409 when another version is current.")

    def to_revision(self) -> Revision:
        """The same for the core."""
        return Revision(
            content=self.content,
            memory_type=self.memory_type,
            canonical=self.canonical,
            metadata=self.metadata,
            source=self.source.to_claim(),
            attributed_to=self.attributed_to,
            asserted_at=self.asserted_at,
            valid_from=self.valid_from,
            valid_until=self.valid_until if "valid_until" in self.model_fields_set else UNSET,
            event_date=self.event_date,
            because=self.because,
            expected_version=self.expected_version,
        )


class AnnotateRequest(Request):
    """Changes without a new version. What is left out stays as it is; `expires_at: null` takes the expiry away."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pinned": True, "tags": ["home"]}]})

    tags: Tags | None = None
    pinned: Flag | None = None
    importance: Importance | None = None
    expires_at: Instant | None = None

    def to_annotation(self) -> Annotation:
        """The same for the core."""
        expires_at = self.expires_at if "expires_at" in self.model_fields_set else UNSET
        return Annotation(self.tags, self.pinned, self.importance, expires_at)


class RevertRequest(Request):
    """Which version's text becomes the new version."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1}]})

    version: VersionNumber
    expected_version: VersionNumber | None = None


class MemoryAnswer(Answer):
    """The memory as it is now."""

    memory: MemoryItem

    @classmethod
    def of(cls, memory: Memory) -> MemoryAnswer:
        """What is told of a write that comes to one memory."""
        return cls(memory=MemoryItem.of(memory))


class AnnotatedAnswer(Answer):
    """The memory as it is now."""

    memory: MemoryItem
    redactions: tuple[RedactionItem, ...]
    warnings: tuple[WarningItem, ...]

    @classmethod
    def of(cls, annotated: Annotated) -> AnnotatedAnswer:
        """What is told of new annotations."""
        return cls(
            memory=MemoryItem.of(annotated.memory),
            redactions=redaction_items(annotated.report.redactions),
            warnings=warning_items(annotated.report.cautions),
        )


class RevisedAnswer(Answer):
    """The memory as it is now. `outcome`: `versioned`, or `unchanged` when nothing in it would have changed.

    `conflict`: what would have been the new version is trusted less than the current one. It is a memory of its own
    now, the one that is told here, and both are disputed until somebody decides on `conflict_id`.
    """

    memory: MemoryItem
    outcome: Literal["versioned", "unchanged", "conflict"]
    conflict_id: str | None
    redactions: tuple[RedactionItem, ...]
    warnings: tuple[WarningItem, ...]

    @classmethod
    def of(cls, revised: Revised) -> RevisedAnswer:
        """What is told of an update or a revert."""
        outcome: Literal["versioned", "unchanged", "conflict"] = _REVISED.get(revised.outcome, "versioned")
        return cls(
            memory=MemoryItem.of(revised.memory),
            outcome=outcome,
            conflict_id=revised.conflict_id,
            redactions=redaction_items(revised.report.redactions),
            warnings=warning_items(revised.report.cautions),
        )


class ForgetAnswer(Answer):
    """The memory is out of every surface; until `restore_until` it can be restored."""

    memory: MemoryItem
    restore_until: WrittenInstant

    @classmethod
    def of(cls, forgotten: Forgotten) -> ForgetAnswer:
        """What is told of a memory that was forgotten."""
        return cls(memory=MemoryItem.of(forgotten.memory), restore_until=instants.write(forgotten.restore_until))
