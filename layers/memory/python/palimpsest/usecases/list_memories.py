"""List what a space remembers, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from palimpsest.domain.access import Caller
from palimpsest.domain.analysis import analyse_query
from palimpsest.domain.errors import Invalid
from palimpsest.domain.filters import Filters
from palimpsest.domain.lineage import Head, Memory, State, Status
from palimpsest.ports.language import Linguist
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.listing import Listing
from palimpsest.stores.spaces import Space
from palimpsest.usecases.requests import Listed, ListQuery
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.steps import Steps

_READ_AT_MOST = 1_000
"""Heads looked at for one page; past them the page is short and has a cursor."""

_STATES = {Status.CURRENT: State.LIVE, Status.RETIRED: State.RETIRED, Status.FORGOTTEN: State.FORGOTTEN}


@dataclass(frozen=True, slots=True)
class ListMemories:
    """Lists memories."""

    steps: Steps
    listing: Listing
    cursors: Cursors
    searching: Searching
    linguist: Linguist

    def __call__(self, caller: Caller, query: ListQuery) -> Listed:
        """One page.

        Raises:
            NotAllowed: The key may not enter the space; forgotten ones are for writers.
            CursorRefused: Not a cursor of this query and this key.
            Invalid: More than one status is asked for, or one that is not listed.
        """
        status = _only(query.filters)
        if status is Status.FORGOTTEN:
            caller.require(Role.WRITER)
        name = caller.require_space(query.space)
        binding = (name, repr(query.filters), query.words or "", caller.key)
        before = self.cursors.open(query.cursor, *binding) if query.cursor else None
        space = self.steps.spaces.find(name)
        if space is None:
            return Listed((), None)
        found: list[Memory] = []
        place = None
        for place, shown in self._walk(space, status, before, query):
            found += shown
            if len(found) >= query.limit:
                return Listed(tuple(found), self.cursors.seal(place, *binding))
        return Listed(tuple(found), self.cursors.seal(place, *binding) if place else None)

    def _walk(
        self, space: Space, status: Status, before: str | None, query: ListQuery
    ) -> Iterator[tuple[str, list[Memory]]]:
        """Each place and the memory there if it passes; ends with a place when it stops before the end."""
        raise NotImplementedError
