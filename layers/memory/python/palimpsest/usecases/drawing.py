"""Parts of the graph as nodes and edges: memories, documents, chunks and entities, each with what it is joined to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from palimpsest.domain.document import Chunk, Document
from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import MENTION, MemorySource, Source
from palimpsest.domain.ids import ChunkId, EntityId, RootId, parse_document
from palimpsest.domain.version import Version
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.edges import EdgeKind, Edges
from palimpsest.stores.entities import Entities
from palimpsest.stores.links import LinkStore
from palimpsest.stores.tallies import Tallies
from palimpsest.usecases.around import states
from palimpsest.usecases.live_sources import LiveSources
from palimpsest.usecases.named_by import NamedBy

LABEL: Final = 120
"""Characters of a text that name its node."""
_STATED: Final = 100
_LOOKED_AT: Final = 1_000
_DRAWN: Final = 100
"""Entities of one document: those that are looked at, and the heaviest of them that are drawn."""

CONTAINS: Final = "contains"
DERIVED: Final = "derived_from"


class NodeKind(StrEnum):
    """What a node stands for."""

    MEMORY = "memory"
    ENTITY = "entity"
    DOCUMENT = "document"
    CHUNK = "chunk"


@dataclass(frozen=True, slots=True)
class Node:
    """A node. `type`: of a memory or an entity, or the kind of a document."""

    id: str
    kind: NodeKind
    label: str
    type: str | None = None


class Joint(NamedTuple):
    """What an edge joins, and how."""

    start: str
    end: str
    relation: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """Nodes by id, and edges with how many sources speak for each."""

    nodes: Mapping[str, Node] = field(default_factory=dict)
    edges: Mapping[Joint, int] = field(default_factory=dict)

    def __or__(self, other: Drawn) -> Drawn:
        return Drawn({**self.nodes, **other.nodes}, {**self.edges, **other.edges})


@dataclass(frozen=True, slots=True)
class Draw:
    """Draws what is live; entities as those that they count for."""

    beliefs: Beliefs
    edges: Edges
    links: LinkStore
    entities: Entities
    tallies: Tallies
    live: LiveSources
    named: NamedBy

    def memories(self, answering: Sequence[MemorySource], when: Filters | None = None) -> Drawn:
        """Memories as they answer, the entities that they name, what they were made from, and what was decided."""
        roots: dict[Source, RootId] = {each: each.root for each in answering}
        named = {roots[source]: found for source, found in self.named(roots).items()}
        drawn = self.bare(answering) | Drawn({}, self._decided(roots.values()))
        return _naming(named) | drawn | self._ends(drawn, when)

    def answering(self, roots: Sequence[RootId], when: Filters | None = None) -> list[MemorySource]:
        """Of these memories the versions that recall returns, now or when asked for another time."""
        heads = self.beliefs.heads(roots, only_readable=True).values()
        found = [MemorySource(head.root, head.current) for head in heads]
        live = self.live(found, when)
        if live.answering is not None:
            found = [MemorySource(root, number) for root, number in live.answering.items()]
            live = self.live(found, when)
        return [each for each in found if each in live]

    def bare(self, answering: Sequence[MemorySource]) -> Drawn:
        """Memories as they answer, and what they were made from."""
        versions = self.beliefs.versions([(each.root, each.number) for each in answering], only_readable=True).values()
        nodes: dict[str, Node] = {each.root: _memory(each) for each in versions}
        edges = {
            Joint(each.root, source.partition("@")[0], DERIVED): 1
            for each in versions
            for source in each.statement.derived_from
        }
        return Drawn(nodes, edges)

    def folded(self, documents: Sequence[Document]) -> Drawn:
        """Documents as one node each."""
        return Drawn({each.id: Node(each.id, NodeKind.DOCUMENT, each.title, each.kind) for each in documents})

    def documents(self, documents: Sequence[Document]) -> Drawn:
        """Documents as one node each, with the entities that most of their chunks name; the weight is how many do."""
        weights = {each.id: _heaviest(self.tallies.entities_in(each.id, _LOOKED_AT)) for each in documents}
        standing = self.entities.standing(entity for found in weights.values() for entity in found)
        edges: Counter[Joint] = Counter()
        for document, found in weights.items():
            for entity, weight in found.items():
                if entity in standing:
                    edges[Joint(document, standing[entity].id, MENTION)] += weight
        return self.folded(documents) | Drawn({}, edges) | _entities(standing.values())

    def chunks(self, document: Document, chunks: Sequence[Chunk], named: Mapping[ChunkId, Iterable[Entity]]) -> Drawn:
        """Chunks of a document with what each names."""
        nodes: dict[str, Node] = {each.id: Node(each.id, NodeKind.CHUNK, _label(each.text)) for each in chunks}
        edges = {Joint(document.id, each, CONTAINS): 1 for each in nodes}
        return self.folded([document]) | _naming(named) | Drawn(nodes, edges)

    def relations(self, entities: Sequence[Entity], when: Filters | None = None) -> Drawn:
        """Entities with what live sources state from them; the weight of an edge is how many state it."""
        groups = {each.id: self.entities.group(each.id) for each in entities}
        stated = [
            (entity, found)
            for entity, group in groups.items()
            for each in group
            for is_live in states(when)
            for found in self.links.stated(each, is_from=True, is_live=is_live, limit=_STATED)
        ]
        live = self.live((found.source for _, found in stated), when)
        standing = self.entities.standing(found.target for _, found in stated)
        edges: Counter[Joint] = Counter()
        for entity, found in dict.fromkeys(stated):
            target = standing.get(found.target)
            if target is not None and target.id != entity and found.source in live:
                edges[Joint(entity, target.id, found.predicate)] += 1
        ends = {each.id: each for each in standing.values() if any(joint.end == each.id for joint in edges)}
        return Drawn({}, edges) | _entities([*entities, *ends.values()])

    def _ends(self, drawn: Drawn, when: Filters | None) -> Drawn:
        """The memories and documents to which edges lead, as far as they are shown."""
        ends = dict.fromkeys(joint.end for joint in drawn.edges if joint.end not in drawn.nodes)
        memories = self.bare(self.answering([RootId(each) for each in ends if each.startswith("mem_")], when))
        documents = self.live.documents.find(found for each in ends if (found := parse_document(each)))
        return Drawn(memories.nodes) | self.folded([each for each in documents.values() if each.is_shown])

    def _decided(self, roots: Iterable[RootId]) -> dict[Joint, int]:
        return {
            Joint(root, edge.other, edge.kind): 1
            for root in roots
            for kind in (EdgeKind.DISTINCT, EdgeKind.REPLACES)
            for edge in self.edges.of(root, kind)
            if edge.is_active
        }


def _heaviest(weights: Mapping[EntityId, int]) -> dict[EntityId, int]:
    heaviest = sorted(weights, key=lambda each: (-weights[each], each))[:_DRAWN]
    return {each: weights[each] for each in heaviest}


def _naming(named: Mapping[RootId, Iterable[Entity]] | Mapping[ChunkId, Iterable[Entity]]) -> Drawn:
    edges = {Joint(node, each.id, MENTION): 1 for node, found in named.items() for each in found}
    return Drawn({}, edges) | _entities(each for found in named.values() for each in found)


def _entities(entities: Iterable[Entity]) -> Drawn:
    return Drawn({each.id: Node(each.id, NodeKind.ENTITY, each.name, each.type) for each in entities})


def _memory(version: Version) -> Node:
    return Node(version.root, NodeKind.MEMORY, _label(version.statement.content), version.statement.memory_type)


def _label(text: str) -> str:
    flat = " ".join(text[: 4 * LABEL].split())
    return flat if len(flat) <= LABEL else f"{flat[: LABEL - 1]}…"
