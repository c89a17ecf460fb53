"""The form of an index: its fields, the ways to say them that servers differ in, and the check of one that is there.

One document a passage. The first one of an entry (passage 0) holds the terms and the packed features of the whole
entry, the others only a vector and what filters ask for. A document of passage -1 says that an entry is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from palimpsest.adapters.aws.opensearch_capabilities import Capabilities
from palimpsest.adapters.aws.opensearch_cluster import Json
from palimpsest.adapters.aws.opensearch_errors import unavailable

_KEYWORDS: Final = ("space", "kind", "key", "status", "type", "level", "labels", "place")
_NUMBERS: Final = {"dated": "long", "revision": "long", "length": "integer", "passage": "integer"}
_GRAPH: Final = {"m": 16, "ef_construction": 128}
_SPACE: Final = "l2"
"""Of unit vectors in the order of their cosines, and the one space that every engine of every version has."""

LUCENE: Final = "lucene"
FAISS: Final = "faiss"


def forms(dimensions: int) -> Iterator[tuple[Capabilities, Json]]:
    """What to try when an index is made, most wanted first, and what a server that takes it can do."""
    for is_slim in (True, False):
        for engine in (LUCENE, FAISS):
            method = {"name": "hnsw", "engine": engine, "space_type": _SPACE, "parameters": _GRAPH}
            yield Capabilities(engine=engine), _body({"dimension": dimensions, "method": method}, is_slim=is_slim)
        # NextGen collections choose the engine themselves and refuse the word.
        method = {"name": "hnsw", "space_type": _SPACE, "parameters": _GRAPH}
        yield Capabilities(), _body({"dimension": dimensions, "method": method}, is_slim=is_slim)
        yield Capabilities(), _body({"dimension": dimensions, "space_type": _SPACE}, is_slim=is_slim)


def require_form(mappings: Mapping[str, Any], dimensions: int) -> None:
    """IndexUnavailable ``index_mapping`` unless the index has these fields, with vectors of that length."""
    found = mappings.get("properties", {})
    for name, wanted in _fields({"dimension": dimensions}).items():
        held = found.get(name, {})
        if held.get("type") != wanted["type"] or held.get("dimension") != wanted.get("dimension"):
            raise unavailable("index_mapping", name)


def _body(vector: Json, *, is_slim: bool) -> Json:
    mappings: Json = {"dynamic": "strict", "properties": _fields(vector)}
    if is_slim:  # what is searched by need not be kept a second time: it is never read back
        mappings["_source"] = {"excludes": ["vector", "terms"]}
    return {"settings": {"index": {"knn": True}}, "mappings": mappings}


def _fields(vector: Json) -> dict[str, Json]:
    fields: dict[str, Json] = {name: {"type": "keyword"} for name in _KEYWORDS}
    fields |= {name: {"type": kind} for name, kind in _NUMBERS.items()}
    fields["terms"] = {"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
    fields["features"] = {"type": "binary"}
    fields["vector"] = {"type": "knn_vector", **vector}
    return fields
