"""Documents in the table: found by id and by path, listed by when they began, one row each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.document import Document
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import DocumentId, SpaceId
from palimpsest.ports.table import Delete, Equals, Index, Key, Missing, Put, Query, Table, Write
from palimpsest.stores import document_codec, keys, library_keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.deployment import Deployment


@dataclass(frozen=True, slots=True)
class Documents:
    """Reads and moves documents. A path stands in keys as a keyed hash only."""

    table: Table
    deployment: Deployment

    def begin(self, document: Document, also: Iterable[Write] = ()) -> bool:
        """A new document, with further writes; False when its path has one by now."""
        path = Put(item(self._path(document.space, document.path), document=document.id), Missing("pk"))
        try:
            self.table.transact([path, Put(document_codec.item_of(document)), *also])
        except ConditionFailed:
            return False
        return True

    def move(self, before: Document, after: Document, also: Iterable[Write] = ()) -> bool:
        """Put `after` in place of `before` with further writes; False when somebody else has moved it since."""
        moved = Put(document_codec.item_of(after), Equals("revision", before.revision))
        try:
            self.table.transact([moved, *also])
        except ConditionFailed:
            return False
        return True

    def erase(self, document: Document, erased: Document, also: Iterable[Write]) -> None:
        """Leave nothing of it but its id and its numbers; ConditionFailed when somebody else has moved it since."""
        moved = Put(document_codec.item_of(erased), Equals("revision", document.revision))
        self.table.transact([moved, Delete(self._path(document.space, document.path)), *also])

    def tombstone(self, erased: Document) -> Write:
        """The write that says once more that it is erased, and fails when that is not so."""
        return Put(document_codec.item_of(erased), Equals("revision", erased.revision))

    def has_path(self, place: Key, document: DocumentId) -> bool:
        """The path whose record lies there is that document's."""
        stored = self.table.get([place]).items.get(place)
        return stored is not None and stored.get("document") == document

    def path_mac(self, document: Document) -> str:
        """The keyed hash under which its space has its path."""
        return self.deployment.mac("path", document.path)

    def find(self, documents: Iterable[DocumentId]) -> dict[DocumentId, Document]:
        """Those that exist, strongly read."""
        places = [library_keys.document(each) for each in dict.fromkeys(documents)]
        found = self.table.get(places).items.values() if places else ()
        return {each.id: each for each in map(document_codec.read, found)}

    def at(self, space: SpaceId, path: str) -> Document | None:
        """The document with that path."""
        place = self._path(space, path)
        stored = self.table.get([place]).items.get(place)
        if stored is None:
            return None
        named = DocumentId(Reader(stored).text("document"))
        return self.find([named]).get(named)

    def walk(self, space: SpaceId, before: str | None = None) -> Iterator[tuple[str, Document]]:
        """(place, document) of the space, newest first, below the place `before`; forgotten ones only while it lags."""
        query: Query | None = Query(
            library_keys.documents(space), index=Index.ONE, descending=True, high=before, limit=50
        )
        while query is not None:
            page = self.table.query(query)
            places = [place for entry in page.items if (place := Reader(entry).text("g1sk")) != before]
            ids = [DocumentId(place.rpartition("#")[2]) for place in places]
            found = {each.id: each for each in self.find(ids).values() if each.erased_at is None}  # the index may lag
            yield from ((at, found[each]) for at, each in zip(places, ids, strict=True) if each in found)
            query = replace(query, after=page.next_cursor) if page.next_cursor else None

    def arrived(self, limit: int) -> list[DocumentId]:
        """At most `limit` of those that have work, those that wait longest first."""
        return self._listed(Query(library_keys.ARRIVALS, index=Index.TWO, limit=limit))

    def to_be_fetched(self, now: datetime, limit: int) -> list[DocumentId]:
        """At most `limit` of those whose link is to be looked at by now."""
        return self._listed(Query(library_keys.FETCHES, index=Index.TWO, high=_until(now), limit=limit))

    def ended(self, now: datetime, limit: int) -> list[DocumentId]:
        """At most `limit` of the forgotten ones that can be restored no more."""
        return self._listed(Query(library_keys.ENDINGS, index=Index.TWO, high=_until(now), limit=limit))

    def _listed(self, query: Query) -> list[DocumentId]:
        return [DocumentId(Reader(entry).text("pk").removeprefix("D#")) for entry in self.table.query(query).items]

    def _path(self, space: SpaceId, path: str) -> Key:
        return library_keys.document_path(space, self.deployment.mac("path", path))


def _until(now: datetime) -> str:
    return instants.write(now) + keys.AFTER_ALL
