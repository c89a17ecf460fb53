"""Everything put together."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from palimpsest import __version__
from palimpsest.domain.access import Role
from palimpsest.domain.run import RunKind
from palimpsest.jobs.apply_ledger import ApplyLedger
from palimpsest.jobs.build_index import BuildIndex
from palimpsest.jobs.catch_up import CatchUp
from palimpsest.jobs.embed_pending import EmbedPending
from palimpsest.jobs.hear_changes import HearChanges
from palimpsest.jobs.index_changes import IndexChanges
from palimpsest.jobs.migrate import Migrate
from palimpsest.jobs.plan_work import PlanWork
from palimpsest.jobs.wake_index import WakeIndex
from palimpsest.jobs.work import Slice, Worker
from palimpsest.ports.work_queue import Job
from palimpsest.settings import Settings
from palimpsest.stores.migrations import Migrations
from palimpsest.stores.ratings import RatingStore
from palimpsest.stores.unjudged import Unjudged
from palimpsest.usecases.access_keys import ManageKeys
from palimpsest.usecases.annotate import Annotate
from palimpsest.usecases.arm_health import ArmHealth
from palimpsest.usecases.ask_model import AskModel
from palimpsest.usecases.authenticate import Authenticate
from palimpsest.usecases.compare import Compare
from palimpsest.usecases.echo import Echo
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.forget import Forget
from palimpsest.usecases.history import TellHistory
from palimpsest.usecases.index_status import IndexStatus, Running
from palimpsest.usecases.judge_by_rules import JudgeByRules
from palimpsest.usecases.judging import Judge
from palimpsest.usecases.list_memories import ListMemories
from palimpsest.usecases.naming_memories import NamingMemories
from palimpsest.usecases.neighbours import Neighbours
from palimpsest.usecases.owner_key import GivenSecret, OwnerKey
from palimpsest.usecases.prove import Prove
from palimpsest.usecases.rate import Rate
from palimpsest.usecases.read import Read
from palimpsest.usecases.remember import Remember
from palimpsest.usecases.resolve_auto import ResolveAuto
from palimpsest.usecases.restore import Restore
from palimpsest.usecases.revert import Revert
from palimpsest.usecases.revise import Revise
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.service import Service
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.timelines import Timelines
from palimpsest.wiring import erasing, graph, learning, library, models, recalling, runs, saves, search, supplying
from palimpsest.wiring.conflicts import conflicting
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores, stores_over


@dataclass(frozen=True, slots=True)
class Wired:
    """The service and the background work, over one set of parts."""

    service: Service
    index_changes: IndexChanges
    hear_changes: HearChanges
    embed_pending: EmbedPending
    build_index: BuildIndex
    migrate: Migrate
    worker: Worker
    plan: PlanWork
    apply_ledger: ApplyLedger | None


def wire(
    parts: Parts,
    settings: Settings,
    *,
    engine: Callable[[], str] = lambda: "",
    given_up: Callable[[], int | None] = lambda: None,
) -> Wired:
    """Everything over `parts`; costs no call to any.

    Args:
        engine: What runs the embedding model, for the status.
        given_up: How much background work was given up, for the status; None where nobody here counts it.
    """
    stores = stores_over(parts.table, parts.clock, parts.ids, parts.embedder.model, parts.timing)
    featurise = Featurise(parts.embedder, parts.linguist, parts.embedding_executor, settings.embed_box)
    searching = Searching(parts.table, stores.generations, parts.indexes, stores.tails, parts.clock, parts.queue)
    index_changes = search.index_changes(parts, stores, searching)
    embed_pending = EmbedPending(stores.pending, stores.beliefs, stores.spaces, parts.embedder, featurise, parts.clock)
    build_index = search.build_index(parts, stores, searching, index_changes.follow)
    ask = models.ask_model(parts, settings)
    look = recalling.look(parts, settings, ask)
    running = Running(__version__, settings.store, engine, given_up, ask, None if look is None else look.name)
    index = _index_status(parts, stores, running, searching, embed_pending, build_index)
    service = _service(parts, stores, settings, featurise, searching, index)
    plan = _plan(parts, stores, build_index, service)
    apply_ledger = erasing.apply_ledger(parts, stores, service)
    slices: dict[Job, Slice] = {
        Job.BUILD_INDEX: build_index,
        Job.DROP_INDEX: build_index.drop,
        Job.EMBED_PENDING: embed_pending.slice,
        Job.MIGRATE: plan.migrate.slice,
        Job.CATCH_UP: CatchUp(index_changes, stores.lagging, build_index.renew, parts.clock),
        Job.SWEEP_INDEX: search.sweep_index(parts, stores, searching, index_changes.follow.beliefs.notes),
        **_slices(parts, stores, settings, searching, service),
    }
    if apply_ledger is not None:
        slices[Job.APPLY_LEDGER] = apply_ledger
    worker = Worker(slices, parts.queue, stores.leases, parts.clock, service.serving.may_work)
    hear_changes = graph.hear_changes(parts, stores, index_changes)
    return Wired(
        service, index_changes, hear_changes, embed_pending, build_index, plan.migrate, worker, plan, apply_ledger
    )


def _slices(
    parts: Parts, stores: Stores, settings: Settings, searching: Searching, service: Service
) -> dict[Job, Slice]:
    """The work that needs nothing but the service."""
    return {
        Job.EXPIRE: erasing.expire(parts, stores, service),
        Job.JUDGE: models.judge_pending(parts, service),
        Job.CHECK_LOGS: search.check_logs(parts, stores, searching),
        Job.WAKE_INDEX: WakeIndex(searching, time.sleep),
        Job.ERASE: erasing.erase_slices(parts, stores, searching, service),
        Job.EXTRACT: graph.extract(parts, stores, settings).slice,
        Job.REINFORCE: saves.reinforce(parts, stores, search.canary_notes(parts, stores, searching)),
        Job.CANARY: search.canary(parts, stores, searching, service.recall.search_spaces),
        **learning.slices(parts, stores, service),
        Job.RECEIVE: library.receive_upload(service.add_document, parts, stores),
        Job.RUN: runs.apply_run(parts, stores, searching, service),
    }


def _index_status(
    parts: Parts,
    stores: Stores,
    running: Running,
    searching: Searching,
    embed_pending: EmbedPending,
    build_index: BuildIndex,
) -> IndexStatus:
    return IndexStatus(
        running,
        searching,
        stores.spaces,
        parts.embedder,
        waiting=lambda limit: len(embed_pending.waiting(limit)),
        begin_build=build_index.begin,
        idempotency=stores.idempotency,
        health=ArmHealth(stores.mutes, stores.spaces),
    )


def _plan(parts: Parts, stores: Stores, build_index: BuildIndex, service: Service) -> PlanWork:
    migrate = Migrate(parts.table, Migrations(parts.table), parts.clock)
    listed = (
        stores.pending,
        stores.lagging,
        stores.sweeps,
        stores.runs,
        stores.dues,
        stores.erasures,
        stores.documents,
        stores.unextracted,
        stores.learnings,
        stores.unreinforced,
    )
    unjudged = None if parts.model is None else Unjudged(parts.table)
    told = build_index.asking, parts.clock, service.serving, stores.uploads, stores.canaries
    return PlanWork(build_index, migrate, *listed, *told, unjudged)


def _service(
    parts: Parts,
    stores: Stores,
    settings: Settings,
    featurise: Featurise,
    searching: Searching,
    index: IndexStatus,
) -> Service:
    steps = saves.steps(parts, stores, settings)
    conflicts = conflicting(parts.ids, stores, steps, featurise)
    neighbours = Neighbours(searching, stores.beliefs, parts.executor, parts.embedder.model)
    rules = JudgeByRules(neighbours, parts.clock, stores.edges.kept_apart)
    judge = _judge(parts, settings, rules, steps, index.running.ask_model)
    echo = _echo(parts, stores)
    recall = recalling.recall(parts, stores, settings, steps, searching, index.health, index.running.ask_model)
    documents = library.library(parts, stores, steps, settings.recovery_days)
    authenticate = _authenticate(parts, stores, settings)
    erase = erasing.erase(parts, stores, steps)
    add_document = library.add_document(parts, stores, steps)
    return Service(
        serving=erasing.serving(parts),
        authenticate=authenticate,
        remember=Remember(
            steps, featurise, judge, conflicts.saving, echo, conflicts.notice, neighbours.around, stores.talks
        ),
        revise=Revise(steps, featurise, conflicts.challenge),
        annotate=Annotate(steps, featurise),
        revert=Revert(steps, featurise, conflicts.challenge),
        forget=Forget(steps, settings.recovery_days),
        erase=erase,
        erase_document=erasing.erase_document(erase, stores),
        erase_many=runs.change_many(parts, stores, RunKind.ERASE, Role.OWNER),
        forget_many=runs.change_many(parts, stores, RunKind.FORGET, Role.WRITER),
        restore=Restore(steps, featurise),
        read=Read(steps),
        list_memories=_list(parts, stores, steps, searching),
        history=TellHistory(steps, stores.cursors),
        diff=Compare(steps),
        prove=Prove(steps),
        conflicts=conflicts.listing,
        resolve=conflicts.resolve,
        resolve_auto=ResolveAuto(stores.spaces, runs.begin_run(parts, stores), parts.model is not None),
        take_back=conflicts.take_back,
        findings=conflicts.findings,
        recall=recall,
        stats=saves.stats(parts, stores),
        rate=Rate(steps, RatingStore(parts.table)),
        supply=supplying.supply(parts, stores, steps, recall),
        spaces=saves.spaces(parts, stores),
        keys=_keys(parts, stores, authenticate),
        runs=runs.manage_runs(parts, stores),
        add_document=add_document,
        upload_document=library.upload_document(add_document, parts, stores),
        add_conversation=library.add_conversation(parts, stores, steps),
        library=documents,
        graph=graph.verbs(parts, stores, steps, documents),
        vocabulary=graph.change_vocabulary(parts, stores, steps),
        index=index,
    )


def _authenticate(parts: Parts, stores: Stores, settings: Settings) -> Authenticate:
    secret = parts.owner_secret if settings.key is None else GivenSecret(settings.key)
    return Authenticate(stores.access_keys, parts.clock, OwnerKey(secret, parts.clock))


def _keys(parts: Parts, stores: Stores, authenticate: Authenticate) -> ManageKeys:
    records, cursors = stores.idempotency, stores.cursors
    return ManageKeys(stores.access_keys, records, cursors, parts.clock, parts.ids, authenticate.forget)


def _list(parts: Parts, stores: Stores, steps: Steps, searching: Searching) -> ListMemories:
    timelines = Timelines(stores.beliefs)
    naming = NamingMemories(stores.entities, stores.links)
    return ListMemories(steps, stores.listing, stores.cursors, searching, timelines, parts.linguist, naming)


def _echo(parts: Parts, stores: Stores) -> Echo:
    return Echo(stores.recalls, stores.beliefs, stores.reinforcements, parts.linguist, parts.embedder.model)


def _judge(parts: Parts, settings: Settings, rules: JudgeByRules, steps: Steps, ask: AskModel | None) -> Judge:
    return rules if ask is None else models.judge(parts, settings, rules, ask, steps.scrub)
