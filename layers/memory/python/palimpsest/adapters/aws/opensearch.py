"""The search index in OpenSearch: a Serverless collection of either generation, a domain, or any other server."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from threading import Lock
from typing import Final

from palimpsest.adapters.aws import opensearch_mapping
from palimpsest.adapters.aws.opensearch_bulk import Action
from palimpsest.adapters.aws.opensearch_capabilities import Capabilities
from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json
from palimpsest.adapters.aws.opensearch_errors import unavailable
from palimpsest.adapters.aws.opensearch_index import OpenSearchIndex
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.search_index import Generation

_PROBE: Final = "probe"
_NOT_TAKEN: Final = frozenset({"index_mapping", "index_refused"})
_REFUSED: Final = 300
_APPEARS_TRIES: Final = 30
_APPEARS_SECONDS: Final = 1.0
"""A new index of a collection can be written to after some seconds."""


class OpenSearchIndexes:
    """The generations in one cluster or collection, an index each.

    Args:
        prefix: Before the name of each index, so that several installations can share a server.
    """

    def __init__(self, cluster: Cluster, prefix: str = "palimpsest") -> None:
        self._cluster = cluster
        self._prefix = prefix
        self._lock = Lock()
        self._opened: dict[str, OpenSearchIndex] = {}

    @property
    def is_remote(self) -> bool:
        """True: the server works while a search waits."""
        return True

    @property
    def is_off(self) -> bool:
        """False."""
        return False

    def create(self, generation: Generation) -> OpenSearchIndex:
        """An empty index whose generation has the capabilities that the server showed while it was made."""
        self.drop(generation)
        name = self._name(generation)
        capabilities = self._probe(name, self._make(name, generation.model.dimensions))
        return self._open(replace(generation, capabilities=capabilities.words()))

    def open(self, generation: Generation) -> OpenSearchIndex:
        """The index of a generation made before; the server is not asked.

        Raises:
            IndexUnavailable: ``index_missing`` when another engine made it.
        """
        with self._lock:
            opened = self._opened.get(generation.id)
        if opened is not None and opened.generation == generation:
            return opened
        if not generation.capabilities:
            raise unavailable("index_missing")
        return self._open(generation)

    def drop(self, generation: Generation) -> None:
        """Make the generation's index be gone; fine when it is not there."""
        with self._lock:
            self._opened.pop(generation.id, None)
        try:
            self._cluster.call("DELETE", f"/{self._name(generation)}")
        except IndexUnavailable as error:
            if error.reason != "index_missing":
                raise

    def sweep(self, named: Collection[str]) -> int:
        """Nothing: an index that is not named may be that of another installation with the same prefix."""
        return 0

    def close(self) -> None:
        """Close the connections."""
        self._cluster.close()

    def _open(self, generation: Generation) -> OpenSearchIndex:
        opened = OpenSearchIndex(generation, self._cluster, self._name(generation))
        with self._lock:
            self._opened[generation.id] = opened
        return opened

    def _name(self, generation: Generation) -> str:
        return f"{self._prefix}-{generation.id}".lower()

    def _make(self, name: str, dimensions: int) -> Capabilities:
        """Make the index in the first form that the server takes."""
        refusals = []
        for capabilities, body in opensearch_mapping.forms(dimensions):
            try:
                self._cluster.call("PUT", f"/{name}", body)
            except IndexUnavailable as error:
                if error.reason != "index_mapping":
                    raise
                refusals.append(error)
            else:
                return capabilities
        raise refusals[-1]

    def _probe(self, name: str, made: Capabilities) -> Capabilities:
        """Try on the new index what servers differ in. What is put in lies in no space and is taken out again."""
        puts = (
            Action.put(_probe_document(), _PROBE, 1),
            Action.put(_probe_document(), _PROBE),
            Action.put(_probe_document()),
        )
        tried = ((action, self._try(name, action)) for action in puts)
        taken = next(((action, answer["_id"]) for action, answer in tried if answer["status"] < _REFUSED), None)
        if taken is None:
            raise unavailable("index_mapping")
        action, document = taken
        has_ids, has_versions = action.id is not None, action.version is not None
        deletion = Action.delete(document, 2 if has_versions else None)
        return replace(
            made,
            has_ids=has_ids,
            has_versions=has_versions,
            has_deletes=self._try(name, deletion)["status"] < _REFUSED,
            has_refresh=self._refreshes(name),
        )

    def _try(self, name: str, action: Action) -> Json:
        """The server's answer to one action, whether it takes it or not."""
        for _ in range(_APPEARS_TRIES):
            try:
                answer = self._cluster.bulk(name, action.lines())[0]
            except IndexUnavailable as error:
                if error.reason in _NOT_TAKEN:
                    return {"status": 400}
                if error.reason != "index_missing":
                    raise
            else:
                if answer["status"] != 404:
                    return answer
            self._cluster.pause(_APPEARS_SECONDS)
        raise unavailable("index_missing")

    def _refreshes(self, name: str) -> bool:
        try:
            self._cluster.call("POST", f"/{name}/_refresh")
        except IndexUnavailable as error:
            if error.reason in _NOT_TAKEN | {"index_missing"}:
                return False
            raise
        return True


def _probe_document() -> Json:
    return {"space": _PROBE, "key": _PROBE, "revision": 1, "passage": -1}
