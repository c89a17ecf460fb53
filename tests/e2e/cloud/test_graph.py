"""Memories and documents become one graph in the cloud, by the stream, the queue and the worker."""

from __future__ import annotations

from tests.e2e.cloud.calling import Caller, eventually, fresh_space


def test_a_memory_and_a_document_meet_in_what_both_name(owner: Caller) -> None:
    space = fresh_space("graph")
    root = owner.save("Ola Nowak works at Acme Corp", space)["memory"]["root_id"]
    sent = {"space": space, "path": "team.md", "text": "# Team\n\nOla Nowak runs the release.\n"}
    document = owner.post("/documents", sent).expect(201)["document"]["id"]

    def joined() -> bool:
        graph = owner.get(f"/memory/graph?space={space}&limit=200").expect(200)
        ola = {node["id"] for node in graph["nodes"] if node["label"] == "Ola Nowak"}
        return {root, document} <= {edge["from"] for edge in graph["edges"] if edge["to"] in ola}

    eventually(joined, "edges from the memory and from the document to Ola Nowak")
    found = owner.post("/memory/recall", {"query": "who runs the release?", "space": space, "entity": "ola nowak"})
    assert {hit["kind"] for hit in found.expect(200)["results"]} == {"memory", "context"}
