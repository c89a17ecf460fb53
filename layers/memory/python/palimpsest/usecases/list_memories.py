"""List what a space remembers, newest first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Head, Memory, State, Status
from palimpsest.domain.errors import IndexUnavailable, Invalid, VersionMissing
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.language import Linguist
from palimpsest.stores import keys
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.listing import Listing
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail
from palimpsest.usecases import selecting
from palimpsest.usecases.naming_memories import NamingMemories
from palimpsest.usecases.readings import Listed, ListQuery
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.steps import Steps, memory
from palimpsest.usecases.timelines import Rows, Timelines

_READ_AT_MOST = 1_000
"""Heads looked at for one page; past them the page is short and has a cursor."""

_CHUNK = 50
"""Heads whose texts are read at once when the first of them, as many as are asked for, did not fill the page."""

_STATES = {Status.CURRENT: State.LIVE, Status.RETIRED: State.RETIRED, Status.FORGOTTEN: State.FORGOTTEN}


@dataclass(frozen=True, slots=True)
class ListMemories:
    """Lists memories."""

    steps: Steps
    listing: Listing
    cursors: Cursors
    searching: Searching
    timelines: Timelines
    linguist: Linguist
    naming: NamingMemories

    def __call__(self, caller: Caller, query: ListQuery) -> Listed:
        """One page.

        Raises:
            NotAllowed: The key may not enter the space; forgotten ones are for writers.
            CursorRefused: Not a cursor of this query and this key.
            VersionMissing: A memory's version is not stored.
            Invalid: More than one status is asked for, one that is not listed, or one beside a time; the dates are
                reversed; or no word of the query counts.
        """
        query.filters.require_order()
        selecting.require_words(query.words or None, self.linguist)
        status = _only(query.filters)
        if status is Status.FORGOTTEN:
            caller.require(Role.WRITER)
        name = caller.require_space(query.space)
        binding = (name, repr((query.filters, query.entity, query.subject)), query.words or "", caller.key)
        before = self.cursors.open(query.cursor, *binding) if query.cursor else None
        space = self.steps.spaces.find(name)
        if space is None:
            return Listed((), None)
        passes = self._filter(query)
        walk = self._walk(space, query.filters, _STATES[status], before)
        found: list[Memory] = []
        looked = 0
        place = ""
        while chunk := list(islice(walk, max(query.limit, _CHUNK) if looked else query.limit)):
            looked += len(chunk)
            listed = list(self._memories(space, chunk, query.filters))
            hidden = self._hidden(listed, status) | self._of_others(space, query, listed)
            for at, each in listed:
                place = at
                if passes(each) and each.version.ref not in hidden:
                    found.append(each)
                if len(found) == query.limit:
                    break
            if len(found) == query.limit or looked >= _READ_AT_MOST:
                break
        is_last = not chunk or (place == chunk[-1][0] and next(walk, None) is None)
        return Listed(tuple(self.steps.told(found)), None if is_last else self.cursors.seal(place, *binding))

    def _hidden(self, listed: Sequence[tuple[str, Memory]], status: Status) -> frozenset[VersionRef]:
        """What was made from beliefs that are not there; writers who ask for what is forgotten see that, too."""
        if status is Status.FORGOTTEN:
            return frozenset()
        return self.steps.sources.hidden(each.version for _, each in listed)

    def _of_others(self, space: Space, query: ListQuery, listed: Sequence[tuple[str, Memory]]) -> frozenset[VersionRef]:
        """What does not name the entity that is asked for, or is not about it."""
        refs = [each.version.ref for _, each in listed]
        wanted = ((query.entity, False), (query.subject, True))
        found = [self.naming.versions(space.id, each, refs, as_subject=about) for each, about in wanted if each]
        return frozenset(ref for ref in refs if not all(ref in each for each in found))

    def _walk(self, space: Space, filters: Filters, state: State, before: str | None) -> Iterator[tuple[str, Head]]:
        """The beliefs that may be shown; at another time one that is retired now may have been believed."""
        tail = self._tail(space)
        states = (State.LIVE, State.RETIRED) if filters.believed_at is not None else (state,)
        walks = [self.listing.walk(space, each, before, tail) for each in states]
        return heapq.merge(*walks, key=itemgetter(0), reverse=True)

    def _tail(self, space: Space) -> Tail:
        try:
            generation = self.searching.answering()
        except IndexUnavailable:
            generation = None
        return self.searching.tail(space, generation)

    def _memories(self, space: Space, chunk: list[tuple[str, Head]], filters: Filters) -> Iterator[tuple[str, Memory]]:
        if filters.is_timed:
            yield from self._answering(space, chunk, filters)
            return
        versions = self.steps.beliefs.versions([(head.root, head.current) for _, head in chunk])
        lacking = [head.root for _, head in chunk if (head.root, head.current) not in versions]
        erased = {head.root for head in self.steps.beliefs.heads(lacking).values() if head.state.is_erased}
        for place, head in chunk:
            version = versions.get((head.root, head.current))
            if head.root in erased:
                continue
            if version is None:
                key = keys.version(head.root, head.current)
                raise VersionMissing(*key, space=head.space, number=head.current)
            yield place, Memory(space.name, head, version, None)

    def _answering(self, space: Space, chunk: list[tuple[str, Head]], filters: Filters) -> Iterator[tuple[str, Memory]]:
        """Of each belief the version that answers, if one does."""
        rows: Rows = {}
        found = self.timelines([head for _, head in chunk], rows, filters, self.steps.clock.now())
        later = [(root, version.number + 1) for root, version in found.items()]
        rows.update(self.steps.beliefs.versions([ref for ref in later if ref not in rows], only_readable=True))
        for place, head in chunk:
            if (version := found.get(head.root)) is not None:
                yield place, memory(space, head, version, rows.get((head.root, version.number + 1)))

    def _filter(self, query: ListQuery) -> Callable[[Memory], bool]:
        has_words = selecting.has_words(query.words or None, self.linguist)
        now = self.steps.clock.now()

        fits = query.filters.fits if query.filters.is_timed else query.filters.passes

        def passes(each: Memory) -> bool:
            if each.head.is_expired(now) or not fits(each.head, each.version):
                return False
            return has_words(each.version.statement.content)

        return passes


def _only(filters: Filters) -> Status:
    if len(filters.statuses) != 1 or filters.statuses[0] not in _STATES:
        raise Invalid("status", "ask for one of: current, retired, forgotten; older versions are in a memory's history")
    if filters.is_timed and filters.statuses[0] is not Status.CURRENT:
        raise Invalid("status", "give a status or a time, not both")
    return filters.statuses[0]
