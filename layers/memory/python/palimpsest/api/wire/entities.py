"""Entities: what is asked for, and what is told of them and of what they are related to."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints

from palimpsest.api.wire.fields import ENTITY_PATTERN, Answer, Name, Request, Space, WrittenInstant
from palimpsest.domain import instants
from palimpsest.domain.graph.entity import ALIASES, Entity, Origin
from palimpsest.domain.graph.links import MemorySource, Relation, Source
from palimpsest.domain.ids import EntityId
from palimpsest.stores.entity_codec import EntityChange, EntityEvent
from palimpsest.stores.link_entries import Named
from palimpsest.usecases.entities import EntityEdit, NewEntity
from palimpsest.usecases.merge_entities import Merge, MergesListed
from palimpsest.usecases.read_entity import EntityRead
from palimpsest.usecases.related import Related, RelatedFound, Statement
from palimpsest.usecases.show_entities import EntitiesListed, EntityHistory, ShownEntity

EXAMPLE = "ent_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"
EntityName: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=ENTITY_PATTERN)]
Aliases: TypeAlias = Annotated[tuple[Name, ...], Field(max_length=ALIASES)]
Standing: TypeAlias = Literal["current", "merged", "deleted"]


class NewEntityRequest(Request):
    """An entity to be declared."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "Pixel", "entity_type": "animal", "aliases": ["Pixie"]}]}
    )

    name: Name
    entity_type: Name
    aliases: Aliases = ()
    space: Space | None = None

    def to_new(self) -> NewEntity:
        """The same for the core."""
        return NewEntity(self.name, self.entity_type, self.aliases, self.space)


class EntityRequest(Request):
    """What is to change of an entity; what is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Aleksandra Nowak"}]})

    name: Name | None = None
    entity_type: Name | None = None
    aliases: Aliases | None = None

    def to_edit(self) -> EntityEdit:
        """The same for the core."""
        return EntityEdit(self.name, self.entity_type, self.aliases)


class MergeRequest(Request):
    """Which entity it is to count for."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"into": EXAMPLE}]})

    into: EntityName

    def to_id(self) -> EntityId:
        """The same for the core."""
        return EntityId(self.into)


class EntityItem(Answer):
    """An entity with what counts for it: `mentions` are the memories and the chunks that name it.

    `status`: `current`, `merged` while it counts for another one, or `deleted`.
    """

    id: str = Field(examples=[EXAMPLE])
    name: str
    entity_type: str
    aliases: tuple[str, ...]
    status: Standing
    mentions: int
    memories: int
    documents: int
    origin: Origin
    space: str
    created_at: WrittenInstant
    changed_at: WrittenInstant

    @classmethod
    def of(cls, shown: ShownEntity) -> EntityItem:
        """What is told of an entity."""
        entity = shown.entity
        return cls(
            id=entity.id,
            name=entity.name,
            entity_type=entity.type,
            aliases=shown.aliases,
            status="deleted" if entity.is_deleted else "current" if entity.is_node else "merged",
            mentions=shown.memories + shown.chunks,
            memories=shown.memories,
            documents=len(shown.documents),
            origin=entity.origin,
            space=shown.space,
            created_at=instants.write(entity.created_at),
            changed_at=instants.write(entity.changed_at),
        )


class EntityAnswer(Answer):
    """The entity as it is now."""

    entity: EntityItem

    @classmethod
    def of(cls, shown: ShownEntity) -> EntityAnswer:
        """What is told of an entity of which something was decided."""
        return cls(entity=EntityItem.of(shown))


class EntitiesAnswer(Answer):
    """One page of entities, newest first. It may be short and yet have a cursor."""

    entities: tuple[EntityItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: EntitiesListed) -> EntitiesAnswer:
        """What is told of a page."""
        return cls(entities=tuple(map(EntityItem.of, listed.entities)), next_cursor=listed.next_cursor)


class PlaceItem(Answer):
    """Where something stands: a version of a memory, or a chunk and its document."""

    memory_id: str | None
    chunk_id: str | None
    document_id: str | None

    @classmethod
    def of(cls, source: Source) -> PlaceItem:
        """What is told of a source."""
        if isinstance(source, MemorySource):
            return cls(memory_id=str(source), chunk_id=None, document_id=None)
        return cls(memory_id=None, chunk_id=source.chunk, document_id=source.document)


class NamingItem(PlaceItem):
    """What names an entity, and since when."""

    at: WrittenInstant

    @classmethod
    def naming(cls, named: Named) -> NamingItem:
        """What is told of a mention."""
        return cls(**dict(PlaceItem.of(named.source)), at=instants.write(named.said_at))


class NamingDocumentItem(Answer):
    """A document that names an entity, and in how many of its chunks."""

    document_id: str
    title: str
    chunk_count: int


class EntityInFullItem(EntityItem):
    """An entity with the newest of what names it, 20 at most, and the documents that name it most often, 50 at most."""

    sources: tuple[NamingItem, ...]
    named_in: tuple[NamingDocumentItem, ...]

    @classmethod
    def in_full(cls, read: EntityRead) -> EntityInFullItem:
        """What is told of one entity."""
        documents = [
            NamingDocumentItem(document_id=document.id, title=document.title, chunk_count=chunks)
            for document, chunks in read.documents
        ]
        sources = tuple(map(NamingItem.naming, read.sources))
        return cls(**dict(EntityItem.of(read.shown)), sources=sources, named_in=tuple(documents))


class EntityBeforeItem(Answer):
    """How an entity was called before a step."""

    name: str
    entity_type: str
    aliases: tuple[str, ...]

    @classmethod
    def of(cls, entity: Entity) -> EntityBeforeItem:
        """What is told of an entity as it was."""
        return cls(name=entity.name, entity_type=entity.type, aliases=entity.aliases)


class EntityStepItem(Answer):
    """One decision. `before`: the entity before it, null when it began so. `other`: the other entity of a merge."""

    revision: int
    what: EntityChange
    at: WrittenInstant
    by: str
    before: EntityBeforeItem | None
    other: str | None
    run_id: str | None

    @classmethod
    def of(cls, event: EntityEvent) -> EntityStepItem:
        """What is told of a decision."""
        return cls(
            revision=event.revision,
            what=event.what,
            at=instants.write(event.at),
            by=event.by,
            before=None if event.before is None else EntityBeforeItem.of(event.before),
            other=event.other,
            run_id=event.run,
        )


class EntityHistoryAnswer(Answer):
    """What people decided of an entity, newest first; one page."""

    id: str
    steps: tuple[EntityStepItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, history: EntityHistory) -> EntityHistoryAnswer:
        """What is told of a history."""
        steps = tuple(map(EntityStepItem.of, history.events))
        return cls(id=history.entity, steps=steps, next_cursor=history.next_cursor)


class NamedEntityItem(Answer):
    """Which entity."""

    id: str
    name: str
    entity_type: str

    @classmethod
    def of(cls, entity: Entity) -> NamedEntityItem:
        """What names an entity."""
        return cls(id=entity.id, name=entity.name, entity_type=entity.type)


class EvidenceItem(Answer):
    """Where in its text something is stated, in code points."""

    start: int
    end: int


class StatementItem(Answer):
    """A relation, as one source states it.

    A `predicate` of `mention` is one that is not sure enough, or for which the vocabulary has no word: `proposed` is
    the word that was meant.
    """

    subject: str = Field(serialization_alias="from")
    target: str = Field(serialization_alias="to")
    predicate: str
    proposed: str | None
    phrase: str | None
    confidence: float
    source: PlaceItem
    evidence: EvidenceItem | None

    @classmethod
    def of(cls, stated: Statement, via: EntityId, other: EntityId) -> StatementItem:
        """What is told of a relation between the two, which may count for those that the source names."""
        relation: Relation = stated.relation
        span = relation.evidence
        return cls(
            subject=via if stated.is_from else other,
            target=other if stated.is_from else via,
            predicate=relation.predicate,
            proposed=relation.proposed,
            phrase=relation.phrase or None,
            confidence=relation.confidence,
            source=PlaceItem.of(stated.source),
            evidence=None if span is None else EvidenceItem(start=span.start, end=span.end),
        )


class RelatedItem(Answer):
    """A related entity: what is `stated` between it and `via`, apart from how many sources name both (`shared`)."""

    entity: NamedEntityItem
    hops: int
    via: str
    stated: tuple[StatementItem, ...]
    shared: int

    @classmethod
    def of(cls, related: Related) -> RelatedItem:
        """What is told of a related entity."""
        return cls(
            entity=NamedEntityItem.of(related.entity),
            hops=related.hops,
            via=related.via,
            stated=tuple(StatementItem.of(each, related.via, related.entity.id) for each in related.stated),
            shared=related.shared,
        )


class RelatedAnswer(Answer):
    """What is related to an entity, the nearest first; with `path_to` the way there, empty where there is none."""

    entity: NamedEntityItem
    related: tuple[RelatedItem, ...]
    truncated: int

    @classmethod
    def of(cls, found: RelatedFound) -> RelatedAnswer:
        """What is told of what was found."""
        related = tuple(map(RelatedItem.of, found.related))
        return cls(entity=NamedEntityItem.of(found.entity), related=related, truncated=found.truncated)


class MergeItem(Answer):
    """An entity that counts for another one."""

    entity: NamedEntityItem
    into: NamedEntityItem
    at: WrittenInstant
    by: str

    @classmethod
    def of(cls, merge: Merge) -> MergeItem:
        """What is told of a merge."""
        entity, into = NamedEntityItem.of(merge.entity), NamedEntityItem.of(merge.into)
        return cls(entity=entity, into=into, at=instants.write(merge.at), by=merge.by)


class MergesAnswer(Answer):
    """One page of merges that stand, newest first."""

    merges: tuple[MergeItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: MergesListed) -> MergesAnswer:
        """What is told of a page."""
        return cls(merges=tuple(map(MergeItem.of, listed.merges)), next_cursor=listed.next_cursor)
