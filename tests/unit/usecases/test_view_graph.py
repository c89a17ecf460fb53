"""Memories and documents are one graph, joined by what they name; it is shown in pages, and never what is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import DocumentId, RootId, VersionRef
from palimpsest.stores import edges
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.drafts import Revision
from palimpsest.usecases.drawing import Drawn, Joint
from palimpsest.usecases.view_around import AroundQuery
from palimpsest.usecases.view_graph import GraphQuery
from tests.support.deriving import made_from
from tests.support.graph import entities, multiply, settle, stores
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import READER, STRANGER

TEAM = b"# Team\n\nOla Nowak runs the release.\n\n# Holidays\n\nOla Nowak is away in May.\n"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def whole(memory: Installation, limit: int = 50) -> Drawn:
    """The graph from its pages, each of which is closed, and has edges that no other has."""
    drawn = Drawn()
    for page in pages(memory, limit):
        assert all({joint.start, joint.end} <= page.nodes.keys() for joint in page.edges)
        assert not page.edges.keys() & drawn.edges.keys()
        drawn = drawn | page
    return drawn


def pages(memory: Installation, limit: int) -> list[Drawn]:
    found, cursor = [], None
    while True:
        page = memory.wired.service.graph.view(READER, GraphQuery(limit=limit, cursor=cursor))
        found.append(page.drawn)
        cursor = page.next_cursor
        if cursor is None:
            return found


def filled(memory: Installation) -> tuple[RootId, DocumentId]:
    root = memory.save("Ola Nowak works at Acme Corp")
    document = memory.wired.service.add_document(OWNER, Sending("team.md", TEAM)).document.id
    settle(memory)
    return RootId(root), document


def around(memory: Installation, node: str, depth: int = 1, as_of: datetime | None = None) -> Drawn:
    return memory.wired.service.graph.around(READER, AroundQuery(node, depth, as_of=as_of)).drawn


def test_a_memory_and_a_document_are_two_hops_apart(memory: Installation) -> None:
    root, document = filled(memory)
    ola, acme = (entities(memory)[name].id for name in ("Ola Nowak", "Acme"))

    drawn = whole(memory)

    assert {node.id: node.kind for node in drawn.nodes.values()} == {
        root: "memory",
        document: "document",
        ola: "entity",
        acme: "entity",
    }
    assert drawn.edges == {
        Joint(root, ola, "mention"): 1,
        Joint(root, acme, "mention"): 1,
        Joint(document, ola, "mention"): 2,
        Joint(ola, acme, "works_at"): 1,
    }


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_of_any_size_give_the_same_graph(memory: Installation, limit: int) -> None:
    filled(memory)

    assert whole(memory, limit) == whole(memory)


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_an_edge_between_memories_and_one_to_a_document_is_on_the_page_of_the_node_that_it_leads_from(
    memory: Installation, limit: int
) -> None:
    root, document = filled(memory)
    other = RootId(memory.save("Piotr Zieliński lives in Kraków"))
    stores(memory).beliefs.table.write_batch(edges.apart(root, other))
    learned = made_from(memory, "Ola Nowak runs the release", root, other, documents=(document,))
    settle(memory)

    assert {joint for joint in whole(memory, limit).edges if joint.relation in {"derived_from", "distinct"}} == {
        Joint(root, other, "distinct"),
        Joint(other, root, "distinct"),
        Joint(learned, root, "derived_from"),
        Joint(learned, other, "derived_from"),
        Joint(learned, document, "derived_from"),
    }


def test_a_page_looks_at_a_thousand_entries_however_few_are_shown(memory: Installation) -> None:
    filled(memory)
    before = whole(memory)
    multiply(memory, entities(memory)["Acme"], 1_100)

    assert len(pages(memory, 50)) == 2
    assert whole(memory) == before


def test_a_document_opens_into_its_chunks(memory: Installation) -> None:
    _, document = filled(memory)
    ola = entities(memory)["Ola Nowak"].id

    drawn = memory.wired.service.graph.view(READER, GraphQuery(chunks_of=document)).drawn

    chunks = [node for node in drawn.nodes.values() if node.kind == "chunk"]
    assert [node.label for node in chunks] == ["Ola Nowak runs the release.", "Ola Nowak is away in May."]
    assert drawn.edges == {Joint(document, each.id, "contains"): 1 for each in chunks} | {
        Joint(each.id, ola, "mention"): 1 for each in chunks
    }


def test_the_chunks_of_a_document_tell_what_they_name_by_the_name_that_it_has_now(memory: Installation) -> None:
    _, document = filled(memory)
    graph = memory.wired.service.graph
    graph.merge(OWNER, entities(memory)["Ola Nowak"].id, entities(memory)["Acme"].id)

    listed = memory.wired.service.library.chunks_of(READER, document)

    assert [[entity.name for entity in each.entities] for each in listed.chunks] == [["Acme"], ["Acme"]]


def test_the_neighbourhood_of_a_node_grows_hop_by_hop(memory: Installation) -> None:
    root, document = filled(memory)
    ola, acme = (entities(memory)[name].id for name in ("Ola Nowak", "Acme"))

    assert set(around(memory, root).nodes) == {root, ola, acme}
    assert set(around(memory, ola).nodes) == {root, document, ola, acme}
    assert set(around(memory, root, depth=2).nodes) == {root, document, ola, acme}
    assert around(memory, document).edges == {Joint(document, ola, "mention"): 2}


def test_the_nearest_of_a_neighbourhood_is_the_node_itself_and_then_what_it_was_made_from(memory: Installation) -> None:
    root, _ = filled(memory)
    made = made_from(memory, "Somebody works somewhere", root)

    assert around(memory, made) == Drawn(
        {each: whole(memory).nodes[each] for each in (made, root)}, {Joint(made, root, "derived_from"): 1}
    )
    for node in (root, entities(memory)["Acme"].id):
        assert list(memory.wired.service.graph.around(READER, AroundQuery(node, limit=1)).drawn.nodes) == [node]


def test_a_neighbourhood_can_be_asked_for_as_of_a_date(memory: Installation) -> None:
    root, document = filled(memory)
    ola, acme = (entities(memory)[name].id for name in ("Ola Nowak", "Acme"))
    before, now = around(memory, ola, depth=2), memory.clock.now()
    memory.clock.turn(timedelta(days=1))
    change = Revision("Ola Nowak works at Initech", valid_from=memory.clock.now())
    memory.wired.service.revise(OWNER, VersionRef(root), change)
    memory.wired.service.add_document(OWNER, Sending("later.md", TEAM + b"\nSeen later.\n"))
    settle(memory)

    assert {node.label for node in around(memory, ola).nodes.values()} >= {"Initech", "later.md"}
    assert around(memory, ola, depth=2, as_of=now) == before
    assert set(around(memory, root, as_of=now).nodes) == {root, ola, acme}
    assert set(around(memory, ola, as_of=now - timedelta(days=1)).nodes) == {root, ola, acme}

    memory.wired.service.forget(OWNER, VersionRef(root))

    assert set(around(memory, ola, as_of=now).nodes) == {ola, document}


@pytest.mark.parametrize("kind", ["document", "chunk"])
def test_nothing_is_around_a_document_that_came_later(memory: Installation, kind: str) -> None:
    _, document = filled(memory)
    opened = memory.wired.service.graph.view(READER, GraphQuery(chunks_of=document)).drawn
    node = next(each.id for each in (whole(memory) | opened).nodes.values() if each.kind == kind)

    with pytest.raises(NotFound):
        around(memory, node, as_of=memory.clock.now() - timedelta(days=1))


def test_nothing_of_what_is_forgotten_is_drawn(memory: Installation) -> None:
    root, document = filled(memory)
    memory.wired.service.forget(OWNER, VersionRef(root))
    memory.wired.service.library.forget(OWNER, document)

    assert whole(memory) == Drawn()
    for node in (root, document):
        with pytest.raises(NotFound):
            around(memory, node)


def test_what_was_made_from_a_forgotten_memory_is_in_no_graph(memory: Installation) -> None:
    source = RootId(memory.save("Ola Nowak works at Acme Corp"))
    made = made_from(memory, "Piotr Zieliński lives in Kraków", source)
    settle(memory)
    krakow = entities(memory)["Kraków"].id
    assert made in whole(memory).nodes

    memory.wired.service.forget(OWNER, VersionRef(source))

    assert whole(memory) == Drawn()
    for node in (made, krakow):
        with pytest.raises(NotFound):
            around(memory, node)


def test_a_stranger_sees_no_graph_of_another_space(memory: Installation) -> None:
    root, document = filled(memory)

    for node in (root, document, entities(memory)["Acme"].id, "mem_nonsense"):
        with pytest.raises(NotFound):
            memory.wired.service.graph.around(STRANGER, AroundQuery(node))
