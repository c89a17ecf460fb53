"""What the table holds of a belief beside its head and its text's record: found for an erasure, and taken away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from palimpsest.domain.errors import TableThrottled
from palimpsest.domain.ids import RootId
from palimpsest.ports.table import Delete, Item, Key, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.spaces import Space

_AT_ONCE: Final = 100
_HAS_ROW: Final = frozenset({"version", "event", "announced"})


class Trace(NamedTuple):
    """An item that is to go, and what kind of item it is; empty for what the erasure itself has written."""

    key: Key
    kind: str


class Seen(NamedTuple):
    """Some of the items that lie with a belief.

    Attributes:
        rows: Rows of the change log that there are, each with the item that names it.
    """

    items: Sequence[Trace]
    rows: Mapping[Key, Key]


@dataclass(frozen=True, slots=True)
class Traces:
    """Looks strongly."""

    table: Table

    def beside(self, root: RootId, space: Space, revision: int) -> Seen:
        """The next items of the belief's own partition, but for its head, and their rows in the change log.

        `revision`: of the step that began the erasure, whose row has nothing but ids and is for the log's readers.
        """
        place = keys.head(root)
        stored = list(self._next(Query(place.pk, limit=_AT_ONCE, consistent=True), place.sk))
        items = [_trace(each, revision) for each in stored]
        steps = [(item, trace.key) for item, trace in zip(stored, items, strict=True) if trace.kind in _HAS_ROW]
        named = {
            keys.log_row(partition, str(item["log"]), root, int(str(item["revision"]))): key
            for item, key in steps
            if item["revision"] != revision
            for partition in space.log_partitions()
        }
        rows = {row: named[row] for row in self.there(named)}
        return Seen(items, rows)

    def records_of_text(self, space: Space, root: RootId, mac: str) -> list[Trace]:
        """The records that say that the belief holds the text with that keyed hash."""
        places = [keys.text(space.id, mac), keys.text_holder(space.id, mac, root)]
        found = self.table.get(places).items
        return [Trace(key, keys.kind(key) or "text") for key, stored in found.items() if stored.get("root") == root]

    def there(self, places: Iterable[Key]) -> list[Key]:
        """Those of the places at which something lies, in their order."""
        wanted = sorted(set(places))
        found = self.table.get(wanted).items if wanted else {}
        return [place for place in wanted if place in found]

    def take_away(self, places: Iterable[Key]) -> None:
        """Delete these items, and see that they are gone; TableThrottled when one is there again."""
        wanted = list(places)
        if wanted:
            self.table.write_batch([Delete(key) for key in wanted])
            if self.there(wanted):
                raise TableThrottled

    def _next(self, query: Query, head: str) -> Iterator[Item]:
        """The first items that are not the head, a page of them."""
        part: Query | None = query
        while part is not None:
            page = self.table.query(part)
            found = [each for each in page.items if each["sk"] != head]
            if found:
                yield from found
                return
            part = replace(part, after=page.next_cursor) if page.next_cursor else None


def _trace(stored: Item, revision: int) -> Trace:
    key = Key(str(stored["pk"]), str(stored["sk"]))
    kind = keys.kind(key) or "unknown"
    return Trace(key, "" if kind == "event" and stored.get("revision") == revision else kind)
