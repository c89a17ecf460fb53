"""How many of the nearest vectors are still found when the engine keeps them compressed.

By the server what it can do here (Lucene: none, and a byte a number), and computed what it can't (a bit a number, as a
NextGen collection does by default). The engine's best are scored anew from whole vectors, as the product does.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness import report
from harness.locomo_data import Conversation
from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json, lines_of
from palimpsest.domain.belief import State
from palimpsest.ports.embedder import Vector
from palimpsest.wiring.wired import Wired

Rows = npt.NDArray[np.int64]

_FIRST = 10
_POOL = 150
"""What the vector arm asks for when recall wants 100."""
_BATCH = 500
_METHOD: Json = {
    "name": "hnsw",
    "engine": "lucene",
    "space_type": "l2",
    "parameters": {"m": 16, "ef_construction": 128},
}
_BY_SERVER: Mapping[str, Json] = {"none": {}, "a byte a number (4x)": {"compression_level": "4x"}}


@dataclass(frozen=True, slots=True)
class Held:
    """All vectors, and the space of each."""

    vectors: Vector
    spaces: npt.NDArray[np.str_]


def vectors_of(wired: Wired, conversations: Sequence[Conversation]) -> Held:
    """The vectors of every memory of these spaces."""
    generation = wired.build_index.fill.searching.answering()
    found: list[Vector] = []
    spaces: list[str] = []
    for conversation in conversations:
        space = wired.service.recall.steps.spaces.find(conversation.name)
        if space is None:
            continue
        heads = [head for _, head in wired.build_index.fill.listing.walk(space, State.LIVE, None, None)]
        for entry in wired.build_index.fill.entries.of([(head, [head.current]) for head in heads], generation.model):
            found.append(entry.vectors[:1])
            spaces.append(conversation.name)
    return Held(np.concatenate(found), np.array(spaces))


def tell(cluster: Cluster, held: Held, asked: Sequence[tuple[str, Vector]]) -> dict[str, float]:
    """Print and give the share of the ten nearest that is found, for each way."""
    exact = [_best(held, space, query, _passing(held, space)) for space, query in asked]
    share = {name: _share(exact, _by_server(cluster, held, asked, more)) for name, more in _BY_SERVER.items()}
    middle = held.vectors.mean(axis=0)
    for name, origin in (
        ("a bit a number (32x), computed", np.zeros_like(middle)),
        ("the same, from the mean", middle),
    ):
        share[name] = _share(exact, [_by_bits(held, space, query, origin) for space, query in asked])
    report.table("Ten nearest found", ("compression", "recall@10"), list(share.items()))
    return share


def _share(exact: Sequence[Rows], found: Sequence[Rows]) -> float:
    return sum(len({*a.tolist()} & {*b.tolist()}) / len(a) for a, b in zip(exact, found, strict=True)) / len(exact)


def _passing(held: Held, space: str) -> Rows:
    return np.flatnonzero(held.spaces == space)


def _best(held: Held, space: str, query: Vector, of: Rows) -> Rows:
    """The ten nearest of these, by whole vectors."""
    chosen: Rows = of[np.argsort(-(held.vectors[of] @ query), kind="stable")[:_FIRST]]
    return chosen


def _by_bits(held: Held, space: str, query: Vector, origin: Vector) -> Rows:
    """The pool by one bit a number against the whole query, then whole vectors."""
    passing = _passing(held, space)
    bits = np.where(held.vectors[passing] > origin, 1.0, -1.0)
    pool = passing[np.argsort(-(bits @ (query - origin)), kind="stable")[:_POOL]]
    return _best(held, space, query, pool)


def _by_server(cluster: Cluster, held: Held, asked: Sequence[tuple[str, Vector]], more: Json) -> list[Rows]:
    """The pool by a real index of this form, then whole vectors."""
    index = f"bench{secrets.token_hex(4)}"
    vector = {"type": "knn_vector", "dimension": held.vectors.shape[1], "method": _METHOD, **more}
    properties = {"space": {"type": "keyword"}, "row": {"type": "integer"}, "vector": vector}
    cluster.call("PUT", f"/{index}", {"settings": {"index": {"knn": True}}, "mappings": {"properties": properties}})
    for start in range(0, len(held.vectors), _BATCH):
        rows = range(start, min(start + _BATCH, len(held.vectors)))
        parts = [
            [{"index": {}}, {"space": str(held.spaces[i]), "row": i, "vector": held.vectors[i].tolist()}] for i in rows
        ]
        cluster.bulk(index, lines_of(part for pair in parts for part in pair))
    cluster.call("POST", f"/{index}/_refresh")
    found = [_best(held, space, query, _pool(cluster, index, space, query)) for space, query in asked]
    cluster.call("DELETE", f"/{index}")
    return found


def _pool(cluster: Cluster, index: str, space: str, query: Vector) -> Rows:
    nearest = {"vector": query.tolist(), "k": _POOL, "filter": {"term": {"space": space}}}
    hits = cluster.search(index, {"size": _POOL, "query": {"knn": {"vector": nearest}}, "_source": ["row"]})[0]
    return np.array([hit["_source"]["row"] for hit in hits["hits"]["hits"]], np.int64)
