"""The graph for callers, page by page: memories, then documents, then what is stated between entities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Head, State
from palimpsest.domain.document import Document
from palimpsest.domain.errors import NotFound
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import MemorySource
from palimpsest.domain.ids import DocumentId, EntityId
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.listing import Listing
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drawing import Draw, Drawn
from palimpsest.usecases.library import Library
from palimpsest.usecases.paging import page
from palimpsest.usecases.show_entities import ShowEntities

_MEMORIES, _DOCUMENTS, _ENTITIES = "1", "2", "3"
"""What the places of each part begin with, in the order in which the parts come."""

Drawable = Head | Document | Entity


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """Which part of the graph. `chunks_of`: that document, opened into its chunks."""

    space: str | None = None
    chunks_of: DocumentId | None = None
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class GraphPage:
    """Nodes and edges of one page; both ends of an edge are among its nodes.

    An edge is on the page that begins with the node from which it leads, and on no other; a node may come again.
    """

    drawn: Drawn
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class ViewGraph:
    """Shows the graph."""

    listing: Listing
    library: Library
    show: ShowEntities
    draw: Draw
    cursors: Cursors

    def __call__(self, caller: Caller, query: GraphQuery) -> GraphPage:
        """One page: at most `limit` memories, documents and entities, with what they are joined to.

        Raises:
            NotAllowed: The key may not enter the space.
            NotFound: There is no such document.
            CursorRefused: Not a cursor of this query and this key.
        """
        caller.require(Role.READER)
        if query.chunks_of is not None:
            return self._chunks(caller, query.chunks_of, query)
        name = caller.require_space(query.space)
        binding = ("graph", name, caller.key)
        after = self.cursors.open(query.cursor, *binding) if query.cursor else ""
        space = self.show.manage.steps.spaces.find(name)
        if space is None:
            return GraphPage(Drawn())
        some, place = page(self._walk(space, after), query.limit, self._shown)
        more = None if place is None else self.cursors.seal(place, *binding)
        return GraphPage(self.closed(self._drawn(some)), more)

    def closed(self, drawn: Drawn) -> Drawn:
        """Without edges to nodes that are not drawn, such as memories that are not current."""
        edges = {joint: n for joint, n in drawn.edges.items() if {joint.start, joint.end} <= drawn.nodes.keys()}
        return replace(drawn, edges=edges)

    def entities(self, entities: Sequence[EntityId]) -> list[Entity]:
        """These entities, or those that they count for."""
        return list(self.show.entities.standing(entities).values())

    def _walk(self, space: Space, after: str) -> Iterator[tuple[str, Drawable]]:
        part, _, place = after.partition("|")
        walks = {_MEMORIES: self._memories, _DOCUMENTS: self._documents, _ENTITIES: self._entities}
        for name, walk in walks.items():
            if not part or name >= part:
                yield from ((f"{name}|{at}", each) for at, each in walk(space, place if name == part else None))

    def _memories(self, space: Space, before: str | None) -> Iterator[tuple[str, Drawable]]:
        return self.listing.walk(space, State.LIVE, before, None, only_readable=True)

    def _documents(self, space: Space, before: str | None) -> Iterator[tuple[str, Drawable]]:
        return self.library.documents.walk(space.id, before)

    def _entities(self, space: Space, before: str | None) -> Iterator[tuple[str, Drawable]]:
        return self.show.entities.newest(space.id, before)

    def _shown(self, some: Sequence[Drawable]) -> list[Drawable]:
        current = self.draw.live.current([each for each in some if isinstance(each, Head)])
        documents = [each for each in some if isinstance(each, Document) and each.is_shown]
        return [*current, *documents, *self.show.shown([each for each in some if isinstance(each, Entity)])]

    def _drawn(self, some: list[Drawable]) -> Drawn:
        memories = self.draw.memories(
            [MemorySource(each.root, each.current) for each in some if isinstance(each, Head)]
        )
        documents = self.draw.documents([each for each in some if isinstance(each, Document)])
        return memories | documents | self.draw.relations([each for each in some if isinstance(each, Entity)])

    def _chunks(self, caller: Caller, document: DocumentId, query: GraphQuery) -> GraphPage:
        found = self.library.show(caller, document)
        if query.space is not None and caller.require_space(query.space) != found.space:
            raise NotFound("document")
        listed = self.library.chunks_of(caller, document, limit=query.limit, cursor=query.cursor)
        named = {each.chunk.id: each.entities for each in listed.chunks}
        drawn = self.draw.chunks(found.document, [each.chunk for each in listed.chunks], named)
        return GraphPage(drawn, listed.next_cursor)
