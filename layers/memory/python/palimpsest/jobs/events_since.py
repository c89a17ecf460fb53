"""What became of a belief since a revision, without the steps that added versions."""

from __future__ import annotations

from collections.abc import Iterator

from palimpsest.domain.belief import Head
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.events import Event

EVENTS = 100
"""So many are read at once."""


def events_since(beliefs: Beliefs, head: Head, revision: int) -> Iterator[Event]:
    """Those above that revision, newest first."""
    high = head.revision
    while revision < high:
        events = beliefs.events_between(head.root, revision + 1, high, limit=EVENTS)
        yield from events
        if len(events) < EVENTS:
            return
        high = events[-1].revision - 1
