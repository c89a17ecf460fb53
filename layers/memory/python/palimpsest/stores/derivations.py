"""Edges from beliefs to those, and to the documents, that a version of them was made from; found from either end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from palimpsest.domain.ids import DocumentId, RootId, parse_document, parse_reference
from palimpsest.domain.version import Version
from palimpsest.ports.table import Index, Key, Put, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

DERIVED_FROM: Final = "derived_from"


class Incoming(NamedTuple):
    """An edge that leads to a belief: from which one, of which kind, and where it lies."""

    root: RootId
    kind: str
    place: Key


def put(root: RootId, source: RootId | DocumentId) -> Put:
    """The write of an edge from a belief to what it was made from; again is fine."""
    place = keys.edge(root, DERIVED_FROM, source)
    return Put(item(place, g2pk=keys.edges_to(source), g2sk=f"{DERIVED_FROM}#{root}"))


def sources_of(version: Version) -> list[RootId]:
    """The beliefs that a version was made from, each once."""
    refs = (parse_reference(source) for source in version.statement.derived_from)
    return list(dict.fromkeys(ref.root for ref in refs if ref is not None and ref.root != version.root))


def writes_of(version: Version) -> list[Put]:
    """The edges that a version comes with."""
    sources: list[RootId | DocumentId] = [*sources_of(version), *documents_of(version)]
    return [put(version.root, source) for source in sources]


def documents_of(version: Version) -> list[DocumentId]:
    """The documents that a version was learned from, each once."""
    named = map(parse_document, version.statement.derived_from)
    return list(dict.fromkeys(document for document in named if document is not None))


@dataclass(frozen=True, slots=True)
class Derivations:
    """Finds edges from their ends; what was just written may be missing."""

    table: Table

    def made_from(self, source: RootId | DocumentId) -> Iterator[RootId]:
        """The beliefs with a version that was made from this belief or document."""
        return (edge.root for edge in self.leading_to(source, f"{DERIVED_FROM}#"))

    def leading_to(self, other: RootId | DocumentId, kind: str | None = None) -> Iterator[Incoming]:
        """The edges of other beliefs that lead to this one, those alone whose kind begins so."""
        query: Query | None = Query(keys.edges_to(other), index=Index.TWO, prefix=kind)
        while query is not None:
            page = self.table.query(query)
            for entry in page.items:
                r = Reader(entry)
                found, _, root = r.text("g2sk").rpartition("#")
                yield Incoming(RootId(root), found, Key(r.text("pk"), r.text("sk")))
            query = replace(query, after=page.next_cursor) if page.next_cursor else None
