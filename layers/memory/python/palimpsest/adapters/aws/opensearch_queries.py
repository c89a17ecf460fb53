"""The bodies of searches. Every one is held to a space by a filter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from palimpsest.adapters.aws import opensearch_features as features
from palimpsest.adapters.aws.opensearch_cluster import Json
from palimpsest.adapters.aws.opensearch_documents import GONE, MAIN, place_token
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.instants import microseconds
from palimpsest.domain.talk import AROUND, Place
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Search

WINDOW: Final = 10_000
"""Hits that a server gives at most."""
_CLAUSES: Final = 1_000
"""Terms that are scored: a server takes 1,024 clauses in a query. Entries that have only others come last."""
_READ: Final = ["key", "kind", "revision", "passage", "dated", "features"]
_STATE: Final = ["key", "revision", "passage"]


def keyword(search: Search, size: int) -> Json:
    """Entries with one of the terms, likely best first."""
    words = [features.token(features.term_number(search.space, term)) for term in search.terms]
    scored: list[Json] = [{"match": {"terms": {"query": " ".join(words[:_CLAUSES])}}}]
    if words[_CLAUSES:]:
        scored.append({"terms": {"terms": words[_CLAUSES:], "boost": 0.001}})
    query = {"filter": _passing(search), "should": scored, "minimum_should_match": 1}
    return {"size": size, "query": {"bool": query}, "_source": _READ, "track_total_hits": False}


def vector(search: Search, query: Vector, size: int) -> Json:
    """Passages nearest to the vector `query`."""
    nearest = {"vector": query.tolist(), "k": size, "filter": {"bool": {"filter": _passing(search)}}}
    return {"size": size, "query": {"knn": {"vector": nearest}}, "_source": _READ, "track_total_hits": False}


def some(space: SpaceId, size: int) -> Json:
    """Entries of a space by chance."""
    query = {"bool": {"filter": [{"term": {"space": space}}, {"term": {"passage": MAIN}}]}}
    chance = {"query": query, "random_score": {}}
    return {"size": size, "query": {"function_score": chance}, "_source": _READ, "track_total_hits": False}


def statistics(space: SpaceId, terms: Sequence[str]) -> Json:
    """How many entries there are, how long together, and how many of them have each term."""
    numbers = {term: features.token(features.term_number(space, term)) for term in terms}
    having = {str(place): {"term": {"terms": word}} for place, word in enumerate(numbers.values())}
    figures: Json = {"length": {"sum": {"field": "length"}}}
    if having:
        figures["having"] = {"filters": {"filters": having}}
    query = {"bool": {"filter": [{"term": {"space": space}}, {"term": {"passage": MAIN}}]}}
    return {"size": 0, "query": query, "aggs": figures, "track_total_hits": True}


def mains(space: SpaceId, keys: Sequence[str]) -> Json:
    """The documents that say how these entries stand, with their features."""
    return _of(space, keys, [{"terms": {"passage": [MAIN, GONE]}}], _READ)


def states(space: SpaceId, keys: Sequence[str]) -> Json:
    """Every document of these entries, without features."""
    return _of(space, keys, [], _STATE)


def keys_after(space: SpaceId, after: Json | None, size: int) -> Json:
    """The next keys of a space in order."""
    pages: Json = {"size": size, "sources": [{"key": {"terms": {"field": "key"}}}]}
    if after is not None:
        pages["after"] = after
    return {"size": 0, "query": {"term": {"space": space}}, "aggs": {"keys": {"composite": pages}}}


def around(search: Search, places: Sequence[Place]) -> Json:
    """What was said within reach of some places."""
    near = {Place(talk, turn + k) for talk, turn in places for k in range(-AROUND, AROUND + 1)}
    filters: list[Json] = [
        {"term": {"space": search.space}},
        {"terms": {"place": sorted(map(place_token, near))}},
    ]
    if search.filters.statuses:
        filters.append({"terms": {"status": list(search.filters.statuses)}})
    query = {"bool": {"filter": filters}}
    return {"size": WINDOW, "query": query, "_source": _READ, "track_total_hits": False}


def _of(space: SpaceId, keys: Sequence[str], more: Sequence[Json], read: Sequence[str]) -> Json:
    query = {"bool": {"filter": [{"term": {"space": space}}, {"terms": {"key": list(keys)}}, *more]}}
    return {"size": WINDOW, "query": query, "_source": list(read), "track_total_hits": False}


def _passing(search: Search) -> list[Json]:
    """What an entry has to be to pass the filters and to be of the kinds."""
    filters = search.filters
    passing: list[Json] = [{"term": {"space": search.space}}, {"terms": {"kind": list(search.kinds)}}]
    passing += [
        {"terms": {field: list(values)}}
        for field, values in (("status", filters.statuses), ("type", filters.memory_types), ("level", filters.levels))
        if values
    ]
    if search.only is not None:
        passing.append({"terms": {"key": sorted(search.only)}})
    for forms in search.words:
        tokens = [features.token(features.term_number(search.space, form)) for form in forms]
        passing.append({"terms": {"terms": tokens, "boost": 0}})
    wanted = filters.wanted
    passing += [_labelled(search.space, group) for group in wanted.any_of]
    if wanted.none_of:
        passing.append({"bool": {"must_not": [_labelled(search.space, wanted.none_of)]}})
    return passing + _dated(filters)


def _labelled(space: SpaceId, labels: Iterable[bytes]) -> Json:
    """One of the labels."""
    return {"terms": {"labels": sorted(features.token(features.label_number(space, label)) for label in labels)}}


def _dated(filters: Filters) -> list[Json]:
    bounds = {"gte": filters.dated_from, "lte": filters.dated_until}
    given = {name: microseconds(bound) for name, bound in bounds.items() if bound is not None}
    return [{"range": {"dated": given}}] if given else []
