"""Documents and chunks as items."""

from __future__ import annotations

from collections.abc import Mapping

from palimpsest.domain import instants
from palimpsest.domain.document import Chunk, Document, DocumentKind, Fragment
from palimpsest.domain.ids import ChunkId, DocumentId, KeyId, SpaceId
from palimpsest.domain.source import Source, Trust
from palimpsest.ports.table import Item, Value
from palimpsest.stores import document_parts as parts
from palimpsest.stores import library_keys
from palimpsest.stores.codec import Reader, item


def item_of(document: Document) -> dict[str, Value]:
    """The document; listed unless it is forgotten, and where plans find what is to be done with it, if anything is."""
    arrival, link, original = document.arrival, document.link, document.original
    stored = item(
        library_keys.document(document.id),
        space=document.space,
        path=document.path,
        title=document.title,
        kind=document.kind,
        created_at=document.created_at,
        changed_at=document.changed_at,
        created_by=document.created_by,
        trust=document.trust,
        source=parts.source(document.source),
        is_titled=document.is_titled,
        erased_at=document.erased_at,
        link=None if link is None else parts.link(link),
        revision=document.revision,
        edition=document.edition,
        editions=document.editions,
        chunk_count=document.chunk_count,
        original=None if original is None else parts.original(original),
        arrival=None if arrival is None else parts.arrival(arrival),
        stale=[str(edition) for edition in document.stale],
        restore_until=document.restore_until,
    )
    if document.restore_until is None and document.erased_at is None:
        stored["g1pk"] = library_keys.documents(document.space)
        stored["g1sk"] = library_keys.listed_document(instants.write(document.created_at), document.id)
    return stored | _planned(document)


def read(stored: Item) -> Document:
    """The document in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Document(
        id=DocumentId(r.text("pk").removeprefix("D#")),
        space=SpaceId(r.text("space")),
        path=r.text("path"),
        title=r.text("title"),
        kind=r.choice("kind", DocumentKind),
        created_at=r.instant("created_at"),
        changed_at=r.instant("changed_at"),
        created_by=KeyId(r.text("created_by")),
        source=parts.read_source(r.map("source"), r.choice("trust", Trust)),
        revision=r.integer("revision"),
        edition=r.integer("edition"),
        editions=r.integer("editions"),
        chunk_count=r.integer("chunk_count"),
        original=r.optional("original", lambda name: parts.read_original(r.map(name))),
        arrival=r.optional("arrival", lambda name: parts.read_arrival(r.map(name))),
        stale=tuple(map(int, r.texts("stale"))),
        restore_until=r.optional("restore_until", r.instant),
        is_titled=r.optional("is_titled", r.flag) is not False,
        link=r.optional("link", lambda name: parts.read_link(r.map(name))),
        erased_at=r.optional("erased_at", r.instant),
    )


def _planned(document: Document) -> dict[str, Value]:
    """Where plans find it while there is something to do with it, now or later."""
    wanted = document.link.wanted_at if document.link else None
    if document.has_work:
        listed, at = library_keys.ARRIVALS, document.changed_at
    elif document.restore_until is not None:
        listed, at = library_keys.ENDINGS, document.restore_until
    elif wanted is not None:
        listed, at = library_keys.FETCHES, wanted
    else:
        return {}
    return {"g2pk": listed, "g2sk": library_keys.listed_document(instants.write(at), document.id)}


def chunk_item(chunk: Chunk) -> dict[str, Value]:
    """The chunk, without its vectors."""
    fragment = chunk.fragment
    return item(
        library_keys.chunk(chunk.id),
        document=chunk.document,
        space=chunk.space,
        text=chunk.text,
        breadcrumb=list(chunk.breadcrumb),
        digest=chunk.digest,
        added_at=chunk.added_at,
        positions=written(chunk.positions),
        page=chunk.page,
        fragment=None if fragment is None else _fragment(fragment),
        trust=chunk.source.trust,
        source=parts.source(chunk.source),
    )


def read_chunk(stored: Item) -> Chunk:
    """The chunk in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Chunk(
        id=ChunkId(r.text("pk").removeprefix("Q#")),
        document=DocumentId(r.text("document")),
        space=SpaceId(r.text("space")),
        text=r.text("text"),
        breadcrumb=r.texts("breadcrumb"),
        digest=r.text("digest"),
        added_at=r.instant("added_at"),
        positions=r.parsed("positions", _positions),
        page=r.optional("page", r.integer),
        fragment=r.optional("fragment", lambda name: _read_fragment(r.map(name))),
        source=r.optional("source", lambda name: parts.read_source(r.map(name), r.choice("trust", Trust))) or Source(),
    )


def written(positions: Mapping[int, int]) -> str:
    """Positions by edition as they are stored."""
    return " ".join(f"{edition}:{position}" for edition, position in sorted(positions.items()))


def _positions(text: str) -> dict[int, int]:
    pairs = (pair.split(":") for pair in text.split())
    return {int(edition): int(position) for edition, position in pairs}


def _fragment(fragment: Fragment) -> dict[str, Value]:
    told: dict[str, Value | None] = {
        "index": fragment.index,
        "role": fragment.role,
        "speaker": fragment.speaker,
        "at": None if fragment.at is None else instants.write(fragment.at),
        "label": fragment.label,
        "characters": list(fragment.characters),
        "octets": list(fragment.octets),
    }
    return {name: value for name, value in told.items() if value is not None}


def _read_fragment(r: Reader) -> Fragment:
    return Fragment(
        index=r.integer("index"),
        role=r.text("role"),
        speaker=r.optional("speaker", r.text),
        at=r.optional("at", r.instant),
        label=r.text("label"),
        characters=r.range("characters"),
        octets=r.range("octets"),
    )
