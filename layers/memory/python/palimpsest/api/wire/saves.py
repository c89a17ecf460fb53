"""Saving memories, one or many: what is sent, and what is told of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import ErrorDetails

from palimpsest.api.wire.fields import Answer, Content, Flag, Instant, Metadata, Name, Request, Space, Tags
from palimpsest.api.wire.memory import MemoryItem
from palimpsest.api.wire.problems import ProblemItem
from palimpsest.api.wire.scrubbing import RedactionItem, WarningItem, redaction_items, warning_items
from palimpsest.api.wire.sources import Importance, SourceRequest
from palimpsest.domain.version import MemoryType
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Saved

BATCH_ITEMS = 100


class SaveRequest(Request):
    """A memory to be saved."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"content": "Marta prefers tea in the morning", "memory_type": "preference", "tags": ["marta"]}
            ]
        }
    )

    content: Content
    space: Space | None = None
    memory_type: MemoryType | None = None
    canonical: Content | None = None
    tags: Tags = ()
    metadata: Metadata = "{}"
    source: SourceRequest = SourceRequest()
    attributed_to: Name | None = None
    asserted_at: Instant | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    event_date: Instant | None = None
    expires_at: Instant | None = None
    pinned: Flag = False
    importance: Importance = 1.0
    judge: JudgeMode = JudgeMode.AUTO

    def to_draft(self) -> Draft:
        """The same for the core."""
        return Draft(
            content=self.content,
            space=self.space,
            memory_type=self.memory_type,
            canonical=self.canonical,
            tags=self.tags,
            metadata=self.metadata,
            source=self.source.to_claim(),
            attributed_to=self.attributed_to,
            asserted_at=self.asserted_at,
            valid_from=self.valid_from,
            valid_until=self.valid_until,
            event_date=self.event_date,
            expires_at=self.expires_at,
            pinned=self.pinned,
            importance=self.importance,
            judge=self.judge,
        )


class SaveAnswer(Answer):
    """What became of a save."""

    memory: MemoryItem
    outcome: Outcome
    conflict_id: str | None
    replaced: str | None
    redactions: tuple[RedactionItem, ...]
    warnings: tuple[WarningItem, ...]
    judged_by: str

    @classmethod
    def of(cls, saved: Saved) -> SaveAnswer:
        """What is told of a save."""
        return cls(
            memory=MemoryItem.of(saved.memory),
            outcome=saved.outcome,
            conflict_id=saved.conflict_id,
            replaced=saved.replaced,
            redactions=redaction_items(saved.report.redactions),
            warnings=warning_items(saved.report.cautions),
            judged_by=saved.judged_by,
        )


class BatchAnswer(Answer):
    """One answer or one problem per item, in the order of the items."""

    results: tuple[SaveAnswer | ProblemItem, ...]


@dataclass(frozen=True, slots=True)
class Misfit:
    """An item of a batch that is no save."""

    errors: list[ErrorDetails]


def _kept(value: object, validate: ValidatorFunctionWrapHandler) -> SaveRequest | Misfit:
    try:
        fit: SaveRequest = validate(value)
        return fit
    except ValidationError as error:
        return Misfit(error.errors(include_input=False, include_url=False))


class BatchRequest(Request):
    """Up to 100 memories; one that is not valid does not stop the others. `space` is for those that name none."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"memories": [{"content": "The wifi password is on the fridge"}]}]}
    )

    space: Space | None = None
    memories: Annotated[
        tuple[Annotated[SaveRequest, WrapValidator(_kept)], ...], Field(min_length=1, max_length=BATCH_ITEMS)
    ]

    def items(self) -> tuple[SaveRequest | Misfit, ...]:
        """The memories as they came, in order."""
        return self.memories
