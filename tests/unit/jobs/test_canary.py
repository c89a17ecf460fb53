"""The canary: an arm that gives nothing of what is there is found, told of, and well again; nobody is woken for it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import DocumentId, KeyId, RootId, SpaceId, VersionRef
from palimpsest.ports.table import Delete, Key
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import keys
from palimpsest.stores.canaries import GATHERED, RESTS
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import ArmReport, ArmState, RecallQuery
from palimpsest.usecases.arm_health import ArmStanding
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.drafts import Annotation, Draft, JudgeMode
from tests.support.deaf_indexes import DeafIndexes, Ears
from tests.support.installation import OWNER, Installation, install
from tests.unit.jobs.test_slices import unlimited, work

TEXTS = ("Ola keeps bees in Gdynia", "the boiler was replaced in May", "Marta drinks oat milk in her coffee")
OF_THE_INDEX = {"keyword", "vector"}


class Watched:
    """An installation over an index that can be made deaf."""

    def __init__(self, folder: Path, *, is_remote: bool = False) -> None:
        indexes = DeafIndexes(folder, is_remote=is_remote)
        self.ears: Ears = indexes.ears
        self.sqlite = SqliteTable(":memory:")
        self.memory: Installation = install(folder, sqlite=self.sqlite, indexes=indexes)
        work(self.memory)

    def say(self, space: str = "default", texts: tuple[str, ...] = TEXTS) -> list[RootId]:
        """Save, and have it indexed."""
        service = self.memory.wired.service
        drafts = [Draft(text, space=space, judge=JudgeMode.OFF) for text in texts]
        roots = [service.remember(OWNER, draft).memory.head.root for draft in drafts]
        self.memory.index()
        return roots

    def space(self, name: str = "default") -> SpaceId:
        return self.memory.wired.build_index.spaces.ensure(name).id

    def touch(self, root: RootId) -> None:
        """A change that the index takes in."""
        tags = (f"at-{self.memory.clock.now().timestamp()}",)
        self.memory.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=tags))
        self.memory.index()

    def wait(self, by: timedelta = GATHERED) -> None:
        self.memory.clock.turn(by)

    def run(self) -> list[Work]:
        """A plan, and what it asks for; what the canary asks the index is all that is in `asked` then."""
        self.ears.asked.clear()
        self.memory.wired.plan()
        return work(self.memory)

    def look(self) -> None:
        """The canary comes when it is due."""
        self.wait()
        self.run()

    def standing(self, caller: Caller = OWNER) -> dict[str, ArmStanding]:
        return {arm.name: arm for arm in self.memory.wired.service.report_status(caller).arms}

    @property
    def active(self) -> str:
        generation = self.memory.wired.build_index.generations.read().active
        assert generation is not None
        return generation.id

    def mute(self, caller: Caller = OWNER) -> set[str]:
        return {name for name, arm in self.standing(caller).items() if not arm.is_healthy}

    def arms(self, query: str = "bees", *spaces: str) -> dict[str, ArmReport]:
        asked = RecallQuery(query, spaces=spaces or ("default",), is_dry_run=True)
        return {arm.name: arm for arm in self.memory.wired.service.recall(OWNER, asked).arms}

    def marks(self) -> list[str]:
        """What is kept of mute arms."""
        found = self.sqlite.scan().items
        return [str(each["sk"]) for each in found if keys.kind(Key(str(each["pk"]), str(each["sk"]))) == "mute_arm"]

    def is_noted(self, space: str = "default") -> bool:
        return bool([each for each in self.sqlite.scan().items if each["pk"] == f"CN#{self.space(space)}"])


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    made = Watched(tmp_path)
    yield made
    made.sqlite.close()


def test_a_space_that_is_well_gives_no_finding(watched: Watched) -> None:
    watched.say()

    watched.look()

    told = watched.standing()
    assert {kind for kind, _ in watched.ears.asked} == OF_THE_INDEX
    assert watched.mute() == set()
    assert watched.marks() == []
    assert [arm for arm in told if told[arm].checked_at is not None] == ["keyword", "vector", "entity", "exact"]
    assert all(report.is_healthy for report in watched.arms().values())


@pytest.mark.parametrize("arm", sorted(OF_THE_INDEX))
def test_an_arm_that_gives_nothing_is_found_and_told_of(watched: Watched, arm: str) -> None:
    watched.say()
    watched.ears.deaf.add(arm)

    watched.look()

    told, reports = watched.standing()[arm], watched.arms()
    assert watched.mute() == {arm}
    assert (told.mute_spaces, told.spaces) == (1, ("default",))
    assert told.since is not None
    assert (reports[arm].state, reports[arm].reason, reports[arm].is_healthy) == (ArmState.EMPTY, "mute", False)
    assert [name for name, report in reports.items() if not report.is_healthy] == [arm]
    assert watched.marks() == [f"M#{arm}"]


def test_a_rebuild_makes_an_arm_well_at_once(watched: Watched) -> None:
    watched.say()
    watched.ears.generation, watched.ears.deaf = watched.active, {"vector"}
    watched.look()
    assert watched.mute() == {"vector"}

    watched.memory.wired.build_index.begin()
    work(watched.memory)

    assert watched.mute() == set()
    assert watched.arms()["vector"].is_healthy


def test_an_arm_that_is_well_again_is_told_of_no_more(watched: Watched) -> None:
    (root, *_) = watched.say()
    watched.ears.deaf.add("keyword")
    watched.look()
    since = watched.standing()["keyword"].since
    watched.touch(root)
    watched.wait(RESTS)
    watched.run()
    assert watched.standing()["keyword"].since == since

    watched.ears.deaf.clear()
    watched.touch(root)
    watched.wait(RESTS)
    watched.run()

    assert watched.mute() == set()
    assert watched.marks() == []
    assert watched.arms()["keyword"].is_healthy


def test_one_entry_of_three_that_is_lost_makes_no_arm_mute_and_two_do(watched: Watched) -> None:
    first, second, _ = watched.say()
    watched.ears.lost = {entry_key(first, 1)}
    watched.look()
    assert watched.mute() == set()

    watched.ears.lost.add(entry_key(second, 1))
    watched.touch(first)
    watched.wait(RESTS)
    watched.run()

    assert watched.mute() == OF_THE_INDEX


def test_an_entry_among_many_that_say_nearly_the_same_is_found_by_itself(watched: Watched) -> None:
    watched.say(texts=tuple(f"the pump of line {'abcdefghij'[n % 10]} was oiled" for n in range(130)))

    watched.look()

    assert watched.ears.asked
    assert watched.mute() == set()


def test_sections_of_documents_are_asked_for_as_well(watched: Watched) -> None:
    sent = watched.memory.wired.service.add_document(OWNER, Sending("bees.md", b"# Bees\n\nOla keeps bees in Gdynia."))
    watched.memory.wired.worker.slices[Job.INGEST](DocumentId(sent.document.id), unlimited)
    watched.memory.index()
    watched.ears.deaf.add("keyword")

    watched.look()

    assert watched.mute() == {"keyword"}


def test_the_entity_arm_is_asked_for_a_name_that_leads_to_an_entry(watched: Watched) -> None:
    watched.memory.save("Ola Nowak works at Acme Corp")
    rows = watched.memory.doorbells()
    watched.memory.wired.hear_changes(rows)
    work(watched.memory)
    watched.look()
    assert watched.mute() == set()
    assert watched.arms("where does Ola Nowak work")["entity"].candidates == 1

    for stored in watched.sqlite.scan().items:
        if str(stored["pk"]).startswith("NK#"):
            watched.sqlite.write(Delete(Key(str(stored["pk"]), str(stored["sk"]))))
    watched.touch(RootId(watched.memory.save("Ola Nowak likes tea")))
    watched.wait(RESTS)
    watched.run()

    assert watched.mute() == {"entity"}
    report = watched.arms("where does Ola Nowak work")["entity"]
    assert (report.is_healthy, report.reason) == (False, "mute")


def test_a_space_that_nobody_touched_is_not_visited(watched: Watched) -> None:
    watched.say("quiet")
    (busy, *_) = watched.say("busy")
    watched.look()

    watched.wait(RESTS)
    watched.touch(busy)
    watched.run()

    assert {space for _, space in watched.ears.asked} == {watched.space("busy")}
    assert not watched.is_noted("quiet")
    assert watched.is_noted("busy")


def test_a_space_that_is_only_recalled_is_visited(watched: Watched) -> None:
    watched.say()
    watched.look()
    watched.wait(RESTS)
    watched.run()
    assert not watched.is_noted()

    watched.memory.wired.service.recall(OWNER, RecallQuery("bees"))
    watched.wait(timedelta(minutes=1))
    watched.run()  # counts the recall
    watched.look()

    assert {kind for kind, _ in watched.ears.asked} == OF_THE_INDEX


def test_a_space_that_is_used_all_day_is_visited_four_times(watched: Watched) -> None:
    (root, *_) = watched.say()
    visits = 0

    for _ in range(24 * 6):
        watched.wait(timedelta(minutes=10))
        watched.touch(root)
        visits += Work(Job.CANARY, watched.space()) in watched.run() and bool(watched.ears.asked)

    assert visits == 4


def test_what_the_index_need_not_show_yet_is_not_asked_for(watched: Watched) -> None:
    for text in TEXTS:
        watched.memory.save(text)
    watched.memory.wired.index_changes.follow.canary.changed(watched.space())

    watched.look()

    assert watched.ears.asked == []
    assert watched.mute() == set()


def test_an_index_that_may_sleep_is_asked_nothing_and_one_that_answered_lately_is(tmp_path: Path) -> None:
    watched = Watched(tmp_path, is_remote=True)
    watched.say()
    for _ in range(20):
        watched.wait(timedelta(minutes=30))
        watched.run()
        watched.memory.wired.worker(Work(Job.CANARY, watched.space()), unlimited)  # as by a message that comes late
        assert watched.ears.asked == []

    watched.memory.wired.service.recall(OWNER, RecallQuery("bees"))
    watched.wait(timedelta(minutes=1))
    watched.run()  # counts the recall, which says that the index answered
    watched.run()

    assert {kind for kind, _ in watched.ears.asked} == OF_THE_INDEX
    watched.sqlite.close()


def test_an_index_that_does_not_answer_is_left_alone_and_nothing_is_found_of_it(watched: Watched) -> None:
    watched.say()
    watched.ears.is_down = True
    with pytest.raises(IndexUnavailable):
        watched.look()
    asked = len(watched.ears.asked)
    watched.wait(timedelta(minutes=30))
    watched.run()

    assert (asked, watched.ears.asked) == (1, [])
    assert watched.mute() == set()

    watched.ears.is_down = False
    watched.wait(timedelta(minutes=31))
    watched.run()
    assert watched.standing()["keyword"].checked_at is not None


def test_messages_that_come_twice_and_visits_that_overlap_do_no_harm(watched: Watched) -> None:
    watched.say()
    watched.ears.deaf.add("vector")
    other = watched.memory.wired.worker.slices[Job.CANARY]

    def beside() -> None:
        watched.ears.when_asked = lambda: None
        assert not other(watched.space(), unlimited)

    watched.ears.when_asked = beside
    watched.look()
    asked = len(watched.ears.asked)
    for _ in range(2):
        watched.memory.wired.worker(Work(Job.CANARY, watched.space()), unlimited)

    assert watched.mute() == {"vector"}
    assert watched.marks() == ["M#vector"]
    assert len(watched.ears.asked) == asked


def test_a_memory_that_is_forgotten_while_it_is_asked_for_is_not_missed(watched: Watched) -> None:
    (root,) = watched.say(texts=TEXTS[:1])

    def forget() -> None:
        watched.ears.when_asked = lambda: None
        watched.ears.deaf.add("keyword")
        watched.memory.wired.service.forget(OWNER, VersionRef(root))

    watched.ears.when_asked = forget
    watched.look()

    assert watched.mute() == set()


def test_nothing_of_what_was_erased_stays_in_what_the_canary_keeps(watched: Watched) -> None:
    roots = watched.say()
    watched.ears.deaf.add("vector")
    watched.look()
    assert watched.marks() == ["M#vector"]

    for root in roots:
        watched.memory.wired.service.erase(OWNER, VersionRef(root))
        for _ in range(3):
            watched.wait(timedelta(minutes=2))
            work(watched.memory)

    kept = [str(each) for each in watched.sqlite.scan().items if str(each["pk"]).startswith("CN#")]
    assert watched.marks() == []
    assert watched.mute() == set()
    assert not any(root in each for root in roots for each in kept)


def test_a_key_is_told_of_its_own_spaces_alone(watched: Watched) -> None:
    watched.say("mine")
    watched.say("theirs")
    watched.ears.deaf.add("keyword")
    watched.look()
    mine = Caller(KeyId("mine"), Role.READER, spaces=("mine",), default_space="mine")
    nothing = Caller(KeyId("other"), Role.READER, spaces=("other",), default_space="other")

    whole, told = watched.standing()["keyword"], watched.standing(mine)["keyword"]

    assert (whole.mute_spaces, whole.spaces) == (2, ("mine", "theirs"))
    assert (told.mute_spaces, told.spaces, told.counts) == (1, ("mine",), None)
    assert watched.mute(nothing) == set()


def test_an_arm_that_is_mute_in_one_of_two_spaces_is_so_in_the_answer(watched: Watched) -> None:
    first = watched.say("first")
    watched.say("second")
    watched.ears.lost = {entry_key(root, 1) for root in first}
    watched.look()

    report = watched.arms("bees", "first", "second")["keyword"]

    assert (report.state, report.reason, report.is_healthy) == (ArmState.OK, "mute", False)


def test_how_arms_fared_is_counted_since_the_start(watched: Watched) -> None:
    watched.say()

    for query in ("bees", "bees", "zebra"):
        watched.arms(query)

    counts = watched.standing()["keyword"].counts
    assert counts is not None
    assert (counts[ArmState.OK], counts[ArmState.EMPTY], counts[ArmState.FAILED]) == (2, 1, 0)
