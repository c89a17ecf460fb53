"""Pages: as many entries as a limit and 1 MB allow."""

from __future__ import annotations

from collections.abc import Iterable

from palimpsest.adapters.embedded.rows import Entry, cursor_of
from palimpsest.adapters.embedded.units import read_units
from palimpsest.adapters.table_rules.limits import PAGE_BYTES
from palimpsest.ports.table import Cursor, Index, Item, Page, Query, Units


def read_page(entries: Iterable[Entry], query: Query) -> Page:
    """One page of the entries, which come in the query's order from behind its cursor on."""
    return cut(entries, query.index, query.limit, consistent=query.consistent)


def cut(entries: Iterable[Entry], index: Index | None, limit: int | None, *, consistent: bool) -> Page:
    """The first of the entries, as many as a page has.

    A page that ends at its limit has a cursor also when nothing follows, as on DynamoDB, which does not look ahead.
    """
    items: list[Item] = []
    size = 0
    next_cursor: Cursor | None = None
    for entry in entries:
        if items and size + entry.size > PAGE_BYTES:
            next_cursor = cursor_of(items[-1], index)
            break
        items.append(entry.item)
        size += entry.size
        if len(items) == limit:
            next_cursor = cursor_of(entry.item, index)
            break
    return Page(tuple(items), next_cursor, Units(read=read_units(size, consistent=consistent)))
