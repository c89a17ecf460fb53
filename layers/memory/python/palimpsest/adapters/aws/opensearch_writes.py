"""What an upsert, a removal and a sweep send; a newer revision always stays.

Where the server knows versions, it refuses what is older itself. Where it does not, what is there is looked up first;
what another process wrote within the index's refresh time is not seen, so doubles may stay until a sweep, and searches
let the newest of them count.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from threading import Lock
from typing import Final

from palimpsest.adapters.aws import opensearch_queries
from palimpsest.adapters.aws.opensearch_bulk import Action, Bulk, Outcome
from palimpsest.adapters.aws.opensearch_capabilities import Capabilities
from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json
from palimpsest.adapters.aws.opensearch_documents import GONE, MAIN, document_id, documents, tombstone
from palimpsest.adapters.aws.opensearch_errors import unavailable
from palimpsest.adapters.aws.opensearch_queries import WINDOW
from palimpsest.adapters.aws.opensearch_sweeping import useless
from palimpsest.domain.errors import EntriesRefused
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import Entry, Gone, Removal, Swept, newest

_AT_ONCE: Final = 200
_SWEPT_AT_ONCE: Final = 100
_REMEMBERED: Final = 20_000


class Writes:
    """Writes to one index. `check`: as `Bulk` wants it."""

    def __init__(self, cluster: Cluster, index: str, capabilities: Capabilities, check: Callable[[], None]) -> None:
        self._cluster = cluster
        self._index = index
        self._can = capabilities
        self._bulk = Bulk(cluster, index, check)
        self._recent = _Recent()
        self._lock = Lock()

    def upsert(self, entries: Iterable[Entry]) -> None:
        """Put these entries in; EntriesRefused at the end when some never can be."""
        rest = iter(entries)
        refused: list[str] = []
        for some in iter(lambda: newest(islice(rest, _AT_ONCE)), []):
            self._cluster.require(self._index)
            if self._can.has_versions:
                outcomes = self._bulk.send(action for entry in some for action in self._puts(entry, entry.revision))
            else:
                outcomes = self._put_looked_up(some)
            refused += [each.action.key for each in outcomes if each.is_refused and each.action.key]
        if refused:
            raise EntriesRefused(tuple(dict.fromkeys(refused)))

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        """Take these entries out."""
        rest = iter(removals)
        for some in iter(lambda: list(islice(rest, _AT_ONCE)), []):
            self._cluster.require(self._index)
            if self._can.has_versions:
                outcomes = self._bulk.send(self._deletes(space, some))
            else:
                outcomes = self._remove_looked_up(space, some)
            if any(each.is_refused for each in outcomes):
                raise unavailable("index_refused")

    def held(self, space: SpaceId, keys: Sequence[str]) -> set[str]:
        """Which of these entries have a document that says more of them than that they are gone."""
        if self._can.has_refresh:
            self._cluster.call("POST", f"/{self._index}/_refresh")
        with self._lock:
            held = self._held(space, keys)
        return {key for key, there in held.items() if any(hit["_source"]["passage"] != GONE for hit in there)}

    def sweep(self, space: SpaceId, gone: Gone, after: str) -> Swept:
        """Delete what no search lets count, and what is gone, of the next entries behind that key.

        `gone` may have seen the table before a write that shows here: what is newer than it says stays.
        """
        if self._can.has_refresh and not after:
            self._cluster.call("POST", f"/{self._index}/_refresh")
        page = opensearch_queries.keys_after(space, {"key": after} if after else None, _SWEPT_AT_ONCE)
        answer = self._cluster.collect(self._index, page)["aggregations"]["keys"]
        keys = [bucket["key"]["key"] for bucket in answer["buckets"]]
        removals = {removal.key: removal.revision for removal in gone(keys)} if keys else {}
        with self._lock:
            held = self._held(space, keys)
            deletions = [self._sweep_out(hit) for key in keys for hit in useless(held[key], removals.get(key))]
            done = self._bulk.send(deletions) if self._can.has_deletes else []
            if not self._can.has_versions:  # there an id is written to once
                self._note(space, done)
        taken = sum(outcome.is_done for outcome in done)
        return Swept(taken, keys[-1] if len(keys) == _SWEPT_AT_ONCE else None)

    def _sweep_out(self, hit: Json) -> Action:
        """The deletion of just what was seen: a newer document may have come to lie under its id."""
        return Action.delete(hit["_id"], hit["_source"]["revision"] if self._can.has_versions else None)

    def _puts(self, entry: Entry, version: int | None = None) -> Iterator[Action]:
        for document in documents(entry):
            yield Action.put(document, self._id(entry.space, document), version, key=entry.key)

    def _deletes(self, space: SpaceId, removals: Sequence[Removal]) -> list[Action]:
        """Main documents are deleted also when they are not seen, so that the server remembers the version."""
        held = self._held(space, [removal.key for removal in removals])
        actions = []
        for removal in removals:
            passages = {hit["_source"]["passage"] for hit in held.get(removal.key, ())} | {MAIN}
            ids = [document_id(space, removal.key, passage) for passage in sorted(passages)]
            actions += [Action.delete(each, removal.revision) for each in ids]
        return actions

    def _put_looked_up(self, entries: Sequence[Entry]) -> list[Outcome]:
        by_space: defaultdict[SpaceId, list[Entry]] = defaultdict(list)
        for entry in entries:
            by_space[entry.space].append(entry)
        outcomes: list[Outcome] = []
        with self._lock:
            for space, own in by_space.items():
                held = self._held(space, [entry.key for entry in own])
                actions = []
                for entry in own:
                    there = held.get(entry.key, ())
                    if all(hit["_source"]["revision"] <= entry.revision for hit in there):
                        actions += self._instead([*self._puts(entry)], there)
                outcomes += self._send(space, actions)
        return outcomes

    def _remove_looked_up(self, space: SpaceId, removals: Sequence[Removal]) -> list[Outcome]:
        with self._lock:
            held = self._held(space, [removal.key for removal in removals])
            actions = []
            for removal in removals:
                there = held.get(removal.key, ())
                if all(hit["_source"]["revision"] <= removal.revision for hit in there):
                    document = tombstone(space, removal)
                    actions += self._instead([Action.put(document, self._id(space, document), key=removal.key)], there)
            return self._send(space, actions)

    def _instead(self, puts: Sequence[Action], there: Sequence[Json]) -> list[Action]:
        """These writes, and the deletion of what is there and is not written over."""
        written = {put.id for put in puts}
        return [*puts, *(Action.delete(hit["_id"]) for hit in there if hit["_id"] not in written)]

    def _id(self, space: SpaceId, document: Json) -> str | None:
        """With the revision where the server knows no versions, so that an older state never lies over a newer one."""
        if not self._can.has_ids:
            return None
        own = document_id(space, document["key"], document["passage"])
        return own if self._can.has_versions else f"{own}.{document['revision']}"

    def _send(self, space: SpaceId, actions: Sequence[Action]) -> list[Outcome]:
        outcomes = self._bulk.send(action for action in actions if action.document is not None or self._can.has_deletes)
        self._note(space, outcomes)
        return outcomes

    def _note(self, space: SpaceId, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.is_done:
                self._recent.note(space, outcome)

    def _held(self, space: SpaceId, keys: Sequence[str]) -> Mapping[str, Sequence[Json]]:
        """The documents of these entries: those that show, and those that this process wrote and do not show yet."""
        found: defaultdict[str, dict[str, Json]] = defaultdict(dict)
        for start in range(0, len(keys), _SWEPT_AT_ONCE):
            some = keys[start : start + _SWEPT_AT_ONCE]
            hits = self._cluster.collect(self._index, opensearch_queries.states(space, some))["hits"]["hits"]
            if len(hits) == WINDOW and len(some) > 1:  # very many passages: one entry at a time
                hits = [hit for key in some for hit in self._one(space, key)]
            for hit in hits:
                found[hit["_source"]["key"]][hit["_id"]] = hit
        for key in keys:
            found[key] |= self._recent.of(space, key)
            for deleted in self._recent.deleted(found[key]):
                del found[key][deleted]
        return {key: list(held.values()) for key, held in found.items()}

    def _one(self, space: SpaceId, key: str) -> Sequence[Json]:
        hits: Sequence[Json] = self._cluster.collect(self._index, opensearch_queries.states(space, [key]))["hits"][
            "hits"
        ]
        return hits


class _Recent:
    """The documents that this process put in and took out last, by the server's ids; the caller holds a lock."""

    def __init__(self) -> None:
        self._put: OrderedDict[tuple[SpaceId, str], dict[str, Json]] = OrderedDict()
        self._deleted: OrderedDict[str, None] = OrderedDict()

    def of(self, space: SpaceId, key: str) -> dict[str, Json]:
        held = self._put.get((space, key), {})
        for deleted in self.deleted(held):
            del held[deleted]
        return held

    def deleted(self, ids: Iterable[str]) -> list[str]:
        return [each for each in ids if each in self._deleted]

    def note(self, space: SpaceId, outcome: Outcome) -> None:
        action = outcome.action
        if action.document is None:
            self._deleted[outcome.id] = None
            while len(self._deleted) > _REMEMBERED:
                self._deleted.popitem(last=False)
            return
        self._deleted.pop(outcome.id, None)
        source = {name: action.document[name] for name in ("key", "revision", "passage")}
        self._put.setdefault((space, action.key), {})[outcome.id] = {"_id": outcome.id, "_source": source}
        while len(self._put) > _REMEMBERED:
            self._put.popitem(last=False)
