"""Beliefs as recall would show them now: current, true today, with nothing that they were made from gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from palimpsest.domain.belief import Head, Memory, State
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId
from palimpsest.stores.changes import ChangeLog
from palimpsest.stores.listing import Listing
from palimpsest.stores.spaces import Space
from palimpsest.usecases.steps import Steps, memory
from palimpsest.usecases.timelines import Rows, Timelines

_LOG_BYTES: Final = 32_768
"""Of the change log that are looked through for what changed last: some fifteen rows."""


@dataclass(frozen=True, slots=True)
class ShowNow:
    """Shows beliefs of one space."""

    steps: Steps
    timelines: Timelines
    listing: Listing
    log: ChangeLog

    def __call__(self, space: Space, heads: Iterable[Head]) -> list[Memory]:
        """Those of the beliefs that recall returns, in the order given; disputed ones say so."""
        asked = [head for head in heads if head.space == space.id and head.state is State.LIVE]
        rows: Rows = {}
        found = self.timelines(asked, rows, Filters(), self.steps.clock.now())
        hidden = self.steps.sources.hidden(found.values())
        shown = [(head, found[head.root]) for head in asked if head.root in found]
        later = [(version.root, version.number + 1) for head, version in shown if version.number < head.count]
        rows.update(self.steps.beliefs.versions([ref for ref in later if ref not in rows], only_readable=True))
        return self.steps.told(
            [
                memory(space, head, version, rows.get((version.root, version.number + 1)))
                for head, version in shown
                if version.ref not in hidden
            ]
        )

    def of(self, space: Space, roots: Iterable[RootId], known: Iterable[Head] = ()) -> list[Memory]:
        """The same of beliefs by their ids, and then of `known` ones; those that don't exist are left out."""
        heads = {head.root: head for head in known}
        unread = [root for root in dict.fromkeys(roots) if root not in heads]
        found = self.steps.beliefs.heads(unread, only_readable=True) if unread else {}
        ordered = [found[root] for root in unread if root in found]
        return self(space, [*ordered, *heads.values()])

    def newest(self, space: Space, most: int) -> list[Head]:
        """At most so many live beliefs: those whose current version was recorded last."""
        walk = self.listing.walk(space, State.LIVE, None, None, only_readable=True)
        heads = {head.root: head for _, head in islice(walk, most)}
        changed = [root for root in self._changed(space) if root not in heads]
        heads |= self.steps.beliefs.heads(changed, only_readable=True) if changed else {}
        live = [head for head in heads.values() if head.state is State.LIVE]
        return sorted(live, key=lambda head: (head.recorded_at, head.root), reverse=True)[:most]

    def _changed(self, space: Space) -> list[RootId]:
        """The beliefs that changed last, also what no list shows yet."""
        partitions = space.log_partitions()
        pages = [self.log.newest_first(each, "", max_bytes=_LOG_BYTES // len(partitions)) for each in partitions]
        return list(dict.fromkeys(change.root for page in pages for change in page.changes))
