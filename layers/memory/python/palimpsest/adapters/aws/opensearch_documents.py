"""An entry as documents: one a passage, and one that says that an entry is gone."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

from palimpsest.adapters.aws import opensearch_features as features
from palimpsest.adapters.aws.opensearch_cluster import Json
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.instants import microseconds
from palimpsest.domain.talk import Place
from palimpsest.ports.search_index import Entry, Removal

MAIN: Final = 0
GONE: Final = -1
_ID_BYTES: Final = 16


def document_id(space: SpaceId, key: str, passage: int) -> str:
    """The id of an entry's document where the server takes ids of ours."""
    digest = hashlib.blake2b(f"{space}\0{key}".encode(), digest_size=_ID_BYTES).hexdigest()
    return f"{digest}.{passage}"


def place_token(place: Place) -> str:
    """A place as one word."""
    return f"{place.talk}.{place.turn}"


def documents(entry: Entry) -> Iterator[Json]:
    """The documents of an entry, that of passage 0 first; there is one also while its vectors are pending."""
    counted = Counter(features.term_number(entry.space, term) for term in entry.terms)
    facets: Json = {
        "space": entry.space,
        "kind": entry.kind,
        "key": entry.key,
        "status": entry.status,
        "type": entry.memory_type,
        "level": entry.level,
        "labels": sorted(features.token(features.label_number(entry.space, label)) for label in entry.labels),
        "dated": microseconds(entry.dated_at),
        "revision": entry.revision,
    }
    main = {
        "terms": " ".join(word for number, count in counted.items() for word in [features.token(number)] * count),
        "length": entry.length,
        **({} if entry.said.place is None else {"place": place_token(entry.said.place)}),
        "features": features.packed(entry, counted),
    }
    vectors = entry.vectors.tolist()
    for passage in range(max(1, len(vectors))):
        document = facets | {"passage": passage} | (main if passage == MAIN else {})
        yield document | ({"vector": vectors[passage]} if vectors else {})


def tombstone(space: SpaceId, removal: Removal) -> Json:
    """The document that says that an entry is gone, for servers that know no versions."""
    return {"space": space, "key": removal.key, "revision": removal.revision, "passage": GONE}
