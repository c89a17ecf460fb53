"""Nodes and edges as GraphML, well-formed whatever stands in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

MEDIA_TYPE: Final = "application/graphml+xml"

_NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_NODE, _EDGE = ("kind", "label", "type"), ("relation", "weight")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, not even by their numbers."""


def graphml(
    nodes: Iterable[Mapping[str, object]], edges: Iterable[Mapping[str, object]], next_cursor: str | None = None
) -> str:
    """A GraphML document.

    Args:
        nodes: As the API tells them: `id`, `kind`, `label`, `type`.
        edges: `from`, `to`, `relation`, `weight`.
        next_cursor: For the next page, as data of the graph; None on the last.
    """
    root = Element("graphml", xmlns=_NAMESPACE)
    SubElement(root, "key", {"id": "next_cursor", "for": "graph", "attr.name": "next_cursor", "attr.type": "string"})
    for owner, names in (("node", _NODE), ("edge", _EDGE)):
        for name in names:
            kind = "int" if name == "weight" else "string"
            SubElement(root, "key", {"id": name, "for": owner, "attr.name": name, "attr.type": kind})
    graph = SubElement(root, "graph", edgedefault="directed")
    _tell(graph, {"next_cursor": next_cursor}, ("next_cursor",))
    for node in nodes:
        _tell(SubElement(graph, "node", id=str(node["id"])), node, _NODE)
    for edge in edges:
        ends = {"source": str(edge["from"]), "target": str(edge["to"])}
        _tell(SubElement(graph, "edge", ends), edge, _EDGE)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode")


def _tell(element: Element, told: Mapping[str, object], names: Iterable[str]) -> None:
    for name in names:
        if told[name] is not None:
            SubElement(element, "data", key=name).text = _NO_XML.sub("\N{REPLACEMENT CHARACTER}", str(told[name]))
