"""Runs put together: who begins them, who moves them, and what works on them."""

from __future__ import annotations

from palimpsest.domain.access import Role
from palimpsest.domain.run import RunKind
from palimpsest.jobs.apply_run import ApplyRun
from palimpsest.jobs.erase_matching import EraseMatching
from palimpsest.jobs.forget_matching import ForgetMatching
from palimpsest.jobs.matching import Matching
from palimpsest.jobs.part_joined import PartJoined
from palimpsest.jobs.resolve_conflicts import ResolveConflicts
from palimpsest.jobs.resolve_entities import ResolveEntities
from palimpsest.jobs.run_kinds import RunWork
from palimpsest.jobs.weigh_run import WeighRun
from palimpsest.usecases.begin_run import BeginRun
from palimpsest.usecases.change_many import ChangeMany
from palimpsest.usecases.naming_memories import NamingMemories
from palimpsest.usecases.runs import ManageRuns
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.selecting import Select
from palimpsest.usecases.service import Service
from palimpsest.wiring import graph, models
from palimpsest.wiring.asking import asking
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def change_many(parts: Parts, stores: Stores, kind: RunKind, role: Role) -> ChangeMany:
    """What begins runs of a kind over a selection, for callers with that role."""
    naming = NamingMemories(stores.entities, stores.links)
    return ChangeMany(stores.spaces, begin_run(parts, stores), parts.linguist, naming, kind, role)


def begin_run(parts: Parts, stores: Stores) -> BeginRun:
    return BeginRun(stores.runs, stores.idempotency, parts.clock, parts.ids, asking(parts, stores))


def manage_runs(parts: Parts, stores: Stores) -> ManageRuns:
    return ManageRuns(
        runs=stores.runs,
        allowances=stores.allowances,
        spaces=stores.spaces,
        idempotency=stores.idempotency,
        cursors=stores.cursors,
        clock=parts.clock,
        ask=asking(parts, stores),
    )


def apply_run(parts: Parts, stores: Stores, searching: Searching, service: Service) -> ApplyRun:
    """The engine with all kinds of runs; `jobs.run_kinds` says how another one is added."""
    weigh = WeighRun(stores.runs, stores.allowances, stores.listing, stores.spaces, parts.clock)
    return ApplyRun(stores.runs, _kinds(parts, stores, searching, service), weigh, parts.clock)


def _kinds(parts: Parts, stores: Stores, searching: Searching, service: Service) -> dict[RunKind, RunWork]:
    naming = NamingMemories(stores.entities, stores.links)
    select = Select(stores.listing, searching, parts.linguist, naming)
    matching = Matching(select, stores.beliefs, stores.spaces)
    reading = graph.index_sources(parts, stores, service.index.running.ask_model)
    return {
        RunKind.INDEX: reading,
        RunKind.REINDEX: reading,
        RunKind.RESOLVE_ENTITIES: ResolveEntities(
            stores.entities, stores.tallies, stores.duplicates, service.graph.merge
        ),
        RunKind.RESOLVE_AUTO: ResolveConflicts(models.advise(service), service.resolve, service.take_back),
        RunKind.RESTATE: PartJoined(service.resolve.sides.steps, service.take_back.unsay),
        RunKind.FORGET: ForgetMatching(matching, service.forget, service.restore, parts.clock),
        RunKind.ERASE: EraseMatching(matching, service.erase, parts.clock),
    }
