"""A range of the table from page to page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from palimpsest.ports.table import Item, Query, Table


def walk(table: Table, query: Query) -> Iterator[Item]:
    """All items of the range, each page read when it is wanted."""
    part: Query | None = query
    while part is not None:
        page = table.query(part)
        yield from page.items
        part = replace(part, after=page.next_cursor) if page.next_cursor else None
