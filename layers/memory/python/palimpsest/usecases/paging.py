"""Pages over a walk of which some entries are hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

_READ_AT_MOST = 1_000
"""Entries looked at for one page; past them the page is short and has a place to go on from."""


def page(
    walk: Iterator[tuple[str, T]], limit: int, visible: Callable[[Sequence[T]], Sequence[T]]
) -> tuple[list[T], str | None]:
    """At most `limit` entries that `visible` lets through, and the place to go on from; None when that was all."""
    found: list[tuple[str, T]] = []
    looked, place = 0, ""
    while len(found) <= limit and looked < _READ_AT_MOST:
        chunk = list(islice(walk, limit + 1))
        if not chunk:
            return [each for _, each in found[:limit]], None if len(found) <= limit else found[limit - 1][0]
        looked, place = looked + len(chunk), chunk[-1][0]
        shown = list(visible([each for _, each in chunk]))
        found += [entry for entry in chunk if entry[1] in shown]
    if len(found) > limit:
        place = found[limit - 1][0]
    return [each for _, each in found[:limit]], place
