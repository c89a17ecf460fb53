"""The vocabulary: what is sent, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, Strict, model_validator

from palimpsest.api.wire.fields import Answer, Request, Space, WrittenInstant, refused
from palimpsest.api.wire.scrubbing import RedactionItem, WarningItem, redaction_items, warning_items
from palimpsest.domain import instants
from palimpsest.domain.graph.links import ChunkSource, MemorySource
from palimpsest.domain.graph.term import TermChange, TermEvent, TermKind, TermStatus
from palimpsest.domain.naming.vocabulary import LOOMEM_RELATIONS, Tier
from palimpsest.stores.link_entries import Held
from palimpsest.usecases.change_vocabulary import DESCRIPTION_CHARACTERS, NewTerm, TermChanged
from palimpsest.usecases.vocabulary_shown import TermShown, VocabularyShown

EXAMPLE_ID = "voc_3bd0f273a807f2361b7ad8903f19a9d4@default"
Described: TypeAlias = Annotated[str, Strict(), Field(min_length=1, max_length=DESCRIPTION_CHARACTERS)]


class NewTermRequest(Request):
    """A term to be added. What was proposed under that name is taken up with it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"kind": "entity_type", "name": "recipe", "description": "A dish that somebody cooks."}]
        }
    )

    kind: TermKind
    name: Annotated[str, Strict(), Field(min_length=1, max_length=120)]
    description: Described
    space: Space | None = None

    def to_term(self) -> NewTerm:
        """The same for the core."""
        return NewTerm(self.kind, self.name, self.description, self.space)


class TermChangeRequest(Request):
    """What to change: exactly one of the two."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "disabled"}]})

    description: Described | None = None
    status: Literal["active", "disabled"] | None = None

    @model_validator(mode="after")
    def _has_one(self) -> TermChangeRequest:
        if (self.description is None) == (self.status is None):
            raise refused("one_of", "give exactly one of description and status")
        return self


class ApproveTermRequest(Request):
    """What the term means, for all who read with it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"description": "A dish that somebody cooks."}]})

    description: Described | None = None


class TermExampleItem(Answer):
    """What a source would name, or state, if there were the term. Either a memory or a chunk of a document."""

    memory_id: str | None
    document_id: str | None
    chunk_id: str | None
    name: str
    target: str | None
    phrase: str | None
    confidence: float

    @classmethod
    def of(cls, each: Held) -> TermExampleItem:
        """What is told of an example."""
        source, held = each.source, each.held
        return cls(
            memory_id=str(source) if isinstance(source, MemorySource) else None,
            document_id=source.document if isinstance(source, ChunkSource) else None,
            chunk_id=source.chunk if isinstance(source, ChunkSource) else None,
            name=held.name,
            target=held.target or None,
            phrase=held.phrase or None,
            confidence=held.confidence,
        )


class TermItem(Answer):
    """A type of entities or a predicate."""

    id: str = Field(examples=[EXAMPLE_ID])
    kind: TermKind
    name: str
    description: str
    tier: Tier
    status: TermStatus
    count: int
    examples: tuple[TermExampleItem, ...]

    @classmethod
    def of(cls, shown: TermShown) -> TermItem:
        """What is told of a term."""
        return cls(
            id=str(shown.id),
            kind=shown.term.kind,
            name=shown.term.name,
            description=shown.term.description,
            tier=shown.term.tier,
            status=shown.term.status,
            count=shown.count,
            examples=tuple(map(TermExampleItem.of, shown.examples)),
        )


class TermEventItem(Answer):
    """One change of a term, and how it stood before."""

    at: WrittenInstant
    by: str
    what: TermChange
    tier_before: Tier
    status_before: TermStatus
    description_before: str

    @classmethod
    def of(cls, event: TermEvent) -> TermEventItem:
        """What is told of a change."""
        return cls(
            at=instants.write(event.at),
            by=event.by,
            what=event.what,
            tier_before=event.before.tier,
            status_before=event.before.status,
            description_before=event.before.description,
        )


class TermHistoryItem(TermItem):
    """A term with what was done to it, newest first; at most a hundred changes."""

    history: tuple[TermEventItem, ...]

    @classmethod
    def told(cls, shown: TermShown, history: Sequence[TermEvent]) -> TermHistoryItem:
        """What is told of a term and its history."""
        term = TermItem.of(shown).model_dump()
        return cls(**term, history=tuple(map(TermEventItem.of, history)))


class RelationNameItem(Answer):
    """What Loomem calls a relation, and the predicate that it is here; null: it stays a mention with its words."""

    name: str
    predicate: str | None
    reversed: bool


class VocabularyAnswer(Answer):
    """The whole vocabulary of a space."""

    space: str
    entity_types: tuple[TermItem, ...]
    predicates: tuple[TermItem, ...]
    relations: tuple[RelationNameItem, ...]
    proposals: tuple[TermItem, ...]

    @classmethod
    def of(cls, shown: VocabularyShown) -> VocabularyAnswer:
        """What is told of a vocabulary."""
        terms = [TermItem.of(each) for each in shown.terms]
        return cls(
            space=shown.space,
            entity_types=tuple(each for each in terms if each.kind is TermKind.ENTITY_TYPE),
            predicates=tuple(each for each in terms if each.kind is TermKind.PREDICATE),
            relations=tuple(
                RelationNameItem(name=name, predicate=each.predicate, reversed=each.is_reversed)
                for name, each in LOOMEM_RELATIONS.items()
            ),
            proposals=tuple(map(TermItem.of, shown.proposals)),
        )


class TermAnswer(Answer):
    """The term as it is now, and what was done.

    `entities_linked` and `relations_linked`: how many of the kept examples are in the graph by now, where a proposal
    was taken up. `redactions` and `warnings` are those of the description.
    """

    term: TermItem
    entities_linked: int
    relations_linked: int
    redactions: tuple[RedactionItem, ...]
    warnings: tuple[WarningItem, ...]

    @classmethod
    def of(cls, changed: TermChanged) -> TermAnswer:
        """What is told of a change."""
        return cls(
            term=TermItem.of(changed.shown),
            entities_linked=changed.linked.entities,
            relations_linked=changed.linked.relations,
            redactions=redaction_items(changed.report.redactions),
            warnings=warning_items(changed.report.cautions),
        )
