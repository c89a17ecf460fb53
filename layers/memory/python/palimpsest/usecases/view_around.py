"""The neighbourhood of a node: what it is joined to, and what that is joined to, as far as is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.document import Document
from palimpsest.domain.errors import Invalid, NotFound
from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import MENTION, ChunkSource, MemorySource
from palimpsest.domain.ids import (
    ChunkId,
    DocumentId,
    EntityId,
    RootId,
    VersionRef,
    parse_chunk,
    parse_document,
    parse_entity,
    parse_reference,
)
from palimpsest.usecases.drawing import Drawn, Joint
from palimpsest.usecases.view_graph import GraphPage, ViewGraph

DEPTH: Final = 3
_WIDTH: Final = 25
"""Nodes of one hop that are gone on from."""


@dataclass(frozen=True, slots=True)
class AroundQuery:
    """Which neighbourhood.

    Attributes:
        around: The id of a memory, an entity, a document or a chunk.
        limit: Of nodes.
        space: Only if it lies there; anywhere when None.
        as_of: What was true then; now when None. Entities, decisions and documents are as they are now, without
            documents that came later.
    """

    around: str
    depth: int = 1
    limit: int = 50
    space: str | None = None
    as_of: datetime | None = None

    @property
    def when(self) -> Filters | None:
        """Another time than now."""
        return None if self.as_of is None else Filters(as_of=self.as_of)


@dataclass(frozen=True, slots=True)
class ViewAround:
    """Shows neighbourhoods."""

    view: ViewGraph

    def __call__(self, caller: Caller, query: AroundQuery) -> GraphPage:
        """The node, what lies around it, and the edges between them; at most `limit` nodes, the nearest first.

        Raises:
            NotAllowed: The key may not enter the space.
            NotFound: There is no such node that this key may see.
            Invalid: The depth is not between 1 and 3.
        """
        caller.require(Role.READER)
        if not 1 <= query.depth <= DEPTH:
            raise Invalid("depth", f"depth lies between 1 and {DEPTH}")
        start, space = self._start(caller, query)
        if query.space is not None and caller.require_space(query.space) != space:
            raise NotFound("node")
        drawn, frontier = self._expanded([start], query.limit, query.when), [start]
        for _ in range(query.depth - 1):
            known = set(drawn.nodes)
            frontier = [each for each in drawn.nodes if each not in frontier][:_WIDTH]
            if not frontier or len(known) >= query.limit:
                break
            drawn = drawn | self._expanded(frontier, _WIDTH, query.when)
        nodes = dict(sorted(drawn.nodes.items(), key=lambda each: each[0] != start)[: query.limit])
        return GraphPage(self.view.closed(Drawn(nodes, drawn.edges)))

    def _start(self, caller: Caller, query: AroundQuery) -> tuple[str, str]:
        """The node as it is drawn, and its space; NotFound as above."""
        around, when = query.around, query.when
        if (entity := parse_entity(around)) is not None:
            space, found = self.view.show.one(caller, entity)
            return found.entity.id, space.name
        if (document := parse_document(around)) is not None:
            shown = self.view.library.show(caller, document)
            if not _was_there(shown.document, when):
                raise NotFound("document")
            return document, shown.space
        if (chunk := parse_chunk(around)) is not None:
            return chunk, self._chunk(caller, chunk, when)
        if (ref := parse_reference(around)) is not None:
            return ref.root, self._memory(caller, ref, when)
        raise NotFound("node")

    def _chunk(self, caller: Caller, chunk: ChunkId, when: Filters | None) -> str:
        """Its space; NotFound as above."""
        for found in self.view.library.chunks.find([chunk]).values():
            of = self.view.library.show(caller, found.document)
            if (source := ChunkSource(chunk, found.document)) in self.view.draw.live([source], when):
                return of.space
        raise NotFound("chunk")

    def _memory(self, caller: Caller, ref: VersionRef, when: Filters | None) -> str:
        """Its space; NotFound as above."""
        steps = self.view.show.manage.steps
        found = steps.find_shown(caller, ref.root)
        if not self.view.draw.answering([ref.root], when):
            raise NotFound("memory")
        return steps.spaces.by_id(found.belief.head.space).name

    def _expanded(self, ids: Sequence[str], limit: int, when: Filters | None) -> Drawn:
        """These nodes with all that each is joined to, in the order of the ids."""
        view, drawn = self.view, Drawn()
        entities = view.entities([EntityId(each) for each in ids if each.startswith("ent_")])
        memories = view.draw.answering([RootId(each) for each in ids if each.startswith("mem_")], when)
        drawn |= view.draw.memories(memories, when) | view.draw.relations(entities, when)
        for entity in entities:
            drawn |= self._naming(entity, limit, when)
        documents = view.library.documents.find(found for each in ids if (found := parse_document(each)))
        drawn |= view.draw.documents([each for each in documents.values() if each.is_shown])
        chunks = view.library.chunks.find(part for each in ids if (part := parse_chunk(each))).values()
        for chunk in chunks:
            for document in view.library.documents.find([chunk.document]).values():
                drawn |= view.draw.chunks(document, [chunk], view.draw.named.chunks([chunk]))
        return drawn

    def _naming(self, entity: Entity, limit: int, when: Filters | None) -> Drawn:
        """The memories and the documents that name an entity, the newest memories and the heaviest documents."""
        view = self.view
        sources = [each.source for each in view.show.sources(entity, limit, when)]
        memories = view.draw.bare([each for each in sources if isinstance(each, MemorySource)])
        chunks = Counter(each.document for each in sources if isinstance(each, ChunkSource))
        weights = view.show.weights(entity) if when is None else chunks
        heaviest = sorted(weights, key=lambda each: -weights[each])[:limit]
        documents = view.draw.folded(list(view.library.documents.find(heaviest).values()))
        edges = {
            Joint(each, entity.id, MENTION): weights.get(DocumentId(each), 1)
            for each in (*memories.nodes, *documents.nodes)
        }
        return memories | documents | Drawn({}, edges)


def _was_there(document: Document, when: Filters | None) -> bool:
    return when is None or when.as_of is None or document.created_at <= when.as_of
