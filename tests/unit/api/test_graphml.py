"""A GraphML document is well-formed whatever stands in a text, and says what the graph says."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.api.graphml import graphml

SPACE = "{http://graphml.graphdrawing.org/xmlns}"


def data(element: Element) -> dict[str, str | None]:
    return {each.attrib["key"]: each.text for each in element.findall(f"{SPACE}data")}


def test_nodes_and_edges_come_with_what_is_told_of_them() -> None:
    nodes: list[dict[str, object]] = [
        {"id": "ent_1", "kind": "entity", "label": "Ola & <Acme>", "type": "person"},
        {"id": "chk_1", "kind": "chunk", "label": "x", "type": None},
    ]
    edges: list[dict[str, object]] = [{"from": "chk_1", "to": "ent_1", "relation": "mention", "weight": 2}]

    graph = fromstring(graphml(nodes, edges, "next")).find(f"{SPACE}graph")  # noqa: S314 - our own

    assert graph is not None
    assert data(graph) == {"next_cursor": "next"}
    assert [(each.attrib["id"], data(each)) for each in graph.findall(f"{SPACE}node")] == [
        ("ent_1", {"kind": "entity", "label": "Ola & <Acme>", "type": "person"}),
        ("chk_1", {"kind": "chunk", "label": "x"}),
    ]
    (edge,) = graph.findall(f"{SPACE}edge")
    assert edge.attrib == {"source": "chk_1", "target": "ent_1"}
    assert data(edge) == {"relation": "mention", "weight": "2"}


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_any_text_is_a_label(text: str) -> None:
    written = graphml([{"id": "mem_1", "kind": "memory", "label": text, "type": "fact"}], [])

    document = fromstring(written.encode())  # noqa: S314 - our own

    (label,) = [each for each in document.iter(f"{SPACE}data") if each.attrib["key"] == "label"]
    as_read = text.replace("\r\n", "\n").replace("\r", "\n")
    assert len(label.text or "") == len(as_read)
    assert all(read in (sent, "\ufffd") for read, sent in zip(label.text or "", as_read, strict=True))
