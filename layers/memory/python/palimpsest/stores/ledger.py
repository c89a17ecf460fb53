"""The ledger of erased ids: entries outside of the table, and what the table knows of them.

Whoever erases writes the digest into the table first and into the ledger then. So an entry whose digest the table lacks
says one thing alone: the table is older than the entry, since it was restored from a backup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import DocumentId, RootId
from palimpsest.domain.ledger import PREFIX, Entry, before, digest_of, first_entry, parse_entry
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Cursor, Equals, Item, Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

_RANDOM_BYTES = 16
_SHORT = 8
"""Bytes of a digest that tell it from others in a walk; the walk itself goes by whole ones."""
_MOST_LOOKED_FOR = 40_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the table stands against the ledger.

    Attributes:
        mark: Up to where the table says that it has the ledger; None: it says nothing yet.
        listed: The entries from shortly before the mark on, in order.
        lacking: Those of them whose digests the table lacks.
    """

    mark: Entry | None
    listed: tuple[Entry, ...]
    lacking: tuple[Entry, ...]

    @property
    def is_lost(self) -> bool:
        """The mark is not in the ledger, so this is not the table's ledger, or a part of it is gone."""
        return self.mark is not None and self.mark not in self.listed

    @property
    def is_behind(self) -> bool:
        """The table was restored, and has to be told what was erased since."""
        return bool(self.lacking)

    @property
    def unmarked(self) -> int:
        """How many entries each comparison has to look at beyond the mark."""
        return sum(self.mark is None or entry > self.mark for entry in self.listed)

    @property
    def looked_for(self) -> frozenset[bytes]:
        """What a walk through the table looks for, in short."""
        return frozenset(bytes.fromhex(entry.digest)[:_SHORT] for entry in self.lacking)


@dataclass(frozen=True, slots=True)
class Ledger:
    """Reads and writes both."""

    blobs: Blobs
    table: Table
    clock: Clock
    ids: Ids

    def note(self, subject: RootId | DocumentId) -> None:
        """Keep that something is erased; nothing when that is kept already. Done again after a crash, it is complete.

        Raises:
            BlobsUnavailable: It could not be kept.
        """
        digest = digest_of(subject)
        place = keys.erased_id(digest)
        found = self.table.get([place, keys.ledger_mark()]).items
        if place in found and "entry" in found[place]:
            return
        if place not in found:
            with suppress(ConditionFailed):
                self.table.write(Put(item(place), Missing("pk")))
        mark, now = _entry(found.get(keys.ledger_mark())), self.clock.now()
        # A clock that was set back must not write where no comparison looks any more.
        entry = Entry(now if mark is None else max(now, mark.at), digest)
        self.blobs.put(entry.key, b"")
        self.table.write(Put(item(place, entry=entry.key)))

    def compare(self) -> Comparison:
        """Compare the table with the ledger; costs one list of blobs and two reads of the table."""
        mark = self._mark()
        listed = tuple(self._entries("" if mark is None else before(mark)))
        places = {keys.erased_id(entry.digest): entry for entry in listed if not entry.is_first and entry != mark}
        known = self.table.get(list(places)).items if places else {}
        lacking = tuple(entry for place, entry in places.items() if place not in known)
        return Comparison(mark, listed, lacking)

    def begin(self) -> None:
        """Begin a ledger, and let the table know it as its own."""
        mark, entry = self._mark(), first_entry(self.clock.now(), self.ids.secret(_RANDOM_BYTES))
        self.blobs.put(entry.key, b"")
        self._move_mark(mark, entry)

    def apply(self, compared: Comparison) -> None:
        """Keep that all is erased of which the ledger tells; what the table never had can't come back either."""
        self.keep(compared.lacking)
        self._move_mark(compared.mark, compared.listed[-1])

    def keep(self, entries: Sequence[Entry]) -> None:
        """Let the table know them."""
        self.table.write_batch([Put(item(keys.erased_id(each.digest), entry=each.key)) for each in entries])

    def reached(self, compared: Comparison) -> Cursor | None:
        """How far the walk through the table has come that looks for what is lacking; None: it has to begin."""
        stored = self.table.get([keys.ledger_walk()]).items.get(keys.ledger_walk())
        if stored is None:
            return None
        r = Reader(stored)
        after, packed = r.texts("after"), r.bytes("looked_for")
        looked_for = {packed[at : at + _SHORT] for at in range(0, len(packed), _SHORT)}
        return Cursor(after[0], after[1]) if compared.looked_for <= looked_for else None

    def reach(self, compared: Comparison, cursor: Cursor) -> None:
        """Keep how far it has come; nothing when it looks for more than an item holds."""
        if len(compared.looked_for) <= _MOST_LOOKED_FOR:
            packed = b"".join(sorted(compared.looked_for))
            self.table.write(Put(item(keys.ledger_walk(), looked_for=packed, after=[cursor.pk, cursor.sk])))

    def _mark(self) -> Entry | None:
        return _entry(self.table.get([keys.ledger_mark()]).items.get(keys.ledger_mark()))

    def _move_mark(self, seen: Entry | None, entry: Entry) -> None:
        """Unless somebody has moved it meanwhile, or is copying another table's items into this one."""
        as_seen = Missing("pk") if seen is None else Equals("entry", seen.key)
        with suppress(ConditionFailed):
            self.table.write(Put(item(keys.ledger_mark(), entry=entry.key), as_seen))

    def _entries(self, after: str) -> Iterator[Entry]:
        behind: str | None = after
        while behind is not None:
            page = self.blobs.list(PREFIX, after=behind)
            yield from _parsed(page.keys)
            behind = page.after


def _parsed(found: Sequence[str]) -> Iterator[Entry]:
    for key in found:
        entry = parse_entry(key)
        if entry is not None:  # somebody may have put something of theirs there
            yield entry


def _entry(stored: Item | None) -> Entry | None:
    return None if stored is None else parse_entry(Reader(stored).text("entry"))
