"""The graph put together: what reads sources for entities, and the runs that do."""

from __future__ import annotations

from palimpsest.jobs.extract import CONSUMER, Extract
from palimpsest.jobs.hear_changes import HearChanges
from palimpsest.jobs.index_changes import IndexChanges
from palimpsest.jobs.index_sources import IndexSources
from palimpsest.settings import Settings
from palimpsest.stores.chunk_log import ChunkLog
from palimpsest.stores.spaces import Space
from palimpsest.stores.watermarks import Watermarks
from palimpsest.usecases.known_names import KnownNames
from palimpsest.usecases.link_memory import LinkChunk, LinkMemory
from palimpsest.usecases.link_source import LinkSource
from palimpsest.usecases.name_reader import ReadByRules
from palimpsest.usecases.unread import Unread
from palimpsest.wiring.asking import asking
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def hear_changes(parts: Parts, stores: Stores, index: IndexChanges) -> HearChanges:
    return HearChanges(index, stores.unextracted, asking(parts, stores), parts.clock)


def extract(parts: Parts, stores: Stores, settings: Settings) -> Extract:
    def is_wanted(space: Space) -> bool:
        return settings.auto_index if space.auto_index is None else space.auto_index

    return Extract(
        stores.spaces,
        stores.log,
        ChunkLog(parts.table),
        stores.tails,
        Watermarks(parts.table, CONSUMER),
        stores.unextracted,
        Unread(parts.table, stores.beliefs),
        stores.runs,
        parts.clock,
        parts.ids,
        asking(parts, stores),
        is_wanted,
    )


def index_sources(parts: Parts, stores: Stores) -> IndexSources:
    link = _link_source(parts, stores)
    return IndexSources(
        stores.spaces,
        stores.listing,
        stores.documents,
        stores.chunks,
        stores.links,
        LinkMemory(stores.beliefs, stores.links, link),
        LinkChunk(stores.chunks, stores.documents, stores.links, link),
        has_model=parts.model is not None,
    )


def _link_source(parts: Parts, stores: Stores) -> LinkSource:
    known = KnownNames(stores.entities, parts.clock)
    return LinkSource(
        stores.links,
        stores.entities,
        stores.seen_phrases,
        ReadByRules(parts.linguist),
        lambda space: known(space.id),
        stores.vocabularies.active,
        lambda space, links, kept: None,
        parts.clock,
        parts.ids,
    )
