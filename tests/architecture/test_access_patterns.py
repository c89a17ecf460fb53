"""The access-pattern page tells what each thing costs: measured here, by AWS's formula, and compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.graph.term import TermKind
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import DocumentId, KeyId, RootId, RunId, SpaceId, TermRef, VersionRef
from palimpsest.domain.library.fragments import Turn
from palimpsest.domain.selection import Selection
from palimpsest.domain.strength import Rating
from palimpsest.ports.search_index import Generation
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.canaries import GATHERED
from palimpsest.stores.surveys import Surveys
from palimpsest.stores.sweeps import RESTS
from palimpsest.usecases.add_conversation import Talk
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.drafts import Annotation, Draft, JudgeMode, Revision, SourceClaim
from palimpsest.usecases.issuing import KeyRequest
from palimpsest.usecases.pack_context import ContextQuery
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, Installation, install
from tests.support.leaving_indexes import Engine, LeavingIndexes
from tests.support.metered_table import MeteredTable

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "access-patterns.md"
ROW = re.compile(r"^\| (?P<name>[^|]+?) \|(?:[^|]*\|)* (?P<read>[\d.]+) \| (?P<write>[\d.]+) \|$")
KILOBYTES_2 = ("The ingest worker restarts via systemd and keeps its queue on disk. " * 32)[:2_048]


class Patterns:
    """Every row of the page, as something to do, with beliefs of 2 KB of text and vectors of 384 dimensions."""

    def __init__(self, memory: Installation, table: MeteredTable, leaving: Installation, engine: Engine) -> None:
        self.memory = memory
        self.leaving = leaving
        self.engine = engine
        self.table = table
        self.service = memory.wired.service
        self.run = RunId("")
        self.document = DocumentId("")
        self.roots = [self.kept(text(0))]
        self.root = self.roots[0]
        for n in (1, 2):
            self.service.revise(OWNER, self.ref, Revision(text(n)))
        self.roots += [self.kept(text(n)) for n in range(10, 58)]
        memory.clock.turn(timedelta(minutes=1))
        self.roots.append(self.kept(text(59)))
        memory.index()
        self.service.list_memories(OWNER, ListQuery())
        self.key = self.service.issue_key(OWNER, KeyRequest(Role.READER)).secret

    def kept(self, content: str) -> RootId:
        """A memory that nobody compares with the others, which say nearly the same: that would take seconds."""
        return self.service.remember(OWNER, Draft(content, judge=JudgeMode.OFF)).memory.head.root

    @property
    def space(self) -> SpaceId:
        return self.memory.wired.build_index.spaces.ensure("default").id

    @property
    def ref(self) -> VersionRef:
        return VersionRef(self.root)

    def every(self) -> dict[str, Callable[[], object]]:
        service, ref = self.service, self.ref
        recall = RecallQuery("how does the ingest worker restart", spaces=("default",))
        return {
            "save": lambda: service.remember(OWNER, Draft(text(100))),
            "save with an idempotency key": lambda: service.remember(
                OWNER, Draft(text(101)), Idempotency("k", b"body")
            ),
            "save with a session": lambda: service.remember(
                OWNER, Draft(text(105), source=SourceClaim(session="talk"))
            ),
            "save, same text": lambda: service.remember(OWNER, Draft(text(100))),
            "read": lambda: service.read(OWNER, ref),
            "read an old version": lambda: service.read(OWNER, ref._replace(number=1)),
            "history": lambda: service.history(OWNER, ref),
            "diff": lambda: service.diff(OWNER, ref, older=None, newer=None),
            "proof": lambda: service.prove(OWNER, ref),
            "list 50": lambda: service.list_memories(OWNER, ListQuery()),
            "recall 10, first of a minute": lambda: service.recall(OWNER, recall),
            "recall 10": lambda: self.recall(recall),
            "pack a context (dry run)": lambda: service.supply.context(
                OWNER, ContextQuery(recall.query, is_dry_run=True)
            ),
            "update": lambda: service.revise(OWNER, ref, Revision(text(102))),
            "annotate": lambda: service.annotate(OWNER, ref, Annotation(tags=("ops",))),
            "revert": lambda: service.revert(OWNER, ref, 1),
            "forget": lambda: service.forget(OWNER, ref),
            "restore": lambda: service.restore(OWNER, ref),
            "index one change": self.memory.index,
            "save by an assistant after a recall": lambda: service.remember(
                OWNER, Draft(text(104), source=SourceClaim("assistant_generated"))
            ),
            "save of an echo": lambda: service.remember(
                OWNER, Draft(f"{self.recalled}!", source=SourceClaim("assistant_generated"))
            ),
            "plan, nothing due": self.memory.wired.plan,
            "forget 20 memories in a run": lambda: self.work(self.run),
            "undo that run": lambda: self.work(self.run),
            "send a document": lambda: self.send(sections("noon")),
            "read its 3 sections": self.read_document,
            "index its chunks": self.memory.index,
            "list its chunks": lambda: service.library.chunks_of(OWNER, self.document),
            "recall 3 chunks": lambda: service.recall(OWNER, RecallQuery("section", spaces=("docs",))),
            "read it with 1 section changed": self.read_document,
            "forget a document": lambda: service.library.forget(OWNER, self.document),
            "begin a run over a new memory": self.extract,
            "read a memory that names 2 new entities and states 1 relation": lambda: self.work(self.newest_run),
            "show a vocabulary": lambda: service.vocabulary.show(OWNER, "graph"),
            "disable a term": lambda: service.vocabulary.switch(OWNER, self.term, is_on=False),
            "send a conversation of 2 turns": self.converse,
            "read it": self.read_document,
            "learn 1 fact from it": lambda: self.memory.wired.worker.slices[Job.LEARN](self.document, lambda: 60.0),
            "check a key": lambda: service.authenticate(f"Bearer {self.key}"),
            "first save of a space": lambda: service.remember(OWNER, Draft(text(103), space="new")),
            "note that a space is to be swept": self.note,
            "sweep 50 memories": lambda: self.leaving.wired.worker(Work(Job.SWEEP_INDEX), lambda: 60.0),
            "count recalls of 10, in a space of 50 memories": self.reinforce,
            "count another of the same 10": self.reinforce,
            "show stats of a day": lambda: service.stats(OWNER, "default", days=1),
            "rate": lambda: service.rate(OWNER, ref, Rating.USEFUL),
            "note that the canary is to look at a space": lambda: self.memory.wired.index_changes.follow.canary.changed(
                SpaceId("noted")
            ),
            "look with the canary at 50 memories": self.look,
            "survey 50 memories": self.survey,
            "read a survey": lambda: Surveys(self.table).read(self.space, self.generation.model),
        }

    def recall(self, query: RecallQuery) -> None:
        """And keep in mind what it answered with."""
        self.recalled = self.service.recall(OWNER, query).memories[0].version.statement.content

    def reinforce(self) -> None:
        """What the worker does for the recalls of the space, without the lease."""
        self.memory.wired.worker.slices[Job.REINFORCE](self.space, lambda: 60.0)

    def send(self, content: bytes) -> None:
        """A document as it is sent."""
        self.document = self.service.add_document(OWNER, Sending("runbook.md", content, space="docs")).document.id

    def converse(self) -> None:
        """A conversation as it is sent."""
        turns = [Turn("user", "I don't eat pork."), Turn("assistant", "Noted.")]
        talk = Talk(turns, space="docs", external_id="chat-1")
        self.document = self.service.add_conversation(OWNER, talk).document.id

    def read_document(self) -> None:
        """What the worker does for it, without the lease."""
        self.memory.wired.worker.slices[Job.INGEST](self.document, lambda: 60.0)

    def work(self, run: RunId) -> None:
        """What the worker does for a run, without the lease."""
        self.memory.wired.worker.slices[Job.RUN](run, lambda: 60.0)

    def extract(self) -> None:
        """What the worker does once a doorbell has rung, without the lease."""
        space = self.memory.wired.build_index.spaces.ensure("graph").id
        self.memory.wired.worker.slices[Job.EXTRACT](space, lambda: 60.0)

    @property
    def term(self) -> TermRef:
        return TermRef(self.service.vocabulary.vocabularies.mac(TermKind.PREDICATE, "uses"), "graph")

    @property
    def newest_run(self) -> RunId:
        return self.service.runs.page(OWNER, space="graph").runs[0].run.id

    @property
    def generation(self) -> Generation:
        return self.memory.wired.index_changes.searching.answering()

    def survey(self) -> None:
        """What is done once a log was followed in a space that has grown."""
        searching = self.memory.wired.index_changes.searching
        follow = self.memory.wired.index_changes.follow
        assert follow.survey(searching.open(self.generation), self.space, is_remote=False)

    def look(self) -> None:
        """What the worker does for the canary, without the lease."""
        self.memory.wired.worker.slices[Job.CANARY](self.space, lambda: 60.0)

    def note(self) -> None:
        """What is said before and after an engine is written to that leaves documents behind."""
        notes, searching = (
            self.leaving.wired.index_changes.follow.beliefs.notes,
            self.leaving.wired.index_changes.searching,
        )
        index = searching.open(searching.answering()).index
        notes.before(index, self.space)
        notes.after(index)

    def prepare(self, name: str) -> None:
        """What comes before, and is not counted."""
        if name.startswith("save by an assistant"):
            self.service.recall(OWNER, RecallQuery("how does the ingest worker restart"))
        if name.startswith("count"):
            self.memory.clock.turn(timedelta(hours=1))
            self.service.recall(OWNER, RecallQuery("how does the ingest worker restart"))
            self.memory.clock.turn(timedelta(minutes=1))
        if name == "index one change":
            self.memory.index()
            self.service.annotate(OWNER, self.ref, Annotation(pinned=True))
        if name == "send a document":
            self.memory.index()
            self.memory.wired.build_index.spaces.ensure("docs")
        if name == "read it with 1 section changed":
            self.send(sections("midnight"))
        if "run" in name:
            self.prepare_run(name)
        self.prepare_index(name)

    def prepare_index(self, name: str) -> None:
        """A space whose entries are to be looked at."""
        if name == "look with the canary at 50 memories":
            self.memory.clock.turn(GATHERED)
        if name == "survey 50 memories":
            self.memory.wired.index_changes.follow.survey.surveys.forget(self.space)
        if name == "sweep 50 memories":
            self.engine.documents[self.space].update({entry_key(root, 1): [1] for root in self.roots})
            self.leaving.clock.turn(RESTS)
            self.leaving.wired.index_changes.searching.generations.answered(
                self.leaving.wired.index_changes.searching.state(), self.leaving.clock.now()
            )

    def prepare_run(self, name: str) -> None:
        """A run that is begun, or a memory that one is to be begun over."""
        if name == "forget 20 memories in a run":
            selection = Selection(ids=tuple(self.roots[20:40]))
            self.run = self.service.forget_many(OWNER, None, selection).run.id
        if name == "undo that run":
            self.service.runs.undo(OWNER, self.run)
        if name == "begin a run over a new memory":
            self.memory.index()
            self.memory.save("Ola Nowak works at Acme Corp", "graph")
            self.memory.wired.hear_changes(self.memory.doorbells())


def sections(when: str) -> bytes:
    """Three sections of 1 KB, of which the last says when."""
    parts = [f"## Part {n}\n\nSection {n} {KILOBYTES_2[:1_000]}" for n in range(2)]
    return "\n\n".join([*parts, f"## Part 2\n\nSection 2 {KILOBYTES_2[:980]} {when}"]).encode()


def text(n: int) -> str:
    return f"{n:04d} {KILOBYTES_2}"[:2_048]


@pytest.fixture
def patterns(tmp_path: Path) -> Iterator[Patterns]:
    sqlite = SqliteTable(":memory:")
    table = MeteredTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    indexes = LeavingIndexes(tmp_path)
    leaving = install(tmp_path, table=table, sqlite=sqlite, indexes=indexes, prepare=False)
    yield Patterns(memory, table, leaving, indexes.engine)
    sqlite.close()


def documented() -> dict[str, tuple[Decimal, Decimal]]:
    rows = map(ROW.match, PAGE.read_text().splitlines())
    return {row["name"]: (Decimal(row["read"]), Decimal(row["write"])) for row in rows if row}


def test_every_pattern_costs_what_the_page_says(patterns: Patterns) -> None:
    measured = {}
    for name, work in patterns.every().items():
        patterns.prepare(name)
        patterns.table.begin()
        work()
        measured[name] = (patterns.table.spent.read.normalize(), patterns.table.spent.write.normalize())

    assert measured == documented()


def test_a_key_that_is_no_key_costs_nothing(patterns: Patterns) -> None:
    patterns.table.begin()

    for garbage in (None, "", "Bearer", "Bearer nonsense", "Bearer plm_none_" + "x" * 43, f"Basic {patterns.key}"):
        with pytest.raises(Exception, match="valid key"):
            patterns.service.authenticate(garbage)

    assert patterns.table.calls == 0


def test_a_key_is_read_once_a_minute(patterns: Patterns) -> None:
    caller = patterns.service.authenticate(f"Bearer {patterns.key}")
    patterns.table.begin()

    assert patterns.service.authenticate(f"bearer {patterns.key}") == caller
    assert isinstance(caller, Caller)
    assert caller.key != KeyId("owner")
    assert patterns.table.calls == 0
