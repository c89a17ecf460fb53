"""Runs that read sources for entities: what is new, what is outdated, or everything again.

Each source is read whole and its links are put in place of what was found in it before, in one transaction, so that the
graph is never empty while it is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from palimpsest.domain.belief import State
from palimpsest.domain.graph.links import ChunkSource, Links, MemorySource, Outcome, ReadBy, Source
from palimpsest.domain.graph.reading import ALL, NEW
from palimpsest.domain.ids import ChunkId, DocumentId, RootId
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.jobs.run_kinds import GONE, Planned
from palimpsest.jobs.work import SecondsLeft
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.documents import Documents
from palimpsest.stores.links import LinkStore
from palimpsest.stores.listing import Listing
from palimpsest.stores.moves import Guarded
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.first_seen import FirstSeen
from palimpsest.usecases.link_memory import For, LinkChunk, LinkMemory, Outdated
from palimpsest.usecases.link_source import Linked
from palimpsest.usecases.unread import Unread, is_memory

_PLANNED: Final = 500
_MEMORIES, _CHUNKS = "1", "2"
_FORMER: Final = {"3": State.RETIRED, "4": State.FORGOTTEN}
"""Memories that are not live; the parts of a plan are in the order of these marks."""
_READ_ALREADY: Final = "read_already"


@dataclass(frozen=True, slots=True)
class IndexSources:
    """Plans and reads. `has_model`: a model reads, so that what rules have read is outdated."""

    spaces: Spaces
    listing: Listing
    documents: Documents
    chunks: Chunks
    links: LinkStore
    memory: LinkMemory
    chunk: LinkChunk
    unread: Unread
    first_seen: FirstSeen
    has_model: bool

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        """The next of all sources of the space, the newest first; which of them are read already is found later.

        Of memories that are not live those that count still.
        """
        found = list(islice(self._subjects(self.spaces.by_id(run.space), run.place), _PLANNED))
        former = {RootId(subject) for place, subject in found if place.partition("|")[0] in _FORMER}
        settled = former.difference(self.unread(list(former)))
        items = [PlanItem(subject, 0, changes=0) for _, subject in found if subject not in settled]
        return Planned(items, found[-1][0] if len(found) == _PLANNED else None)

    def apply(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Read the source, unless it is read as it was asked for."""
        space = self.spaces.by_id(run.space)
        linked = self._link(run, space, item.subject, fence)
        if linked.links is None:
            return item.settled(ItemState.SKIPPED, GONE)
        if linked.links.run != run.id:
            return item.settled(ItemState.APPLIED, _READ_ALREADY)
        for again in self.first_seen.of(linked.links) if linked.again is None else linked.again:
            self._again(space, again, fence)
        return item.settled(ItemState.APPLIED, linked.links.outcome)

    def undo(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Take out what this run found in the source; nothing reads it again by itself."""
        for links in self.links.of(_source(item.subject)):
            if links.run == run.id and links.outcome is not Outcome.UNDONE:
                bare = replace(links, outcome=Outcome.UNDONE, mentions=(), relations=(), held=())
                if not (self.first_seen.take_back(links, fence) and self.links.move(links, bare, fence=fence)):
                    return self.undo(run, item, fence)
                return item.settled(ItemState.UNDONE)
        return item

    def _link(self, run: Run, space: Space, subject: str, fence: Guarded) -> Linked:
        def is_outdated(links: Links) -> bool:
            if run.asked == NEW or links.run == run.id:
                return False
            return run.asked == ALL or self._is_outdated(space, links)

        return self._read(space, subject, is_outdated, For(run.id, fence))

    def _again(self, space: Space, source: Source, fence: Guarded) -> None:
        """It stays with the run that has read it, and is undone with that."""
        name = source.root if isinstance(source, MemorySource) else source.chunk
        for links in self.links.of(source):
            if links.is_live and links.outcome is not Outcome.UNDONE:
                self._read(space, name, lambda _: True, For(links.run, fence))

    def _read(self, space: Space, subject: str, is_outdated: Outdated, reading: For) -> Linked:
        if is_memory(subject):
            return self.memory(space, RootId(subject), is_outdated, reading)
        return self.chunk(space, ChunkId(subject), is_outdated, reading)

    def _is_outdated(self, space: Space, links: Links) -> bool:
        is_of_rules = links.read_by is ReadBy.RULES and links.outcome is not Outcome.MATH_DENSE
        revision = self.memory.link.vocabulary(space).revision
        return links.outcome is Outcome.UNDONE or links.vocabulary != revision or (self.has_model and is_of_rules)

    def _subjects(self, space: Space, after: str) -> Iterator[tuple[str, str]]:
        """(place, id) of live memories, then chunks, then other memories, behind a place."""
        part, _, place = after.partition("|")
        for each in (_MEMORIES, _CHUNKS, *_FORMER):
            if part <= each:
                begin = place if part == each else ""
                of_part = self._chunks(space, begin) if each == _CHUNKS else self._roots(space, each, begin)
                yield from ((f"{each}|{at}", subject) for at, subject in of_part)

    def _roots(self, space: Space, part: str, after: str) -> Iterator[tuple[str, str]]:
        state = _FORMER.get(part, State.LIVE)
        heads = self.listing.walk(space, state, after or None, None, only_readable=True)
        return ((at, head.root) for at, head in heads)

    def _chunks(self, space: Space, after: str) -> Iterator[tuple[str, str]]:
        """Of documents that are not forgotten; a place is that of the document, and a position in it."""
        before, _, position = after.partition("|")
        begin = int(position or 0)
        for at, document in self.documents.walk(space.id, f"{before}\0" if before else None):
            taken = begin if at == before else 0
            if document.is_shown:
                ids = self._ids(self.chunks.manifest(document.id, document.edition, taken))
                yield from ((f"{at}|{number}", chunk) for number, chunk in enumerate(ids, start=taken + 1))

    @staticmethod
    def _ids(parts: Iterable[Iterable[tuple[ChunkId, str]]]) -> Iterator[ChunkId]:
        return (chunk for part in parts for chunk, _ in part)


def _source(subject: str) -> Source:
    """A source with that subject, to find its links by."""
    return MemorySource(RootId(subject), 0) if is_memory(subject) else ChunkSource(ChunkId(subject), DocumentId(""))
