"""What one source (a version of a memory, or a chunk of a document) names and states."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from math import inf
from typing import Final

from palimpsest.domain.ids import ChunkId, DocumentId, EntityId, RootId, RunId, SpaceId
from palimpsest.domain.naming.proposals import Method, Span

MENTION: Final = "mention"
"""The predicate of what is stated in words that the vocabulary has no predicate for, or not surely enough."""

IS: Final = "is"
"""The predicate of an attribute: its phrase says what the entity is said to be."""


@dataclass(frozen=True, slots=True)
class MemorySource:
    """One version of a memory."""

    root: RootId
    number: int

    def __str__(self) -> str:
        return f"{self.root}@{self.number}"


@dataclass(frozen=True, slots=True)
class ChunkSource:
    """A chunk, and its document."""

    chunk: ChunkId
    document: DocumentId

    @property
    def number(self) -> int:
        """A chunk never changes, so it has one state only."""
        return 0

    def __str__(self) -> str:
        return f"{self.chunk}@{self.document}"


Source = MemorySource | ChunkSource


def parse_source(text: str) -> Source:
    """The source that `str` wrote."""
    name, _, rest = text.partition("@")
    return MemorySource(RootId(name), int(rest)) if rest.isdigit() else ChunkSource(ChunkId(name), DocumentId(rest))


def subject(source: Source) -> str:
    """Whose words they are: two versions of one memory are one, and so are two chunks of one document."""
    return source.root if isinstance(source, MemorySource) else source.document


class ReadBy(StrEnum):
    """What read a source."""

    RULES = "rules"
    MODEL = "model"


class Outcome(StrEnum):
    """What came of reading a source."""

    LINKED = "linked"
    EMPTY = "empty"
    MATH_DENSE = "math-dense"
    UNDONE = "undone"
    """The run that had read it was undone; nothing reads it again but a run that somebody asks for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The source names an entity. `name`: as it stands there; `span`: where first, when that is known."""

    entity: EntityId
    name: str
    method: Method
    confidence: float
    span: Span | None = None

    @property
    def begins(self) -> float:
        """Where in the text; what is named nowhere in it comes last."""
        return inf if self.span is None else self.span.start


@dataclass(frozen=True, slots=True)
class Relation:
    """The source states something of entities that it names.

    Attributes:
        target: None of an attribute.
        phrase: What it says in its own words.
        proposed: The predicate that was meant, where it is kept as a `MENTION`.
        evidence: Where it is stated, when that is known.
    """

    subject: EntityId
    predicate: str
    target: EntityId | None
    confidence: float
    phrase: str = ""
    proposed: str | None = None
    evidence: Span | None = None


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What a source would name or state, if the vocabulary had a term for it: an example of a proposal.

    Attributes:
        proposal: Keyed hash of the term's kind and name.
        kind: ``entity_type`` or ``predicate``.
        term: The name that is proposed.
        name: The entity, or where the relation begins.
        target: Where the relation leads; empty of an entity.
        phrase: What the source says in its own words.
    """

    proposal: str
    kind: str
    term: str
    name: str
    confidence: float
    target: str = ""
    phrase: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """All that was found in one source, and how.

    Attributes:
        said_at: When the version was recorded, or the chunk added.
        read_at: When it was extracted.
        is_live: The version is current, or the chunk is there.
        vocabulary: Revision of the vocabulary that it was read with.
        model: The name of the model, where one has read it.
        seen: Keyed hashes of capitalised phrases, by which another source knows them again, and of terms that this
            source proposed first.
        run: What it belongs to, to be undone with.
        held: What waits for a term of the vocabulary.
        revision: How many times the links were written.
    """

    source: Source
    space: SpaceId
    said_at: datetime
    read_at: datetime
    outcome: Outcome
    read_by: ReadBy = ReadBy.RULES
    vocabulary: int = 0
    model: str | None = None
    run: RunId | None = None
    is_live: bool = True
    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    seen: tuple[str, ...] = field(default=())
    held: tuple[HeldOut, ...] = ()
    revision: int = 0

    @property
    def entities(self) -> tuple[EntityId, ...]:
        """Whom it names, in order."""
        return tuple(mention.entity for mention in self.mentions)

    @property
    def subjects(self) -> frozenset[EntityId]:
        """Whom it is about: of whom it states something; where it states nothing, the first that it names."""
        stated = frozenset(each.subject for each in self.relations)
        if stated or not self.mentions:
            return stated
        return frozenset([min(self.mentions, key=lambda each: (each.begins, each.entity)).entity])
