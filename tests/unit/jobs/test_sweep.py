"""The sweep of the index: what writes left behind goes, what is current stays, and nobody is woken for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import RootId, SpaceId, VersionRef
from palimpsest.ports.table import Delete, Put, Set, Update
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import keys
from palimpsest.stores.sweeps import RESTS
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.drafts import Annotation, Revision
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.support.leaving_indexes import Engine, LeavingIndexes
from tests.unit.jobs.test_slices import none, unlimited, work

HOUR = timedelta(hours=1)
SWEEP = Work(Job.SWEEP_INDEX)


class Swept:
    """An installation over an engine that leaves everything behind."""

    def __init__(self, folder: Path, *, interposed: bool = False) -> None:
        indexes = LeavingIndexes(folder)
        self.engine: Engine = indexes.engine
        self.sqlite = SqliteTable(":memory:")
        self.interposing = InterposingTable(self.sqlite)
        self.crashing = CrashingTable(self.sqlite)
        table = self.interposing if interposed else self.crashing
        self.memory: Installation = install(folder, table=table, sqlite=self.sqlite, indexes=indexes)
        work(self.memory)

    def space(self, name: str = "default") -> SpaceId:
        found = self.memory.wired.build_index.spaces.find(name)
        assert found is not None
        return found.id

    def save(self, text: str, space: str = "default") -> RootId:
        """Save, and have it indexed."""
        root = RootId(self.memory.save(text, space))
        self.memory.index()
        return root

    def again(self, root: RootId, space: str = "default") -> None:
        """A step that has the entry written once more, so that there are doubles."""
        tags = (f"at-{self.memory.clock.now().timestamp()}",)
        self.memory.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=tags))
        self.memory.index()

    def revisions(self, root: RootId, space: str = "default", number: int = 1) -> list[int]:
        return list(self.engine.documents[self.space(space)].get(entry_key(root, number), ()))

    def wait(self, by: timedelta = RESTS) -> None:
        self.memory.clock.turn(by)

    def use(self) -> None:
        """Somebody writes to another space, so that the engine is awake."""
        self.save(f"a note of {self.memory.clock.now()}", "elsewhere")

    def run(self, seconds_left: Callable[[], float] = unlimited) -> list[Job]:
        """A plan, and what it asks for."""
        self.memory.wired.plan()
        return [each.job for each in work(self.memory, seconds_left)]

    def noted(self, space: str = "default") -> bool:
        return bool(self.sqlite.get([keys.sweep(self.space(space))]).items)


@pytest.fixture
def swept(tmp_path: Path) -> Iterator[Swept]:
    made = Swept(tmp_path)
    yield made
    made.sqlite.close()


def test_doubles_of_a_space_that_changed_are_swept_and_the_newest_stays(swept: Swept) -> None:
    root = swept.save("the quick brown fox")
    for _ in range(2):
        swept.again(root)
    before = swept.revisions(root)

    swept.wait()
    swept.use()
    done = swept.run()

    assert before == [1, 2, 3]
    assert swept.revisions(root) == [3]
    assert Job.SWEEP_INDEX in done
    assert swept.memory.recalled("fox") == ["the quick brown fox"]


def test_a_space_without_changes_is_not_asked_about(swept: Swept) -> None:
    quiet, busy = swept.save("a quiet fox", "quiet"), swept.save("a busy fox", "busy")
    for _ in range(3):  # until nothing is left to sweep in either
        swept.wait()
        swept.use()
        swept.run()
    swept.engine.asked.clear()

    swept.again(busy, "busy")
    swept.wait()
    swept.use()
    swept.run()

    assert swept.space("busy") in swept.engine.swept_spaces()
    assert swept.space("quiet") not in swept.engine.swept_spaces()
    assert swept.revisions(quiet, "quiet") == [1]
    assert not swept.noted("quiet")


def test_an_engine_that_may_sleep_is_not_asked_however_much_is_due(swept: Swept) -> None:
    swept.save("the quick brown fox")
    swept.engine.is_down = True

    for _ in range(50):
        swept.wait(HOUR)
        swept.run()
    swept.memory.wired.worker(SWEEP, unlimited)  # also by a message that comes late

    assert swept.engine.asked == []
    assert swept.noted()


def test_what_became_due_while_the_engine_slept_is_swept_when_it_is_awake_for_another(swept: Swept) -> None:
    root = swept.save("the quick brown fox")
    swept.again(root)
    swept.wait(timedelta(days=5))
    swept.run()
    assert swept.revisions(root) == [1, 2]

    swept.use()
    swept.run()

    assert swept.revisions(root) == [2]


def test_leftovers_of_what_was_forgotten_or_is_not_in_the_table_go_and_the_rest_stays(swept: Swept) -> None:
    kept, forgotten, lost = (swept.save(f"{word} fox") for word in ("kept", "forgotten", "lost"))
    unreadable, newer = swept.save("unreadable fox"), swept.save("newer fox")
    swept.memory.wired.service.revise(OWNER, VersionRef(kept), Revision("kept fox, better"))
    swept.memory.wired.service.forget(OWNER, VersionRef(forgotten))
    swept.memory.index()
    swept.sqlite.write(Delete(keys.head(lost)))
    swept.sqlite.write(Update(keys.head(unreadable), (Set("revision", "none"),)))
    swept.sqlite.write(Update(keys.head(newer), (Set("_v", 99),)))
    swept.engine.documents[swept.space()][entry_key(kept, 3)] = [2]  # a version that the belief never had

    swept.wait()
    swept.use()
    swept.run()

    assert swept.revisions(forgotten) == swept.revisions(lost) == swept.revisions(kept, number=3) == []
    assert swept.revisions(kept, number=1) == swept.revisions(kept, number=2) == [2]
    assert swept.revisions(unreadable) == swept.revisions(newer) == [1]


def test_a_belief_that_is_restored_while_it_is_swept_keeps_its_entry(swept: Swept) -> None:
    root = swept.save("the quick brown fox")
    swept.memory.wired.service.forget(OWNER, VersionRef(root))
    swept.memory.index()

    def restore() -> None:
        swept.engine.when_asked = lambda: None
        swept.memory.wired.service.restore(OWNER, VersionRef(root))
        swept.memory.index()

    swept.wait()
    swept.use()
    swept.engine.when_asked = restore
    swept.run()

    assert swept.revisions(root) == [3]
    assert swept.memory.recalled("fox") == ["the quick brown fox"]


def test_what_an_eventual_read_does_not_show_yet_is_read_again_before_anything_is_taken_out(tmp_path: Path) -> None:
    swept = Swept(tmp_path, interposed=True)
    root = swept.save("the quick brown fox")
    head = swept.sqlite.get([keys.head(root)]).items[keys.head(root)]
    swept.wait()
    swept.use()
    swept.sqlite.write(Delete(keys.head(root)))  # as a read may be that is behind

    def is_second_look(name: str, call: Call) -> bool:
        looks.append(call) if name == "get" and call == [keys.head(root)] else None
        return len(looks) == 2

    looks: list[Call] = []
    swept.interposing.interpose(is_second_look, lambda: swept.sqlite.write(Put(head)))
    swept.run()

    assert len(looks) == 2
    assert swept.revisions(root) == [1]
    swept.sqlite.close()


def test_a_space_is_swept_in_slices_that_go_on_where_the_one_before_ended(swept: Swept) -> None:
    roots = [swept.save(f"fox number {n}") for n in range(7)]
    for root in roots:
        swept.again(root)
    swept.engine.page = 2
    swept.wait()
    swept.use()

    done = swept.run(none)

    own = [after for space, after in swept.engine.asked if space == swept.space()]
    assert own == ["", *(entry_key(root, 1) for root in sorted(roots)[1::2])]
    assert done.count(Job.SWEEP_INDEX) >= 4
    assert [swept.revisions(root) for root in roots] == [[2]] * 7


def test_a_worker_that_is_killed_at_any_call_leaves_nothing_undone(tmp_path: Path) -> None:
    swept = Swept(tmp_path)
    roots = [swept.save(f"fox number {n}") for n in range(3)]
    swept.engine.page = 2
    kills = 0
    for operation in range(60):
        for root in roots:
            swept.again(root)
        swept.wait()
        swept.use()
        swept.memory.wired.plan()
        swept.crashing.crash_at(operation // 2, is_after=bool(operation % 2))
        with contextlib.suppress(Crashed):
            work(swept.memory)
            break
        kills += 1
        swept.crashing.live_on()
        swept.wait(HOUR)  # the lease of the dead lapses, and the message comes again
        swept.use()
        swept.memory.wired.worker(SWEEP, unlimited)

        assert [len(swept.revisions(root)) for root in roots] == [1, 1, 1], operation

    assert kills > 20
    swept.sqlite.close()


def test_a_message_that_comes_twice_and_two_that_sweep_at_once_do_no_harm(swept: Swept) -> None:
    roots = [swept.save(f"fox number {n}") for n in range(5)]
    for root in roots:
        swept.again(root)
    swept.engine.page = 2
    swept.wait()
    swept.use()
    swept.memory.wired.plan()
    other = swept.memory.wired.worker.slices[Job.SWEEP_INDEX]

    def beside() -> None:
        swept.engine.when_asked = lambda: None
        assert not other("", unlimited)

    swept.engine.when_asked = beside
    work(swept.memory)
    swept.memory.wired.worker(SWEEP, unlimited)

    assert [swept.revisions(root) for root in roots] == [[2]] * 5


def test_an_engine_that_stops_answering_is_left_alone_and_the_sweep_goes_on_from_there(swept: Swept) -> None:
    roots = sorted(swept.save(f"fox number {n}") for n in range(5))
    swept.engine.page = 2
    swept.wait()
    swept.use()
    swept.memory.wired.plan()

    def fall_asleep() -> None:
        swept.engine.is_down = len(swept.engine.asked) == 1

    swept.engine.when_asked = fall_asleep
    with pytest.raises(IndexUnavailable):
        work(swept.memory)
    swept.memory.wired.worker(SWEEP, unlimited)  # as the queue gives the message out again
    asked = list(swept.engine.asked)
    swept.engine.is_down = False
    swept.wait(2 * HOUR)
    swept.use()
    swept.run()

    place = (swept.space(), entry_key(roots[1], 1))
    assert asked == [(swept.space(), ""), place]
    assert swept.engine.asked[2] == place


def test_a_space_is_swept_again_until_nothing_was_left_and_nobody_wrote(swept: Swept) -> None:
    root = swept.save("the quick brown fox")
    swept.again(root)

    sweeps = []
    for _ in range(5):
        swept.wait()
        swept.use()
        swept.engine.asked.clear()
        swept.run()
        sweeps.append(swept.engine.swept_spaces().count(swept.space()))

    assert sweeps == [1, 1, 0, 0, 0]
    assert not swept.noted()


def test_who_writes_in_the_middle_of_a_sweep_has_the_space_swept_again(swept: Swept) -> None:
    root = swept.save("the quick brown fox")
    swept.wait()
    swept.use()

    def write() -> None:
        swept.engine.when_asked = lambda: None
        swept.again(root)

    swept.engine.when_asked = write
    swept.run()
    assert swept.noted()
    swept.wait()
    swept.use()
    swept.run()

    assert swept.revisions(root) == [2]


def test_a_space_that_is_written_to_all_day_is_swept_twice_a_day(swept: Swept) -> None:
    root = swept.save("the quick brown fox")

    for _ in range(24 * 6):
        swept.wait(timedelta(minutes=10))
        swept.again(root)
        swept.run()

    assert swept.engine.swept_spaces().count(swept.space()) == 2


def test_a_space_that_a_build_filled_is_swept(swept: Swept) -> None:
    swept.save("the quick brown fox")
    for _ in range(2):
        swept.wait()
        swept.use()
        swept.run()
    assert not swept.noted()

    swept.memory.wired.build_index.begin()
    work(swept.memory)

    assert swept.noted()


def test_an_index_that_leaves_nothing_behind_is_never_swept_and_nothing_is_noted(tmp_path: Path) -> None:
    memory = install(tmp_path)
    work(memory)
    memory.save("the quick brown fox")
    memory.index()

    memory.clock.turn(RESTS)
    memory.save("another fox")
    memory.index()
    memory.wired.plan()

    assert SWEEP not in work(memory)
    assert [item for item in memory.sqlite.scan().items if str(item["pk"]).startswith("SW#")] == []
    assert memory.wired.build_index.generations.read().answered_at is None
    memory.sqlite.close()
