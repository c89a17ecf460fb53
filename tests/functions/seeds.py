"""The memory that the event samples are sent to: a few memories and keys whose ids stand in the samples."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from palimpsest.adapters.documents.readers import all_readers
from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.adapters.embedded.work_queue import MemoryQueue
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.adapters.scrub.lexbor import Lexbor
from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
from palimpsest.adapters.web.fetcher import HttpFetcher
from palimpsest.domain import key_text, lineage
from palimpsest.domain.access import AccessKey, Role
from palimpsest.domain.arrival import Original
from palimpsest.domain.belief import Annotations
from palimpsest.domain.conflict import Action
from palimpsest.domain.document import Document, DocumentKind
from palimpsest.domain.finding import Reply
from palimpsest.domain.graph import links
from palimpsest.domain.graph.entity import Entity, Origin
from palimpsest.domain.graph.links import HeldOut, Links, MemorySource
from palimpsest.domain.graph.links import Outcome as Reading
from palimpsest.domain.graph.term import TermKind
from palimpsest.domain.ids import (
    DocumentId,
    EntityId,
    KeyId,
    RootId,
    RunId,
    TermRef,
    UploadId,
    VersionRef,
    conflict_between,
    duplicate_of,
    erasure_of,
    finding_between,
)
from palimpsest.domain.judgement import Opinion, Relation, Verdict
from palimpsest.domain.library.fragments import Turn
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.naming.proposals import Method
from palimpsest.domain.run import Run, RunKind
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.domain.source import Source, Trust
from palimpsest.domain.upload import Upload
from palimpsest.domain.version import Statement
from palimpsest.ports.language_model import PricedModel
from palimpsest.ports.search_index import SearchIndexes
from palimpsest.ports.table import Item, Put, WholeTable
from palimpsest.ports.work_queue import Job, Work
from palimpsest.settings import Settings
from palimpsest.stores import keys
from palimpsest.stores.codec import item
from palimpsest.stores.duplicates import Duplicate
from palimpsest.stores.entity_codec import EntityChange, EntityEvent
from palimpsest.stores.runs import Moving, Told
from palimpsest.stores.tail import Timing
from palimpsest.usecases.add_conversation import Talk
from palimpsest.usecases.change_vocabulary import NewTerm
from palimpsest.usecases.contents import blobs_of
from palimpsest.usecases.drafts import Choice, Outcome, Revision, Saved
from palimpsest.usecases.entities import EntityEdit
from palimpsest.usecases.service import Service
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.wired import Wired, wire
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, START, SeededIds, TurnedClock
from tests.support.scripted_model import PRICE, ScriptedModel, opinions

OWNER_KEY = "plm_samples_" + "0" * 43
WRITER = KeyId("01JA0000000000000000WR1TER")
READER = KeyId("01JA0000000000000000READER")
SPARE = KeyId("01JA00000000000000000SPARE")
REVOKED = KeyId("01JA000000000000000REV0KED")
TEA = RootId("mem_01JA000000000000000000TEA0")
GONE = RootId("mem_01JA0000000000000000G0NE00")
ERASED = RootId("mem_01JA0000000000000000ERASED")
ERASURE = erasure_of(ERASED)
RUNBOOK = DocumentId("doc_01JA0000000000000000RVNB00")
UPLOAD = UploadId("upl_01JA00000000000000000VP0AD")
GONE_PAGE = DocumentId("doc_01JA000000000000000G0NEPAG")
FAR_PAGE = DocumentId("doc_01JA0000000000000000FARPAG")
FAR = RootId("mem_01JA00000000000000000FAR00")
DONE = RunId("run_01JA000000000000000000D0NE")
WAITS = RunId("run_01JA0000000000000000WA1TS0")
QUEUED = RunId("run_01JA0000000000000000QVEVED")
OF_ANOTHER = RunId("run_01JA0000000000000000000FAR")
OSLO, ROME = RootId("mem_01JA00000000000000000S0S10"), RootId("mem_01JA00000000000000000R0ME0")
BUS, TRAM = RootId("mem_01JA000000000000000000BVS0"), RootId("mem_01JA00000000000000000TRAM0")
MONDAY, FRIDAY = RootId("mem_01JA0000000000000000M0NDAY"), RootId("mem_01JA0000000000000000FR1DAY")
NOON, NIGHT = RootId("mem_01JA00000000000000000N00N0"), RootId("mem_01JA0000000000000000N1GHT0")
SECRET = b"the secret of the samples".ljust(32, b".")
"""Of the deployment: ids of terms are made with it."""
RITUAL = "voc_52d58a22af5668f217a2984857fe6631@team-north"
MEETING = "voc_9914901bb67abb75f830a7bdac138397@team-north"
MARTA, YOU = EntityId("ent_01JA00000000000000000MARTA"), EntityId("ent_01JA0000000000000000000Y0V")
ACME, GLOBEX = EntityId("ent_01JA000000000000000000ACME"), EntityId("ent_01JA0000000000000000G10BEX")
COFFEE, VAULT = EntityId("ent_01JA0000000000000000C0FFEE"), EntityId("ent_01JA00000000000000000VAV1T")
DUPLICATE = duplicate_of(MARTA, COFFEE)
CONFLICT, DECIDED = conflict_between(OSLO, ROME), conflict_between(BUS, TRAM)
FINDING, DISMISSED = finding_between(MONDAY, FRIDAY), finding_between(NOON, NIGHT)


@dataclass(frozen=True)
class Seeded:
    """What the memory holds at first: the items of its table, its files, and the time by then."""

    items: tuple[Item, ...]
    files: Path
    now: datetime

    @contextmanager
    def service(self, folder: Path, executor: Executor) -> Iterator[Service]:
        """A service over a copy of it, in that folder and in memory."""
        shutil.copytree(self.files, folder, dirs_exist_ok=True)
        clock = TurnedClock(self.now)
        with SqliteTable(":memory:") as table, closing(EmbeddedIndexes(folder)) as indexes:
            table.write_batch([Put(each) for each in self.items])
            yield _wired(table, indexes, folder, clock, executor).service


def seeded(folder: Path, executor: Executor) -> Seeded:
    """An installation of embedded parts, made in that folder and in memory.

    It holds a memory with two versions, a forgotten one, one in the space `private` and an erased one; a writer's and a
    reader's key for `default` and `team-*`, a key to spare and a revoked one; a run that is over, one that waits and
    two others; a language model that contradicts nobody; a document, a forgotten one, one in `private`; entities, of
    which one is the owner, one was merged into another and one lies in `private`. In `team-north`: a conflict that is
    pending and one that is decided, a finding that is open and one that was dismissed; two terms of the space's own, of
    which one is disabled, a proposal that waits and one that was dismissed.
    """
    clock = TurnedClock()
    with SqliteTable(":memory:") as table, closing(EmbeddedIndexes(folder)) as indexes:
        table.write(Put(item(keys.deployment(), secret=SECRET)))
        _fill(_wired(table, indexes, folder, clock, executor))
        page = table.scan()
        assert page.next_cursor is None
        return Seeded(tuple(page.items), folder, clock.now())


def _wired(table: WholeTable, indexes: SearchIndexes, folder: Path, clock: TurnedClock, executor: Executor) -> Wired:
    parts = Parts(
        table=table,
        indexes=indexes,
        embedder=HashingEmbedder(),
        linguist=Snowball(),
        phones=NumberingPlans(),
        markup=Lexbor(),
        blobs=BlobFiles(folder / "documents"),
        readers=all_readers(),
        fetcher=HttpFetcher(resolve=lambda host, seconds: ()),
        clock=clock,
        ids=SeededIds(clock),
        timing=Timing(refresh=timedelta(0), skew=timedelta(seconds=10)),
        executor=executor,
        query_executor=executor,
        record_executor=executor,
        rerank_executor=executor,
        engine_executor=executor,
        embedding_executor=executor,
        queue=MemoryQueue(),
        model=PricedModel(ScriptedModel([opinions({})]), PRICE),
    )
    return wire(parts, Settings(key=OWNER_KEY))


def _fill(wired: Wired) -> None:
    wired.build_index.prepare()
    wired.build_index.finish()
    _begin(wired.service, TEA, "Marta prefers tea in the morning", "default")
    _begin(wired.service, GONE, "My locker number is 417", "default")
    _begin(wired.service, FAR, "The vault opens at nine", "private")
    wired.service.revise(OWNER, VersionRef(TEA), Revision("Marta prefers coffee"))
    wired.service.forget(OWNER, VersionRef(GONE))
    _disagree(wired.service)
    _name_things(wired.service)
    for key, role in ((WRITER, Role.WRITER), (READER, Role.READER), (SPARE, Role.READER)):
        _add_key(wired.service, key, role)
    _add_key(wired.service, REVOKED, Role.READER)
    wired.service.revoke_key(OWNER, REVOKED)
    _begin_runs(wired.service)
    _begin(wired.service, ERASED, "My badge opens every door", "default")
    wired.service.erase(OWNER, VersionRef(ERASED))
    wired.worker(Work(Job.ERASE, ERASURE), lambda: 60.0)
    told = UPLOAD, "default", "ops/tides.md", None, "text/markdown", 5_000, Source(), OWNER.key, Trust.A1, START
    wired.service.upload_document.uploads.begin(Upload(*told))
    _send(wired, RUNBOOK, "ops/runbook.md", "default")
    _send(wired, GONE_PAGE, "ops/old.md", "default")
    _send(wired, FAR_PAGE, "ops/vault.md", "private")
    wired.service.library.forget(OWNER, GONE_PAGE)
    talk = Talk([Turn("user", "I adopted a greyhound called Pixel")], "team-north", external_id="chat-1")
    wired.service.add_conversation(OWNER, talk)
    _name(wired.service)


def _send(wired: Wired, document: DocumentId, path: str, name: str) -> None:
    """As a sender and the worker do it, but with an id that can stand in a file."""
    add = wired.service.add_document
    space = add.steps.spaces.ensure(name)
    content = b"# Runbook\n\n## Restart\n\nThe worker restarts via systemd.\n\n## Backup\n\nBackups run at four.\n"
    begun = Document(
        document, space.id, path, "Runbook", DocumentKind.FILE, START, START, OWNER.key, Source(trust=Trust.A1)
    )
    original = Original(f"{blobs_of(begun, 1)}00", hashlib.sha256(content).hexdigest(), "text/markdown", len(content))
    add.blobs.put(original.blob, content)
    add.documents.begin(begun.sent(original, begun.title, begun.source, START, OWNER.key))
    wired.worker(Work(Job.INGEST, document), lambda: 60.0)


def key_of(key: KeyId, role: Role) -> str:
    """The whole key, as a caller sends it."""
    return key_text.compose(key, f"{role} of the samples".encode().ljust(32, b"."))


def _begin(service: Service, root: RootId, content: str, name: str) -> None:
    """As a save does it, but with an id that can stand in a file."""
    steps = service.remember.steps
    space = steps.spaces.ensure(name)
    step = lineage.begin(
        root,
        space.id,
        Statement(content, asserted_at=START),
        Stamp(steps.clock.now(), OWNER.key),
        annotations=Annotations(),
        embedded=True,
    )
    steps.beliefs.commit(step, space, service.remember.featurise.one(content), text_before=None)


def _begin_runs(service: Service) -> None:
    """One that is over, one that waits for approval, one that nobody has worked on, and one of another space."""
    runs, spaces = service.runs.runs, service.runs.spaces
    for run_id, name in ((DONE, "default"), (WAITS, "default"), (QUEUED, "default"), (OF_ANOTHER, "private")):
        run = Run(run_id, RunKind.FORGET, spaces.ensure(name).id, OWNER.key, START, START, asked="{}")
        runs.begin(run)
        item = PlanItem(GONE, 1).settled(ItemState.APPLIED)
        if run_id == DONE:
            over = run.planned([[item]], None).applying().settled([PlanItem(GONE, 1)], [item]).finished(START)
            runs.move(run, over, START, Moving(Told("finished"), {0: (item,)}))
        if run_id == WAITS:
            runs.move(run, run.planned([[item]], None).waiting("it would change much"), START, Moving(Told("waits")))


def _disagree(service: Service) -> None:
    """Conflicts and findings, in the space `team-north`."""
    pairs = {
        (OSLO, ROME): ("Ola lives in Oslo", "Ola lives in Rome"),
        (BUS, TRAM): ("Ola goes to work by bus", "Ola goes to work by tram"),
        (MONDAY, FRIDAY): ("the review is on Monday", "the review is on Friday"),
        (NOON, NIGHT): ("the backup runs at noon", "the backup runs at night"),
    }
    for roots, texts in pairs.items():
        for root, text in zip(roots, texts, strict=True):
            _begin(service, root, text, "team-north")
    for older, newer in ((OSLO, ROME), (BUS, TRAM)):
        service.findings.confront(OWNER, newer, _opinion(older))
    service.resolve(OWNER, DECIDED, Choice(Action.KEEP_NEW))
    for older, newer in ((MONDAY, FRIDAY), (NOON, NIGHT)):
        saved = Saved(service.read(OWNER, VersionRef(newer)), Outcome.ADDED)
        service.remember.notice(saved, Verdict("rules", doubts=(_opinion(older),)), Stamp(START, OWNER.key))
    service.findings.answer(OWNER, DISMISSED, Reply.DISMISS)


def _name_things(service: Service) -> None:
    """Terms and proposals, in the space `team-north`."""
    vocabulary, space = service.vocabulary, service.remember.steps.spaces.ensure("team-north")
    mac = vocabulary.vocabularies.mac
    for name in ("ritual", "badge"):
        vocabulary.add(OWNER, NewTerm(TermKind.ENTITY_TYPE, name, f"What people call a {name}.", space.name))
    vocabulary.switch(
        OWNER, TermRef(vocabulary.vocabularies.mac(TermKind.ENTITY_TYPE, "badge"), space.name), is_on=False
    )
    pairs = {(TermKind.ENTITY_TYPE, "meeting"): (MONDAY, FRIDAY), (TermKind.PREDICATE, "runs_at"): (NOON, NIGHT)}
    for (kind, name), roots in pairs.items():
        for root in roots:
            target = "night" if kind is TermKind.PREDICATE else ""
            held = HeldOut(mac(kind, name), kind, name, "The review", 0.9, target)
            links = Links(MemorySource(root, 1), space.id, START, START, Reading.EMPTY, held=(held,))
            vocabulary.show.links.move(None, links)
        vocabulary.vocabularies.propose(space.id, {mac(kind, name): kind})
    vocabulary.dismiss(OWNER, TermRef(mac(TermKind.PREDICATE, "runs_at"), space.name))


def _opinion(root: RootId) -> Opinion:
    return Opinion(VersionRef(root, 1), Relation.CONTRADICTORY, 0.9, "they can't both be true", "rules")


def _name(service: Service) -> None:
    """Entities; the first memory names two of them, and states something of both."""
    graph, spaces = service.graph, service.remember.steps.spaces
    named = {
        MARTA: ("Marta", "person", "default"),
        COFFEE: ("coffee", "concept", "default"),
        ACME: ("Acme", "organization", "default"),
        GLOBEX: ("Globex", "organization", "default"),
        YOU: ("You", "person", "default"),
        VAULT: ("Vault", "place", "private"),
    }
    for entity, (name, type_, space) in named.items():
        origin = Origin.OWNER if entity == YOU else Origin.DECLARED
        made = Entity(entity, spaces.ensure(space).id, name, type_, origin, START, START)
        event = EntityEvent(made.revision, START, EntityChange.DECLARED, OWNER.key)
        writes = [*graph.show.entities.declaring(made, event), *graph.show.tallies.moving_entities([(None, made)])]
        graph.show.entities.commit(made.space, writes)
    mentions = [links.Mention(each, named[each][0], Method.KNOWN, 0.9) for each in (MARTA, COFFEE)]
    found = Links(
        MemorySource(TEA, 2),
        spaces.ensure("default").id,
        said_at=START,
        read_at=START,
        outcome=Reading.LINKED,
        mentions=tuple(mentions),
        relations=(links.Relation(MARTA, "prefers", COFFEE, 0.9),),
    )
    graph.show.links.move(None, found)
    graph.entities.change(OWNER, MARTA, EntityEdit(aliases=("Marta Nowak",)))
    graph.merge(OWNER, GLOBEX, ACME)
    space = spaces.ensure("default").id
    graph.duplicates.duplicates.note(Duplicate(DUPLICATE, space, MARTA, COFFEE, 0.6, "misspelt", START, RunId("run_0")))


def _add_key(service: Service, key: KeyId, role: Role) -> None:
    made = AccessKey(
        id=key,
        secret_hash=key_text.secret_hash(key_of(key, role)),
        role=role,
        spaces=("default", "team-*", "nothing-here"),
        max_trust=Trust.A2,
        created_at=START,
    )
    service.keys.access_keys.add(made)
