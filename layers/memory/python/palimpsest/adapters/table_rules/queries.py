"""Queries: which ones there can be, and the keys that they range over."""

from __future__ import annotations

from typing import NamedTuple

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.adapters.table_rules.requests import check_key, check_key_text
from palimpsest.ports.table import Cursor, Key, Query

_LAST = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


class Range(NamedTuple):
    """The sort keys that a query is about. None is open; ``below`` is not in the range, ``high`` is."""

    low: str | None
    high: str | None
    below: str | None

    def holds(self, sort_key: str) -> bool:
        """Whether the sort key is in the range."""
        return (
            (self.low is None or sort_key >= self.low)
            and (self.high is None or sort_key <= self.high)
            and (self.below is None or sort_key < self.below)
        )

    @property
    def is_empty(self) -> bool:
        """Whether no key at all can be in it, because its bounds are upside down."""
        return self.low is not None and self.high is not None and self.low > self.high


def checked_range(query: Query) -> Range:
    """The sort keys that the query is about.

    Raises:
        RequestRefused: A strong read of an index, a prefix together with bounds, a limit under 1, or a cursor that
            does not come from this query.
    """
    prefix = "" if query.index is None else str(query.index)
    if query.index is not None and query.consistent:
        raise RequestRefused("an index can't be read strongly; read what it finds again by key")
    if query.prefix is not None and (query.low is not None or query.high is not None):
        raise RequestRefused("a query has a prefix or bounds, not both")
    if query.limit is not None and query.limit < 1:
        raise RequestRefused("a query's limit is at least 1")
    check_key_text(f"{prefix}pk", query.pk)
    for text in (query.prefix, query.low, query.high):
        if text is not None:
            check_key_text(f"{prefix}sk", text)
    span = Range(query.low or query.prefix, query.high, successor(query.prefix) if query.prefix else None)
    if query.after is not None:
        _check_cursor(query, query.after, span)
    return span


def check_scan(after: Cursor | None, limit: int | None) -> None:
    """Refuses a limit under 1, and a cursor that does not come from a scan."""
    if limit is not None and limit < 1:
        raise RequestRefused("a scan's limit is at least 1")
    if after is not None:
        check_key(Key(after.pk, after.sk))
        if after.index_sk is not None:
            raise RequestRefused("the cursor is of a query")


def successor(prefix: str) -> str | None:
    """The least text above all that begin with the prefix, or None when there is none."""
    for length in range(len(prefix), 0, -1):
        code = ord(prefix[length - 1])
        if code < _LAST:
            following = code + 1
            return prefix[: length - 1] + chr(_SURROGATES.stop if following in _SURROGATES else following)
    return None


def _check_cursor(query: Query, after: Cursor, span: Range) -> None:
    check_key(Key(after.pk, after.sk))
    sort_key = after.sk if query.index is None else after.index_sk
    if (after.index_sk is None) is not (query.index is None) or (query.index is None and after.pk != query.pk):
        raise RequestRefused("the cursor is of another query")
    if sort_key is None or not span.holds(sort_key):
        raise RequestRefused("the cursor is outside the range of the query")
