"""The stores over one table, for wiring."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Model
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Table
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.stores.allowances import Allowances
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.builds import Builds
from palimpsest.stores.canaries import Canaries
from palimpsest.stores.changes import ChangeLog
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.conflicts import Conflicts
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.documents import Documents
from palimpsest.stores.dues import Dues
from palimpsest.stores.duplicates import Duplicates
from palimpsest.stores.edges import Edges
from palimpsest.stores.entities import Entities
from palimpsest.stores.erasures import Erasures
from palimpsest.stores.findings import Findings
from palimpsest.stores.generations import GenerationStore
from palimpsest.stores.idempotency import IdempotencyRecords
from palimpsest.stores.lagging import Lagging
from palimpsest.stores.learnings import Learnings
from palimpsest.stores.leases import Leases
from palimpsest.stores.links import LinkStore
from palimpsest.stores.listing import Listing
from palimpsest.stores.mutes import Mutes
from palimpsest.stores.pending import Pending
from palimpsest.stores.pins import Pins
from palimpsest.stores.recalls import Recalls
from palimpsest.stores.reinforcements import Reinforcements
from palimpsest.stores.runs import Runs
from palimpsest.stores.seen_phrases import SeenPhrases
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.surveys import Surveys
from palimpsest.stores.sweeps import Sweeps
from palimpsest.stores.tail import Tails, Timing
from palimpsest.stores.talks import Talks
from palimpsest.stores.tallies import Tallies
from palimpsest.stores.unextracted import Unextracted
from palimpsest.stores.unreinforced import Unreinforced
from palimpsest.stores.uploads import Uploads
from palimpsest.stores.vocabularies import Vocabularies


@dataclass(frozen=True, slots=True)
class Stores:
    """Every store, over one table."""

    deployment: Deployment
    spaces: Spaces
    beliefs: Beliefs
    log: ChangeLog
    tails: Tails
    listing: Listing
    pending: Pending
    cursors: Cursors
    idempotency: IdempotencyRecords
    recalls: Recalls
    reinforcements: Reinforcements
    unreinforced: Unreinforced
    access_keys: AccessKeys
    generations: GenerationStore
    builds: Builds
    leases: Leases
    lagging: Lagging
    sweeps: Sweeps
    dues: Dues
    pins: Pins
    runs: Runs
    allowances: Allowances
    conflicts: Conflicts
    edges: Edges
    erasures: Erasures
    findings: Findings
    documents: Documents
    chunks: Chunks
    uploads: Uploads
    entities: Entities
    links: LinkStore
    tallies: Tallies
    seen_phrases: SeenPhrases
    unextracted: Unextracted
    duplicates: Duplicates
    vocabularies: Vocabularies
    learnings: Learnings
    talks: Talks
    surveys: Surveys
    canaries: Canaries
    mutes: Mutes


def stores_over(table: Table, clock: Clock, ids: Ids, model: Model, timing: Timing) -> Stores:
    """All stores; costs no call."""
    deployment = Deployment(table, ids)
    beliefs = Beliefs(table, deployment, ids, model)
    log = ChangeLog(table)
    entities, tallies = Entities(table, deployment), Tallies(table)
    links = LinkStore(table, entities, tallies)
    return Stores(
        deployment=deployment,
        spaces=Spaces(table, clock, ids),
        beliefs=beliefs,
        log=log,
        tails=Tails(log, timing),
        listing=Listing(table, beliefs),
        pending=Pending(table),
        cursors=Cursors(deployment),
        idempotency=IdempotencyRecords(table, deployment),
        recalls=Recalls(table, deployment),
        reinforcements=Reinforcements(table),
        unreinforced=Unreinforced(table),
        access_keys=AccessKeys(table),
        generations=GenerationStore(table),
        builds=Builds(table),
        leases=Leases(table),
        lagging=Lagging(table),
        sweeps=Sweeps(table),
        dues=Dues(table),
        pins=Pins(table),
        runs=Runs(table),
        allowances=Allowances(table),
        conflicts=Conflicts(table),
        edges=Edges(table),
        erasures=Erasures(table),
        findings=Findings(table),
        documents=Documents(table, deployment),
        chunks=Chunks(table, ids, links),
        uploads=Uploads(table),
        entities=entities,
        links=links,
        tallies=tallies,
        seen_phrases=SeenPhrases(table, deployment),
        unextracted=Unextracted(table),
        duplicates=Duplicates(table),
        vocabularies=Vocabularies(table, deployment, clock),
        learnings=Learnings(table),
        talks=Talks(table, deployment),
        surveys=Surveys(table),
        canaries=Canaries(table),
        mutes=Mutes(table),
    )
