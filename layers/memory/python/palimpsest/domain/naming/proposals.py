"""What a model or the rules propose of a text, and what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from palimpsest.domain.naming.names import NameFault


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text, in code points; `end` is the first one behind it."""

    start: int
    end: int


class Method(StrEnum):
    """How a name was found."""

    KNOWN = "known"
    HANDLE = "handle"
    PACKAGE = "package"
    DICTIONARY = "dictionary"
    LEGAL_FORM = "legal-form"
    PERSON = "person"
    CONTEXT = "context"
    SEEN_TWICE = "seen-twice"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class ProposedEntity:
    """A thing that a text names. `span`: where first, when that is known."""

    name: str
    type: str
    confidence: float
    method: Method = Method.MODEL
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class ProposedRelation:
    """What a text states between two things; `phrase`: in its own words where the predicate says less."""

    source: str
    predicate: str
    target: str
    confidence: float
    phrase: str = ""
    evidence: Span | None = None


@dataclass(frozen=True, slots=True)
class ProposedAttribute:
    """What a thing is said to be."""

    entity: str
    text: str
    confidence: float
    evidence: Span | None = None


@dataclass(frozen=True, slots=True)
class Proposals:
    """All that was proposed of one text, in the order of the text or of the answer."""

    entities: tuple[ProposedEntity, ...] = ()
    relations: tuple[ProposedRelation, ...] = ()
    attributes: tuple[ProposedAttribute, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A name that can't be one, and why."""

    name: str
    fault: NameFault


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of proposals.

    Attributes:
        entities: Of a known type, no two with the same name key.
        relations: Of a known predicate and sure enough, between kept entities or the owner.
        mentions: Relations of an unknown predicate, or too unsure; each keeps its phrase and its confidence.
        attributes: Of kept entities or the owner.
        unknown_types: Entities held out because nobody knows their type: examples for a proposal.
        unknown_predicates: Those of `mentions` that were sure: examples for a proposal.
        refused: Names that can't be one.
    """

    entities: tuple[ProposedEntity, ...] = ()
    relations: tuple[ProposedRelation, ...] = ()
    mentions: tuple[ProposedRelation, ...] = ()
    attributes: tuple[ProposedAttribute, ...] = ()
    unknown_types: tuple[ProposedEntity, ...] = ()
    unknown_predicates: tuple[ProposedRelation, ...] = ()
    refused: tuple[Refusal, ...] = ()
