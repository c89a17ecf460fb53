"""The conversations that facts are to be learned from: how far each has come, in a sparse list by when it was sent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import DocumentId, KeyId
from palimpsest.ports.table import Delete, Equals, Index, Item, Put, Query, Table
from palimpsest.stores import library_keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Learning:
    """A conversation that facts are to be learned from.

    Attributes:
        edition: The one that is learned from, or a later one.
        sent_by: Whose key sent it; what is learned is saved as theirs.
        part: Of its manifest, from which on something may be left to learn.
    """

    document: DocumentId
    edition: int
    sent_by: KeyId
    sent_at: datetime
    part: int = 0


@dataclass(frozen=True, slots=True)
class Learnings:
    """Reads and moves the list. Each conversation has one entry; sending it again begins it anew."""

    table: Table

    def find(self, document: DocumentId) -> Learning | None:
        """What is to be learned from a document; None when there is nothing."""
        place = library_keys.learning(document)
        stored = self.table.get([place]).items.get(place)
        return None if stored is None else _read(stored)

    def waiting(self, limit: int) -> list[DocumentId]:
        """At most `limit` of those that there is something to learn from, those that were sent first."""
        page = self.table.query(Query(library_keys.LEARNING, index=Index.TWO, limit=limit))
        return [DocumentId(Reader(entry).text("pk").removeprefix("D#")) for entry in page.items]

    def move(self, learning: Learning, part: int) -> Learning | None:
        """The same, with all before that part learned; None when it was sent again meanwhile."""
        moved = replace(learning, part=part)
        try:
            self.table.write(Put(_item(moved), _is(learning)))
        except ConditionFailed:
            return None
        return moved

    def end(self, learning: Learning) -> bool:
        """All is learned; False when it was sent again meanwhile."""
        try:
            self.table.write(Delete(library_keys.learning(learning.document), _is(learning)))
        except ConditionFailed:
            return False
        return True


def begun(learning: Learning) -> Put:
    """The write by which there is something to learn, for the transaction of what was sent."""
    return Put(_item(learning))


def ended(document: DocumentId) -> Delete:
    """The write by which nothing is learned from a document any more."""
    return Delete(library_keys.learning(document))


def _item(learning: Learning) -> Item:
    return item(
        library_keys.learning(learning.document),
        edition=learning.edition,
        sent_by=learning.sent_by,
        sent_at=learning.sent_at,
        part=learning.part,
        stand=_stand(learning),
        g2pk=library_keys.LEARNING,
        g2sk=library_keys.listed_document(instants.write(learning.sent_at), learning.document),
    )


def _stand(learning: Learning) -> str:
    return f"{learning.edition}:{learning.part}"


def _is(learning: Learning) -> Equals:
    return Equals("stand", _stand(learning))


def _read(stored: Item) -> Learning:
    r = Reader(stored)
    return Learning(
        document=DocumentId(r.text("pk").removeprefix("D#")),
        edition=r.integer("edition"),
        sent_by=KeyId(r.text("sent_by")),
        sent_at=r.instant("sent_at"),
        part=r.integer("part"),
    )
