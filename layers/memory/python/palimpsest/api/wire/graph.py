"""The graph: what is asked for, and what is told of its nodes and edges."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from palimpsest.api.wire.fields import Answer, Request, Space
from palimpsest.domain.errors import Invalid
from palimpsest.usecases.drawing import Drawn, Joint, Node, NodeKind
from palimpsest.usecases.view_graph import GraphPage


class IndexRequest(Request):
    """Of which space the memories and documents are to be read for entities."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"space": "team-north"}]})

    space: Space | None = None


class NodeItem(Answer):
    """A memory, an entity, a document or a chunk. `type`: of a memory or an entity, or where a document comes from."""

    id: str = Field(examples=["ent_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    kind: NodeKind
    label: str
    type: str | None

    @classmethod
    def of(cls, node: Node) -> NodeItem:
        """What is told of a node."""
        return cls(id=node.id, kind=node.kind, label=node.label, type=node.type)


class EdgeItem(Answer):
    """What joins two nodes of the same page.

    `relation`: `mention`, `contains`, `derived_from`, `replaces`, `distinct`, or a predicate of the vocabulary.
    `weight`: how many chunks or sources speak for it.
    """

    start: str = Field(serialization_alias="from")
    end: str = Field(serialization_alias="to")
    relation: str
    weight: int

    @classmethod
    def of(cls, joint: Joint, weight: int) -> EdgeItem:
        """What is told of an edge."""
        return cls(start=joint.start, end=joint.end, relation=joint.relation, weight=weight)


class GraphAnswer(Answer):
    """A part of the graph; both ends of an edge are among the nodes. A node may come again, with further edges."""

    nodes: tuple[NodeItem, ...]
    edges: tuple[EdgeItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, page: GraphPage) -> GraphAnswer:
        """What is told of a part of the graph."""
        drawn: Drawn = page.drawn
        edges = tuple(EdgeItem.of(joint, weight) for joint, weight in drawn.edges.items())
        return cls(nodes=tuple(map(NodeItem.of, drawn.nodes.values())), edges=edges, next_cursor=page.next_cursor)


def require_one_view(given: dict[str, object]) -> None:
    """Raise Invalid when parameters are given that belong to different views; None is not given."""
    names = {name for name, value in given.items() if value is not None}
    for view, others in _ALONE.items():
        if view in names and (beside := sorted(names & others)):
            raise Invalid(beside[0], f"{beside[0]} means nothing beside {view}; leave one of the two out")
    if "around" not in names and (alone := sorted(names & {"depth", "as_of"})):
        raise Invalid(alone[0], f"{alone[0]} belongs to around: say around what")


_ALONE = {"around": {"cursor", "chunks_of"}}
"""What does not go with each: a neighbourhood has one page."""
