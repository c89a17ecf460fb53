"""From hits to entries: which of an entry's documents count, whatever else the index still holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palimpsest.adapters.aws import opensearch_features, opensearch_queries
from palimpsest.adapters.aws.opensearch_capabilities import Capabilities
from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json
from palimpsest.adapters.aws.opensearch_documents import GONE, MAIN
from palimpsest.adapters.aws.opensearch_features import Features
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import Kind


@dataclass(frozen=True, slots=True)
class Main:
    """The document that says how an entry stands."""

    id: str
    key: str
    kind: Kind
    revision: int
    dated: int
    features: Features


@dataclass(frozen=True, slots=True)
class Hits:
    """Reads hits of one index."""

    cluster: Cluster
    index: str
    capabilities: Capabilities

    def entries(self, space: SpaceId, hits: Sequence[Json], faults: list[IndexUnavailable] | None) -> list[Main]:
        """The entries that these hits stand for, each once, in no order that means anything.

        A passage counts when it is of the main document's revision. Where the server knows no versions, several main
        documents or an older one may be there, so the newest is looked for, and a hit of another one is none. `faults`:
        why some of them may be missing is added to it; None when nobody waits, so that there is time for all of them.
        """
        trusted = {} if not self.capabilities.has_versions else _mains(hit for hit in hits if _passage(hit) == MAIN)
        others = sorted({hit["_source"]["key"] for hit in hits} - set(trusted))
        known = trusted | (self._newest(space, others, faults) if others else {})
        stand = {known[hit["_source"]["key"]].key for hit in hits if _counts(hit, known.get(hit["_source"]["key"]))}
        return [known[key] for key in sorted(stand)]

    def _newest(self, space: SpaceId, keys: Sequence[str], faults: list[IndexUnavailable] | None) -> dict[str, Main]:
        """The newest main document of each key, if the newest word is not that the entry is gone."""
        body = opensearch_queries.mains(space, keys)
        if faults is None:
            answer = self.cluster.collect(self.index, body)
        else:
            answer = self.cluster.search(self.index, body, faults=faults)[0]
        found = answer["hits"]["hits"]
        gone: dict[str, int] = {}
        for hit in found:
            if _passage(hit) == GONE:
                key = hit["_source"]["key"]
                gone[key] = max(gone.get(key, 0), hit["_source"]["revision"])
        mains = _mains(hit for hit in found if _passage(hit) == MAIN)
        return {key: main for key, main in mains.items() if main.revision >= gone.get(key, 0)}


def newest_of(documents: Iterable[Json]) -> Json | None:
    """Of one entry's main documents and tombstones the one that counts; None when there is none."""
    standing = [hit for hit in documents if _passage(hit) in (MAIN, GONE)]
    return max(standing, key=lambda hit: (hit["_source"]["revision"], _passage(hit), hit["_id"]), default=None)


def _mains(hits: Iterable[Json]) -> dict[str, Main]:
    mains: dict[str, Main] = {}
    for hit in hits:
        source = hit["_source"]
        features = opensearch_features.unpacked(source["features"])
        if features is None:
            continue
        main = Main(hit["_id"], source["key"], Kind(source["kind"]), source["revision"], source["dated"], features)
        other = mains.get(main.key, main)
        mains[main.key] = max(other, main, key=lambda each: (each.revision, each.id))
    return mains


def _counts(hit: Json, main: Main | None) -> bool:
    if main is None:
        return False
    if _passage(hit) == MAIN:
        return bool(hit["_id"] == main.id)
    return bool(hit["_source"]["revision"] == main.revision and _passage(hit) < main.features.passages)


def _passage(hit: Json) -> int:
    passage: int = hit["_source"]["passage"]
    return passage
