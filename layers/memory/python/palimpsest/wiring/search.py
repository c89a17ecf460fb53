"""The search index put together: what follows the logs, builds, checks and sweeps it."""

from __future__ import annotations

from palimpsest.jobs.ask_arms import AskArms
from palimpsest.jobs.build_index import BuildIndex
from palimpsest.jobs.canary import Canary
from palimpsest.jobs.canary_notes import CanaryNotes
from palimpsest.jobs.check_logs import CheckLogs
from palimpsest.jobs.choose_probes import ChooseProbes
from palimpsest.jobs.drop_index import DropIndex
from palimpsest.jobs.fill_index import FillIndex
from palimpsest.jobs.follow_log import FollowLog
from palimpsest.jobs.follow_logs import FollowLogs
from palimpsest.jobs.index_changes import IndexChanges
from palimpsest.jobs.survey_space import SurveySpace
from palimpsest.jobs.sweep_index import SweepIndex
from palimpsest.jobs.sweep_notes import SweepNotes
from palimpsest.jobs.unshown import Unshown
from palimpsest.stores.chunk_log import ChunkLog
from palimpsest.stores.standing import Standing
from palimpsest.usecases.entries import Entries
from palimpsest.usecases.search_spaces import SearchSpaces
from palimpsest.usecases.searching import Searching
from palimpsest.wiring import library
from palimpsest.wiring.asking import asking
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def index_changes(parts: Parts, stores: Stores, searching: Searching) -> IndexChanges:
    entries = _entries(parts, stores)
    notes = SweepNotes(stores.sweeps, searching, parts.clock)
    beliefs = FollowLog(stores.log, stores.tails, entries, searching, notes, parts.clock)
    chunks, survey = library.follow_chunks(parts, stores, searching, notes), SurveySpace(stores.surveys)
    follow = FollowLogs(beliefs, chunks, survey, canary_notes(parts, stores, searching))
    return IndexChanges(follow, searching, stores.lagging)


def check_logs(parts: Parts, stores: Stores, searching: Searching) -> CheckLogs:
    told = stores.log, ChunkLog(parts.table), stores.lagging, stores.leases, searching, stores.spaces
    return CheckLogs(*told, parts.clock, parts.ids)


def sweep_index(parts: Parts, stores: Stores, searching: Searching, notes: SweepNotes) -> SweepIndex:
    return SweepIndex(stores.sweeps, Standing(parts.table), stores.chunks, searching, notes, parts.clock)


def canary_notes(parts: Parts, stores: Stores, searching: Searching) -> CanaryNotes:
    return CanaryNotes(stores.canaries, searching, parts.clock)


def canary(parts: Parts, stores: Stores, searching: Searching, recall: SearchSpaces) -> Canary:
    """Asks by the arms that recalls ask."""
    unshown = Unshown(searching, stores.log, ChunkLog(parts.table))
    held = stores.listing, stores.beliefs, stores.documents, stores.chunks, stores.links, stores.entities
    choose = ChooseProbes(unshown, *held)
    arms = recall.entity_arm, recall.exact_arm, stores.surveys
    ask = AskArms(searching, recall.model, parts.linguist, *arms)
    return Canary(stores.canaries, stores.mutes, stores.spaces, choose, ask, searching, parts.clock)


def build_index(parts: Parts, stores: Stores, searching: Searching, follow: FollowLogs) -> BuildIndex:
    ask = asking(parts, stores)
    chunks = library.fill_chunks(parts, stores)
    told = searching, stores.listing, _entries(parts, stores), stores.pending, follow, chunks
    fill = FillIndex(*told, parts.embedder, parts.clock)
    drop = DropIndex(parts.table, stores.generations, stores.builds, searching, stores.spaces, parts.clock)
    return BuildIndex(stores.generations, stores.builds, stores.spaces, fill, drop, ask, parts.ids)


def _entries(parts: Parts, stores: Stores) -> Entries:
    return Entries(stores.beliefs, parts.linguist, parts.clock)
