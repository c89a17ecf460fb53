"""Contexts: what is packed for a prompt, and from what."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from palimpsest.api.wire.fields import Answer, Flag, Question, Request, Space, WrittenInstant, refused
from palimpsest.api.wire.memory import written
from palimpsest.api.wire.recall import MOST_SPACES, ArmItem
from palimpsest.domain.belief import Memory
from palimpsest.domain.packing.entry import Section
from palimpsest.domain.packing.writing import Placed
from palimpsest.usecases.answers import Confidence, ContextHit
from palimpsest.usecases.pack_context import BUDGET_TOKENS, MOST_TOKENS, Context, ContextQuery


class ContextRequest(Request):
    """What to pack."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "which queue does the service use?", "budget_tokens": 500}]}
    )

    query: Question
    budget_tokens: Annotated[int, Field(strict=True, ge=1, le=MOST_TOKENS)] = BUDGET_TOKENS
    sections: Annotated[tuple[Section, ...], Field(min_length=1, max_length=len(Section))] = tuple(Section)
    space: Space | None = None
    spaces: Annotated[tuple[Space, ...], Field(max_length=MOST_SPACES)] = ()
    dry_run: Flag = False

    @model_validator(mode="after")
    def _names_spaces_once(self) -> ContextRequest:
        if self.space is not None and self.spaces:
            raise refused("space_and_spaces", "give `space` or `spaces`, not both")
        return self

    def to_query(self) -> ContextQuery:
        """The same for the core."""
        return ContextQuery(
            query=self.query,
            budget_tokens=self.budget_tokens,
            sections=self.sections,
            spaces=self.spaces if self.space is None else (self.space,),
            is_dry_run=self.dry_run,
        )


class SectionItem(Answer):
    """A part of the context: a section that was asked for, or ``pinned``."""

    name: Section | Literal["pinned"]
    entries: int
    left_out: int


class ContextSource(Answer):
    """What stands behind the entry with that number."""

    number: int
    section: Section | Literal["pinned"]
    kind: Literal["memory", "context"]
    id: str
    root_id: str | None
    version: int | None
    document_id: str | None
    asserted_at: WrittenInstant | None
    cut: bool

    @classmethod
    def of(cls, number: int, placed: Placed, found: Memory | ContextHit) -> ContextSource:
        """What is told of an entry."""
        is_memory = isinstance(found, Memory)
        return cls(
            number=number,
            section=Section(placed.part) if placed.part in set(Section) else "pinned",
            kind="memory" if is_memory else "context",
            id=placed.entry.key,
            root_id=found.head.root if isinstance(found, Memory) else None,
            version=found.version.number if isinstance(found, Memory) else None,
            document_id=found.document.id if isinstance(found, ContextHit) else None,
            asserted_at=written(found.version.statement.asserted_at) if isinstance(found, Memory) else None,
            cut=placed.is_cut,
        )


class ContextAnswer(Answer):
    """Text for a prompt, fenced, with what it was made from. Empty text is an honest answer."""

    context: str
    tokens: int
    sections: tuple[SectionItem, ...]
    sources: tuple[ContextSource, ...]
    left_out: int
    disputed: int
    recall_id: str
    confidence: Confidence
    arms: tuple[ArmItem, ...]
    recorded: bool
    took_ms: float

    @classmethod
    def of(cls, context: Context) -> ContextAnswer:
        """What is told of a context."""
        packed = context.packed
        return cls(
            context=packed.text,
            tokens=packed.tokens,
            sections=tuple(
                SectionItem.model_validate(
                    {"name": part.name, "entries": len(part.placed), "left_out": len(part.left_out)}
                )
                for part in packed.parts
            ),
            sources=tuple(
                ContextSource.of(number, each, context.found[each.entry.key])
                for number, each in enumerate(packed.placed, start=1)
            ),
            left_out=packed.left_out,
            disputed=context.disputed,
            recall_id=context.id,
            confidence=context.confidence,
            arms=tuple(map(ArmItem.of, context.arms)),
            recorded=context.is_recorded,
            took_ms=round(context.took_ms, 3),
        )
