"""Chunks in the table, the manifest that says which of them an edition has, and the log that the index follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from palimpsest.domain import instants
from palimpsest.domain.document import Chunk
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.graph.links import ChunkSource
from palimpsest.domain.ids import ChunkId, DocumentId, SpaceId
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Delete, Exists, Key, Missing, Put, Query, Set, Table, Update, Value
from palimpsest.stores import document_codec, keys, library_keys
from palimpsest.stores.changes import RETENTION
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.links import LinkStore
from palimpsest.stores.vectors import pack, unpack

PART: Final = 100
"""Chunks of one part of a manifest, and of one row of the log."""


_ANY: Final = DocumentId("")
"""Of a chunk whose document does not matter."""


class Place(NamedTuple):
    """A chunk of an edition, as its manifest has it. `digest`: of what it says, by which it is known again."""

    chunk: ChunkId
    digest: str


@dataclass(frozen=True, slots=True)
class Chunks:
    """Reads chunks, and writes those of one edition part by part.

    Each write may be repeated, by whoever goes on after a crash, to the same end.
    """

    table: Table
    ids: Ids
    links: LinkStore

    def find(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        """Those that exist, strongly read."""
        places = [library_keys.chunk(each) for each in dict.fromkeys(chunks)]
        found = self.table.get(places).items.values() if places else ()
        return {each.id: each for each in map(document_codec.read_chunk, found)}

    def vectors(self, chunks: Iterable[ChunkId], model: Model) -> dict[ChunkId, Vector]:
        """The vectors of those that have some of that model."""
        places = {library_keys.chunk_vectors(each, model): each for each in chunks}
        found = self.table.get(list(places)).items if places else {}
        return {places[place]: _vectors(Reader(stored)) for place, stored in found.items()}

    def part(self, document: DocumentId, edition: int, part: int) -> list[Place]:
        """One part of an edition's manifest; empty when there is none."""
        place = library_keys.manifest(document, edition, part)
        stored = self.table.get([place]).items.get(place)
        return [] if stored is None else _places(Reader(stored))

    def plan(self, document: DocumentId, edition: int, part: int, places: Sequence[Place]) -> list[Place]:
        """Have the manifest say so before the chunks are written; what it says already, where somebody came first."""
        said = " ".join(f"{place.chunk}:{place.digest}" for place in places)
        try:
            self.table.write(Put(item(library_keys.manifest(document, edition, part), places=said), Missing("pk")))
        except ConditionFailed:
            return self.part(document, edition, part)
        return list(places)

    def manifest(self, document: DocumentId, edition: int, begin: int = 0) -> Iterator[list[Place]]:
        """An edition's manifest from the chunk at position `begin` on, part by part."""
        first, skipped = divmod(begin, PART)
        for at, places in self.parts(document, (edition, first), edition):
            yield places[skipped:] if at == (edition, first) else places

    def parts(
        self, document: DocumentId, begin: tuple[int, int] = (0, 0), last: int | None = None
    ) -> Iterator[tuple[tuple[int, int], list[Place]]]:
        """The parts of manifests that there are, each with its edition and number; those of `last` end it."""
        low, high = (
            library_keys.manifest(document, *begin),
            library_keys.MANIFESTS if last is None else library_keys.manifest_of(last),
        )
        query: Query | None = Query(low.pk, low=low.sk, high=high + keys.AFTER_ALL, consistent=True, limit=20)
        while query is not None:
            page = self.table.query(query)
            for stored in page.items:
                reader = Reader(stored)
                yield library_keys.place_of_manifest(reader.text("sk")), _places(reader)
            query = replace(query, after=page.next_cursor) if page.next_cursor else None

    def add(self, chunks: Sequence[tuple[Chunk, Vector]], model: Model) -> None:
        """Write chunks with their vectors under that model, shape (n, dimensions); n = 0 while they wait for some."""
        puts: list[Put | Delete] = [Put(document_codec.chunk_item(chunk)) for chunk, _ in chunks]
        puts += [Put(_vectors_item(chunk.id, vectors, model)) for chunk, vectors in chunks if len(vectors)]
        self.table.write_batch(puts)

    def add_vectors(self, vectors: Mapping[ChunkId, Vector], model: Model) -> None:
        """Keep vectors of another model beside chunks."""
        self.table.write_batch([Put(_vectors_item(chunk, made, model)) for chunk, made in vectors.items()])

    def keep(self, chunks: Sequence[Chunk]) -> None:
        """Have chunks that are there say at which positions they stand; ConditionFailed when one is gone by now."""
        for chunk in chunks:
            positions = Set("positions", document_codec.written(chunk.positions))
            self.table.write(Update(library_keys.chunk(chunk.id), (positions,), Exists("pk")))

    def log(self, space: SpaceId, chunks: Sequence[ChunkId], now: datetime) -> None:
        """Have the index look at what became of these."""
        ends = instants.epoch_seconds(now + RETENTION)
        pk = keys.chunk_log(space).pk
        rows: list[Put | Delete] = [
            Put(item(Key(pk, self.ids.ulid()), chunks=list(chunks[at : at + PART]), ttl=ends))
            for at in range(0, len(chunks), PART)
        ]
        self.table.write_batch(rows)

    def beside(self, chunks: Iterable[ChunkId]) -> Iterator[Key]:
        """Where everything lies that lies with these, themselves included."""
        for chunk in chunks:
            query: Query | None = Query(library_keys.chunk(chunk).pk, consistent=True)
            while query is not None:
                page = self.table.query(query)
                yield from (Key(str(each["pk"]), str(each["sk"])) for each in page.items)
                query = replace(query, after=page.next_cursor) if page.next_cursor else None

    def remove(self, chunks: Sequence[ChunkId], *, is_erasure: bool = False) -> None:
        """Take chunks away with all that lies with them; `is_erasure`: as `LinkStore.move` has it."""
        for chunk in chunks:
            self.links.clear(ChunkSource(chunk, _ANY), is_erasure=is_erasure)
        self.table.write_batch([Delete(place) for place in self.beside(chunks)])

    def forget_part(self, document: DocumentId, edition: int, part: int) -> None:
        """Take a part of an edition's manifest away, once nothing is left that it alone tells of."""
        self.table.write(Delete(library_keys.manifest(document, edition, part)))


def _vectors_item(chunk: ChunkId, vectors: Vector, model: Model) -> dict[str, Value]:
    return item(library_keys.chunk_vectors(chunk, model), dimensions=model.dimensions, vectors=pack(vectors))


def _vectors(r: Reader) -> Vector:
    return unpack(r.bytes("vectors"), r.integer("dimensions"))


def _places(r: Reader) -> list[Place]:
    return [Place(ChunkId(chunk), digest) for chunk, digest in (each.split(":") for each in r.text("places").split())]
