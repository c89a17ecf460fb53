"""The graph put together: what reads sources for entities, the runs that do, and the verbs over what they find."""

from __future__ import annotations

from palimpsest.jobs.extract import CONSUMER, Extract
from palimpsest.jobs.hear_changes import HearChanges
from palimpsest.jobs.index_changes import IndexChanges
from palimpsest.jobs.index_sources import IndexSources
from palimpsest.settings import Settings
from palimpsest.stores.chunk_log import ChunkLog
from palimpsest.stores.derivations import Derivations
from palimpsest.stores.leads import Leads
from palimpsest.stores.spaces import Space
from palimpsest.stores.watermarks import Watermarks
from palimpsest.usecases.around import LookAround
from palimpsest.usecases.ask_model import AskModel
from palimpsest.usecases.begin_run import BeginRun
from palimpsest.usecases.change_vocabulary import ChangeVocabulary
from palimpsest.usecases.decide_duplicates import DecideDuplicates
from palimpsest.usecases.derived_ways import DerivedWays
from palimpsest.usecases.drawing import Draw
from palimpsest.usecases.entities import ManageEntities
from palimpsest.usecases.entity_arm import EntityArm, NamedSources
from palimpsest.usecases.first_seen import FirstSeen
from palimpsest.usecases.follow_links import FollowLinks
from palimpsest.usecases.graph import Graph
from palimpsest.usecases.index_graph import IndexGraph
from palimpsest.usecases.known_names import KnownNames
from palimpsest.usecases.library import Library
from palimpsest.usecases.link_memory import LinkChunk, LinkMemory
from palimpsest.usecases.link_source import LinkSource
from palimpsest.usecases.live_sources import LiveSources
from palimpsest.usecases.merge_entities import MergeEntities
from palimpsest.usecases.most_named import MostNamed
from palimpsest.usecases.name_reader import NameReader, ReadByRules
from palimpsest.usecases.named_by import NamedBy
from palimpsest.usecases.naming_entities import NamingEntities
from palimpsest.usecases.propose import Propose
from palimpsest.usecases.read_by_model import ReadByModel
from palimpsest.usecases.read_entity import ReadEntity
from palimpsest.usecases.related import FindRelated
from palimpsest.usecases.show_entities import ShowEntities
from palimpsest.usecases.stated_ways import StatedWays
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.take_up import TakeUp
from palimpsest.usecases.unread import Unread
from palimpsest.usecases.view_around import ViewAround
from palimpsest.usecases.view_graph import ViewGraph
from palimpsest.usecases.vocabulary_shown import ShowVocabulary
from palimpsest.usecases.wanted_entities import WantedEntities
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
        Unread(stores.beliefs, stores.links),
        stores.runs,
        parts.clock,
        parts.ids,
        asking(parts, stores),
        is_wanted,
    )


def index_sources(parts: Parts, stores: Stores, ask: AskModel | None) -> IndexSources:
    """`ask`: the language model, which reads where there is one."""
    link = _link_source(parts, stores, _reader(parts, stores, ask))
    return IndexSources(
        stores.spaces,
        stores.listing,
        stores.documents,
        stores.chunks,
        stores.links,
        LinkMemory(stores.beliefs, stores.links, link),
        LinkChunk(stores.chunks, stores.documents, stores.links, link),
        Unread(stores.beliefs, stores.links),
        FirstSeen(stores.links, stores.seen_phrases),
        has_model=ask is not None,
    )


def verbs(parts: Parts, stores: Stores, steps: Steps, library: Library) -> Graph:
    naming = NamingEntities(stores.entities, stores.vocabularies, steps.scrub)
    manage = ManageEntities(steps, stores.entities, stores.tallies, naming)
    live = LiveSources(stores.beliefs, stores.chunks, stores.documents, parts.clock)
    told = stores.entities, stores.links, stores.tallies, stores.documents, live, stores.cursors
    show = ShowEntities(manage, *told)
    named = NamedBy(stores.links, stores.entities)
    draw = Draw(stores.beliefs, stores.edges, stores.links, stores.entities, stores.tallies, live, named)
    view = ViewGraph(stores.listing, library, show, draw, stores.cursors)
    begin = BeginRun(stores.runs, stores.idempotency, parts.clock, parts.ids, asking(parts, stores))
    return Graph(
        show=show,
        read=ReadEntity(show),
        entities=manage,
        merge=MergeEntities(manage, stores.duplicates, stores.cursors, show.shown),
        related=FindRelated(show, stores.entities, LookAround(stores.entities, stores.links, live)),
        view=view,
        around=ViewAround(view),
        index=IndexGraph(stores.spaces, begin),
        duplicates=DecideDuplicates(show, stores.duplicates, stores.cursors),
    )


def entity_arm(parts: Parts, stores: Stores) -> EntityArm:
    return NamedSources(stores.entities, stores.links, stores.beliefs, stores.chunks, parts.embedder.model)


def follow_links(parts: Parts, stores: Stores) -> FollowLinks:
    executor = parts.executor if parts.indexes.is_remote else None  # what has a remote index has a remote table
    return FollowLinks(
        Leads(parts.table),
        StatedWays(stores.entities, stores.links, executor),
        DerivedWays(stores.beliefs, Derivations(parts.table), executor),
        stores.beliefs,
        stores.chunks,
    )


def _reader(parts: Parts, stores: Stores, ask: AskModel | None) -> NameReader:
    rules = ReadByRules(parts.linguist)
    if ask is None:
        return rules
    return ReadByModel(ask, rules, MostNamed(stores.entities, stores.tallies, parts.clock), parts.clock)


def _link_source(parts: Parts, stores: Stores, read: NameReader) -> LinkSource:
    return LinkSource(
        stores.links,
        _wanted_entities(parts, stores),
        stores.seen_phrases,
        read,
        KnownNames(stores.entities, parts.clock),
        stores.vocabularies.active,
        Propose(stores.vocabularies, stores.seen_phrases),
        _take_up(parts, stores),
        parts.clock,
    )


def vocabulary(parts: Parts, stores: Stores) -> ShowVocabulary:
    live = LiveSources(stores.beliefs, stores.chunks, stores.documents, parts.clock)
    return ShowVocabulary(stores.spaces, stores.vocabularies, stores.tallies, stores.links, live)


def change_vocabulary(parts: Parts, stores: Stores, steps: Steps) -> ChangeVocabulary:
    return ChangeVocabulary(vocabulary(parts, stores), stores.vocabularies, _take_up(parts, stores), steps)


def _take_up(parts: Parts, stores: Stores) -> TakeUp:
    return TakeUp(stores.links, stores.vocabularies, _wanted_entities(parts, stores))


def _wanted_entities(parts: Parts, stores: Stores) -> WantedEntities:
    return WantedEntities(stores.entities, parts.clock, parts.ids)
