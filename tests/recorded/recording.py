"""Writes the recordings that are missing, as this release writes items; `python -m tests.recorded.recording`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from palimpsest import __version__
from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import extraction
from palimpsest.domain.access import Role
from palimpsest.domain.arrival import Original
from palimpsest.domain.budget import Reservation, Scope
from palimpsest.domain.conflict import Action
from palimpsest.domain.document import Chunk, Document, DocumentKind, Fragment
from palimpsest.domain.erasure import Pass
from palimpsest.domain.filters import Filters
from palimpsest.domain.finding import Reply
from palimpsest.domain.graph.entity import Entity, Origin
from palimpsest.domain.graph.links import MENTION, ChunkSource, HeldOut, Links, Mention, Outcome, ReadBy, Relation
from palimpsest.domain.graph.term import TermChange, TermEvent, TermKind, VocabularyTerm
from palimpsest.domain.ids import (
    ChunkId,
    ConflictId,
    DocumentId,
    EntityId,
    RecallId,
    RootId,
    RunId,
    SpaceId,
    UploadId,
    VersionRef,
    duplicate_of,
)
from palimpsest.domain.learning import fact
from palimpsest.domain.learning.fact import Day, Fact
from palimpsest.domain.naming.proposals import Method, Span
from palimpsest.domain.naming.vocabulary import Tier
from palimpsest.domain.run import Phase as RunPhase
from palimpsest.domain.run import Run, RunKind
from palimpsest.domain.run_plan import Counts, ItemState, PlanItem
from palimpsest.domain.source import Source, Trust
from palimpsest.domain.strength import Rating
from palimpsest.domain.upload import Upload
from palimpsest.domain.version import Because, MemoryType
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.search_index import Generation
from palimpsest.ports.table import Cursor, Item, Key
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import changes, learnings, unjudged
from palimpsest.stores.allowances import Allowances
from palimpsest.stores.budget import Budgets
from palimpsest.stores.builds import Builds, Phase, Progress
from palimpsest.stores.canaries import Canaries
from palimpsest.stores.chunks import Chunks, Place
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.documents import Documents
from palimpsest.stores.duplicates import Duplicate, Duplicates
from palimpsest.stores.entity_codec import EntityChange, EntityEvent
from palimpsest.stores.erasures import Erasures
from palimpsest.stores.generations import GenerationStore, Retired
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.kinds import NOW
from palimpsest.stores.lagging import Lagging
from palimpsest.stores.learned import Learned, Lesson
from palimpsest.stores.learnings import Learning
from palimpsest.stores.leases import Leases
from palimpsest.stores.ledger import Ledger
from palimpsest.stores.migrations import Migration, Migrations
from palimpsest.stores.mutes import Mute, Mutes
from palimpsest.stores.reinforcements import Reinforcements, Use
from palimpsest.stores.runs import Moving, Runs, Told
from palimpsest.stores.seen_phrases import SeenPhrases
from palimpsest.stores.surveys import Standing, Survey, Surveys
from palimpsest.stores.sweeps import RESTS, Sweeps
from palimpsest.stores.unextracted import Unextracted
from palimpsest.stores.uploads import Uploads
from palimpsest.stores.vocabularies import Vocabularies
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Annotation, Choice, Draft, Revision, SourceClaim
from palimpsest.usecases.issuing import KeyRequest
from palimpsest.usecases.readings import FindingQuery
from tests.recorded.plain import plain, written
from tests.recorded.reading import CONTENT, EMBEDDER, REQUEST, SPACE, Reading
from tests.support.conflicting import save
from tests.support.graph import link_store
from tests.support.installation import OWNER, START, Installation, SeededIds, TurnedClock, install

FOLDER = Path(__file__).with_name("items")


def main() -> None:
    """Record what has no recording."""
    with tempfile.TemporaryDirectory() as folder:
        memory = install(Path(folder), embedder=EMBEDDER)
        live(memory)
        for name, recording in recordings(memory.sqlite):
            path = FOLDER / f"{name}.json"
            if not path.exists():
                path.write_text(json.dumps(recording, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
        memory.sqlite.close()


def live(memory: Installation) -> None:
    """Everything that leaves an item behind, with every attribute that it can have."""
    service = memory.wired.service
    said = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
    draft = Draft(
        "Ola is allergic to nuts",
        space=SPACE,
        tags=("food", "health"),
        importance=0.75,
        pinned=True,
        expires_at=START + timedelta(days=400),
        asserted_at=said,
        event_date=said,
        valid_from=said,
        valid_until=said + timedelta(days=4_000),
        source=SourceClaim("user_direct", "session-1", "chat", Trust.A1),
        metadata='{"mood":"sure"}',
        canonical="Ola: nut allergy",
        attributed_to="Ola",
    )
    root = RootId(service.remember(OWNER, draft).memory.head.root)
    service.revise(OWNER, VersionRef(root), Revision(CONTENT, because=Because.CORRECTED), REQUEST)
    service.annotate(OWNER, VersionRef(root), Annotation(tags=("food",)))
    memory.index()
    recalled = service.recall(OWNER, RecallQuery("nuts", spaces=(SPACE,)))
    reinforce(memory, root, recalled.id)
    request = KeyRequest(Role.WRITER, spaces=(SPACE, "team.*"), label="laptop", expires_at=START + timedelta(days=900))
    service.issue_key(OWNER, request)
    other = RootId(memory.save("Ola eats no nuts", SPACE))
    service.revise(OWNER, VersionRef(other), Revision(CONTENT, attributed_to="Ola"))
    decide(memory)
    walk = Migration("head.2 space.2", START, is_done=False, after=Cursor("M#a", "H"), seen=7, renewed=3, newer=1)
    Migrations(memory.sqlite).move(walk)
    record_runs(memory.sqlite)
    progress = Progress("01KJMA0FM1SM3JSP5YDYFP42E2", Phase.FILL, START).filling(SpaceId("s"), START)
    Builds(memory.sqlite).move(replace(progress, after="a", before="b", refused=1, unembedded=2, is_made=True), START)
    Lagging(memory.sqlite).note(LogPartition(SpaceId("s"), 0), START)
    sweeps = Sweeps(memory.sqlite)
    sweeps.note(SpaceId("s"), START)
    begun = sweeps.begin(sweeps.due(START + RESTS, 1)[0], "01KJMA0FM1SM3JSP5YDYFP42E2", START + RESTS)
    assert begun is not None
    sweeps.keep(begun, "a", 3)
    leases, job = Leases(memory.sqlite), Work(Job.CHECK_LOGS)
    leases.take(job, START, START + timedelta(minutes=3))
    leases.keep_cursor(job, "a")
    scope, ends = Scope(START.date(), SpaceId("s")), START + timedelta(minutes=9)
    call = Reservation("01KJMA0FM1SM3JSP5YDYFP42E3", scope, 1_500, ends)
    memory.sqlite.transact([unjudged.begun(VersionRef(root, 2), START)[0]])
    budgets = Budgets(memory.sqlite, 15_000_000)
    budgets.reserve(call, START)
    budgets.reserve(replace(call, id="01KJMA0FM1SM3JSP5YDYFP42E4"), START)
    budgets.mark_sent(call)
    memory.sqlite.write(changes.named(other, "01KJMA0FM1SM3JSP5YDYFP42E2", 2))
    ending = service.erase(OWNER, VersionRef(RootId(memory.save("Ola had a locker", SPACE)))).erasure
    Erasures(memory.sqlite).move(
        replace(
            ending,
            progress=Pass("2 belief", "a", "b", found=3, done=1, empty=1),
            hidden={other: START},
            unasked=("01KJMA0FM1SM3JSP5YDYFP42E2",),
            verified_at=START,
        )
    )
    record_survey(memory)
    record_canary(memory)
    record_ledger(memory)
    record_library(memory)
    record_uploads(memory)
    record_graph(memory.sqlite)
    gone = Generation("01KJMA0FM1SM3JSP5YDYFP42E2", EMBEDDER.model, 1, ("custom_ids",))
    GenerationStore(memory.sqlite).note(Retired(gone, tried_at=START, after="a"))


def reinforce(memory: Installation, root: RootId, recall: RecallId) -> None:
    """A memory that was recalled with and without success, and counted, once before its time."""
    service, space = memory.wired.service, memory.wired.build_index.spaces.ensure(SPACE).id
    nothing = RecallQuery("nuts", spaces=(SPACE,), filters=Filters(tags=("none",)))
    service.recall(OWNER, nothing)
    service.rate(OWNER, VersionRef(root), Rating.HARMFUL)
    service.rate(OWNER, VersionRef(root), Rating.USEFUL)
    memory.clock.turn(timedelta(minutes=1))
    memory.wired.worker.slices[Job.REINFORCE](space, lambda: 60.0)
    head = memory.wired.build_index.fill.entries.beliefs.heads([root])[root]
    early = RecallId(f"rcl_{'7' * 26}")
    Reinforcements(memory.sqlite).count(head, Use(early, START + timedelta(hours=2), is_leading=True))
    assert recall < early


def record_survey(memory: Installation) -> None:
    """What a space's entries have in common, as it is found in larger ones."""
    space = memory.wired.build_index.spaces.ensure(SPACE).id
    seen = Whitening.learn(np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], np.float32))
    assert Surveys(memory.sqlite).keep(
        space, EMBEDDER.model, Survey(seen, ("ola",)), made=Standing(entries=40, embedded=38), number=0
    )


def record_canary(memory: Installation) -> None:
    """A space that the canary looked at, and an arm that it found mute there."""
    space = memory.wired.build_index.spaces.ensure(SPACE).id
    canaries = Canaries(memory.sqlite)
    canaries.note(space, START)
    visit = canaries.read(space)
    assert visit is not None
    canaries.end(visit, START)
    mute = Mute("vector", "01KJMA0FM1SM3JSP5YDYFP42E2", START, probes=3, missed=2)
    Mutes(memory.sqlite).keep(space, {"vector": mute, "keyword": None}, START)


def record_ledger(memory: Installation) -> None:
    """An erased id, and a table that is being brought up to the ledger."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(BlobFiles(Path(folder)), memory.sqlite, memory.clock, SeededIds(memory.clock))
        ledger.begin()
        ledger.note(RootId("mem_01KJMA0FM1SM3JSP5YDYFP42E2"))
        compared = ledger.compare()
        ledger.reach(replace(compared, lacking=compared.listed[1:]), Cursor("M#a", "H"))


def record_library(memory: Installation) -> None:
    """A document with one edition and another on its way, and a chunk of a conversation."""
    table, ids = memory.sqlite, memory.wired.service.remember.steps.beliefs.ids
    documents, chunks = (
        Documents(table, memory.wired.service.remember.steps.beliefs.deployment),
        Chunks(table, ids, link_store(table, ids)),
    )
    original = Original("documents/01KJMA0FM1SM3JSP5YDYFP42E5", "a" * 64, "text/markdown", 2_048)
    told = DocumentId("doc_01KJMA0FM1SM3JSP5YDYFP42E5"), SpaceId("s"), "ops/runbook.md", "Runbook", DocumentKind.FILE
    begun = Document(*told, START, START, OWNER.key, Source(trust=Trust.A2))
    first = begun.sent(original, "Runbook", Source(trust=Trust.A2), START, OWNER.key)
    documents.begin(first)
    documents.move(
        first, replace(first.shown(2, START).sent(original, "R", Source(trust=Trust.A2), START, OWNER.key), stale=(3,))
    )
    turn = Fragment(4, "user", "Ola", START, "Ola: ", (10, 20), (11, 24))
    chunk = Chunk(ChunkId("chk_01KJMA0FM1SM3JSP5YDYFP42E5"), first.id, first.space, CONTENT, ("A", "B"), "d", START)
    chunk = replace(chunk, positions={1: 0, 2: 4}, page=3, fragment=turn)
    chunks.plan(first.id, 1, 0, [Place(chunk.id, chunk.digest)])
    chunks.add([(chunk, EMBEDDER.passages([CONTENT])[0])], EMBEDDER.model)
    chunks.log(first.space, [chunk.id], START)
    memory.sqlite.write(learnings.begun(Learning(first.id, 2, OWNER.key, START, part=3)))
    found = Fact("Ola eats no nuts", MemoryType.FACT, "Ola", fact.Span(4, 9), Day("on Friday", START.date()), 0.9)
    Learned(table).plan(Lesson(chunk.id, (found,), extraction.Method.MODEL, "a model"))


def record_uploads(memory: Installation) -> None:
    """An upload that waits for its bytes."""
    source = Source("first_party_doc", "s-1", "mail", Trust.A2)
    told = "default", "ops/tides.pdf", "Tides", "application/pdf", 52_000_000, source, OWNER.key, Trust.A1, START
    Uploads(memory.table).begin(Upload(UploadId("upl_01KJMA0FM1SM3JSP5YDYFP42E5"), *told))


def record_graph(table: SqliteTable) -> None:
    """A chunk that names two entities, one of which was renamed and counts for a third."""
    clock = TurnedClock()
    ids, space = SeededIds(clock), SpaceId("s")
    links, deployment = link_store(table, ids), Deployment(table, ids)
    one, two, three = (
        Entity(EntityId(f"ent_01KJMA0FM1SM3JSP5YDYFP42E{n}"), space, name, "person", Origin.EXTRACTED, START, START)
        for n, name in enumerate(("Ola Nowak", "Acme", "Aleksandra"))
    )
    source = ChunkSource(ChunkId("chk_01KJMA0FM1SM3JSP5YDYFP42E5"), DocumentId("doc_01KJMA0FM1SM3JSP5YDYFP42E5"))
    found = Links(
        source,
        space,
        START,
        START,
        Outcome.LINKED,
        ReadBy.MODEL,
        vocabulary=3,
        model="a model",
        run=RunId("run_01KJMA0FM1SM3JSP5YDYFP42E2"),
        mentions=tuple(Mention(each.id, each.name, Method.MODEL, 0.75, Span(3, 9)) for each in (one, two)),
        relations=(Relation(one.id, MENTION, two.id, 0.5, "stands by", "stands_by", Span(0, 20)),),
        seen=("a", "b"),
        held=(HeldOut("c", TermKind.PREDICATE, "stands_by", "Ola Nowak", 0.75, "Acme", "stands by", Span(0, 20)),),
    )
    assert links.move(None, found, fresh=[one, two])
    entities = links.entities
    began = EntityEvent(1, START, EntityChange.DECLARED, OWNER.key)
    assert entities.commit(space, entities.declaring(replace(three, origin=Origin.DECLARED), began))
    named = replace(one.renamed("Ola N.", START), origin=Origin.OWNER)
    run = RunId("run_01KJMA0FM1SM3JSP5YDYFP42E2")
    renamed = EntityEvent(2, START, EntityChange.RENAMED, OWNER.key, one, three.id, run)
    assert entities.commit(space, entities.moving(one, named, renamed))
    merged = replace(named, merged_into=three.id, revision=3)
    event = EntityEvent(3, START, EntityChange.MERGED, OWNER.key, named, three.id, run)
    assert entities.commit(space, [*entities.moving(named, merged, event), entities.joined(three.id, one.id)])
    SeenPhrases(table, deployment).note(space, ["a"], source)
    Unextracted(table).note(space, START)
    Duplicates(table).note(
        Duplicate(duplicate_of(one.id, two.id), space, one.id, two.id, 0.75, "contained", START, run)
    )
    vocabularies = Vocabularies(table, deployment, clock)
    proposed = VocabularyTerm(TermKind.PREDICATE, "", "", Tier.PROPOSED, revision=1)
    vocabularies.propose(space, {vocabularies.mac(TermKind.PREDICATE, "stands_by"): TermKind.PREDICATE})
    approved = replace(proposed, name="stands_by").approved("Who stands by whom.")
    assert vocabularies.move(
        space, proposed, approved, TermEvent(2, START, OWNER.key, TermChange.APPROVED, proposed), []
    )


def record_runs(table: SqliteTable) -> None:
    """A run in the midst of its life, with a plan of one page, and what runs of its space may do."""
    runs, allowances, space = Runs(table), Allowances(table), SpaceId("s")
    name, asked = RunId("run_01KJMA0FM1SM3JSP5YDYFP42E2"), '{"words": "nuts"}'
    begun = Run(name, RunKind.FORGET, space, OWNER.key, START, START, asked=asked)
    runs.begin(begun)
    item = PlanItem("mem_01KJMA0FM1SM3JSP5YDYFP42E2", 3, 2, "mem_x@2", ItemState.SKIPPED, "changed_since")
    full = replace(
        begun.planned([[item]], "live 2026").waiting("it would change 2 memories"),
        page=1,
        counts=Counts(6, 7, 1, 2, 3, 4, 5),
        approved_by=OWNER.key,
        finished_at=START,
        phase=RunPhase.APPLYING,
    )
    spend = allowances.spend(allowances.spent(space, START), 2, START)
    told = Told("waits", OWNER.key, "it would change 2 memories")
    also = (spend, allowances.approve_always(begun, OWNER.key, START))
    assert runs.move(begun, full, START, Moving(told, {0: (item,)}, also)) is not None


def decide(memory: Installation) -> None:
    """A conflict that was decided as a model said, with a passed-on one, and whose decision was taken back."""
    service = memory.wired.service
    olds = [service.remember(OWNER, Draft(f"Ola lives in {town}", space=SPACE)) for town in ("Sopot", "Hel")]
    new = save(memory, Draft("Ola lives in Rome", space=SPACE), *olds)
    conflict = ConflictId(new.conflict_id or "")
    choice = Choice(Action.MERGE, content="Ola has moved", model="a model", score=0.75, reason="the later one")
    service.resolve(OWNER, conflict, choice, run=RunId("run_01KJMA0FM1SM3JSP5YDYFP42E2"))
    service.take_back(OWNER, conflict)
    doubted = save(memory, Draft("Ola lives in Paris", space=SPACE), doubts=[new])
    (found,) = service.findings.page(OWNER, FindingQuery(space=SPACE)).findings
    assert found.finding.incoming == doubted.memory.version.ref
    service.findings.answer(OWNER, found.finding.id, Reply.CONFIRM)


def recordings(table: SqliteTable) -> Iterator[tuple[str, dict[str, object]]]:
    """The newest item of each kind, the fullest among those; of texts the one that `Reading` looks for."""
    richest: dict[str, Item] = {}
    reading = Reading(table)
    for item in table.scan().items:
        kind = NOW.of(Key(str(item["pk"]), str(item["sk"])))
        if kind.name == "text" and item["root"] != reading.of("text", item):
            continue
        if len(item) >= len(richest.get(kind.name, ())):
            richest[kind.name] = item
    for kind_name, item in sorted(richest.items()):
        means = plain(reading.of(kind_name, item))
        stored = {name: written(value) for name, value in item.items()}
        yield f"{kind_name}.{NOW.by_name[kind_name].writes}", {"release": __version__, "item": stored, "means": means}


if __name__ == "__main__":
    main()
