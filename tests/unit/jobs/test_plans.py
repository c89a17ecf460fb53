"""Work that is due is asked for once, whatever was lost: leases, logs that lag, builds that fail."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.no_index import NoIndexes
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.search_index import Generation
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.stores.generations import Generations
from palimpsest.stores.leases import Leases
from palimpsest.stores.watermarks import MOST_STUCK
from palimpsest.usecases.drafts import Revision
from tests.support.installation import OWNER, Installation, install
from tests.unit.jobs.test_embed_pending import Choosy
from tests.unit.jobs.test_refusals import PickyIndexes, found, move_on, watermark
from tests.unit.jobs.test_slices import none, settled, unlimited, work

DAY = timedelta(days=1)


@pytest.fixture
def indexes(tmp_path: Path) -> PickyIndexes:
    return PickyIndexes(tmp_path)


@pytest.fixture
def memory(tmp_path: Path, indexes: PickyIndexes) -> Iterator[Installation]:
    memory = install(tmp_path, indexes=indexes)
    memory.clock.turn(timedelta(minutes=1))
    work(memory)
    yield memory
    memory.sqlite.close()


def state(memory: Installation) -> Generations:
    return memory.wired.build_index.generations.read()


def active(memory: Installation) -> Generation:
    generation = state(memory).active
    assert generation is not None
    return generation


def waiting(memory: Installation) -> list[Work]:
    """The messages that wait, without their being worked on."""
    taken = []
    while (delivery := memory.queue.take(0.0)) is not None:
        taken.append(read(delivery.body))
    return taken


# --- leases ---


def test_what_was_asked_for_is_not_asked_for_again_each_minute(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=Choosy())
    memory.save("word " * 2_000)

    asked = []
    for _ in range(30):
        asked.append(memory.wired.plan())
        memory.clock.turn(timedelta(minutes=1))

    assert sum(asked) == 2  # at once, and after a quarter of an hour of silence
    memory.sqlite.close()


def test_messages_that_come_twice_do_not_make_two_chains(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=Choosy())
    work(memory)
    for n in range(40):
        memory.save(f"{n} " + "word " * 2_000)
    message = Work(Job.EMBED_PENDING)
    looks = 0

    def seconds_left() -> float:
        nonlocal looks
        looks += 1
        if looks == 1:  # before it begins
            return 100.0
        memory.wired.worker(message, unlimited)  # its double, while this one is at work
        return 0.0

    memory.wired.worker(message, seconds_left)

    assert waiting(memory) == [message]
    assert len(memory.wired.embed_pending.waiting(100)) == 8
    memory.sqlite.close()


def test_a_worker_that_lost_its_lease_sends_no_further_message(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=Choosy())
    work(memory)
    for n in range(40):
        memory.save(f"{n} " + "word " * 2_000)
    message = Work(Job.EMBED_PENDING)

    looks = 0

    def seconds_left() -> float:
        nonlocal looks
        looks += 1
        if looks == 1:
            return 100.0
        memory.clock.turn(timedelta(hours=1))  # it stood still for longer than any function may run
        now = memory.clock.now()
        Leases(memory.table).take(message, now, now + timedelta(minutes=3))
        return 0.0

    memory.wired.worker(message, seconds_left)

    assert len(memory.wired.embed_pending.waiting(100)) == 8
    assert waiting(memory) == []
    memory.sqlite.close()


def test_a_slice_that_failed_is_done_when_its_message_comes_again(tmp_path: Path) -> None:
    embedder = Choosy()
    memory = install(tmp_path, embedder=embedder)
    generation = memory.wired.build_index.begin()
    message = Work(Job.BUILD_INDEX, generation.id)
    shutil.rmtree(tmp_path)
    tmp_path.write_text("no folder")  # the engine can't make an index

    with pytest.raises(IndexUnavailable):
        memory.wired.worker(message, unlimited)
    tmp_path.unlink()
    memory.wired.worker(message, unlimited)

    assert active(memory).id == generation.id
    memory.sqlite.close()


def test_a_machine_that_starts_asks_at_once_for_what_was_asked_for_before(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("word " * 2_000)
    assert memory.wired.plan() == 1
    waiting(memory)

    memory.wired.plan.start_over()

    assert waiting(memory) == [Work(Job.EMBED_PENDING), Work(Job.CHECK_LOGS)]
    memory.sqlite.close()


def test_the_index_that_was_replaced_stays_for_half_a_minute(memory: Installation, tmp_path: Path) -> None:
    memory.save("the quick brown fox")
    memory.index()
    memory.wired.build_index.begin()

    work(memory)
    memory.wired.plan()
    work(memory)
    assert len(list(tmp_path.glob("*.db"))) == 2
    memory.clock.turn(timedelta(seconds=31))
    work(memory)

    assert len(list(tmp_path.glob("*.db"))) == 1


# --- logs that lag ---


def test_rows_whose_doorbell_was_given_up_are_followed_by_a_later_plan(
    memory: Installation, indexes: PickyIndexes
) -> None:
    indexes.engine.is_down = True
    memory.save("a fox that nobody announces again")
    memory.index()
    indexes.engine.is_down = False

    memory.clock.turn(timedelta(minutes=11))
    assert memory.wired.plan() == 1
    assert [each.job for each in work(memory)] == [Job.CATCH_UP]

    assert settled(memory, "fox") == {"a fox that nobody announces again"}
    memory.clock.turn(timedelta(minutes=30))
    assert memory.wired.plan() == 0


def test_a_log_that_nobody_was_told_of_is_found_once_a_day_and_the_index_of_others_is_left_alone(
    memory: Installation, indexes: PickyIndexes
) -> None:
    memory.save("an old fox", space="quiet")
    memory.index()
    for n in range(3):
        memory.save(f"fox number {n}", space=f"space-{n}")
    memory.doorbells()  # all are lost
    indexes.engine.taken = 0

    memory.clock.turn(DAY)
    memory.wired.plan()
    assert {each.job for each in work(memory, none)} == {Job.CHECK_LOGS, Job.CANARY}
    assert indexes.engine.taken == 0
    memory.clock.turn(timedelta(minutes=11))
    memory.wired.plan()
    work(memory)

    assert indexes.engine.taken == 3
    for n in range(3):
        memory.clock.turn(timedelta(minutes=2))
        assert memory.recalled("fox", space=f"space-{n}") == [f"fox number {n}"]


def test_a_log_whose_entries_are_refused_holds_up_no_other(memory: Installation, indexes: PickyIndexes) -> None:
    indexes.engine.refused = {"poison"}
    for n in range(MOST_STUCK + 1):
        memory.save(f"poison {n}", space="a")
    memory.index()
    indexes.engine.is_down = True
    memory.save("a fox", space="b")
    memory.index()
    indexes.engine.is_down = False

    memory.clock.turn(timedelta(minutes=11))
    memory.wired.plan()
    work(memory)

    memory.clock.turn(timedelta(minutes=2))
    assert memory.recalled("fox", space="b") == ["a fox"]


def test_stuck_rows_outlive_the_retention_of_the_log(memory: Installation, indexes: PickyIndexes) -> None:
    indexes.engine.refused = {"poison"}
    memory.save("a poison fox")
    move_on(memory)

    for _ in range(70):
        memory.clock.turn(DAY)
        memory.sqlite.expire(int(memory.clock.now().timestamp()))
        memory.wired.plan()
        work(memory)
        memory.index()

    assert found(memory, "fox") == {"a poison fox"}
    assert len(watermark(memory).stuck) == 1


@pytest.mark.parametrize("days", [5, 40])
def test_an_installation_that_had_no_index_for_long_has_everything_in_it_when_it_is_on_again(
    tmp_path: Path, days: int
) -> None:
    memory = install(tmp_path)
    before = active(memory)
    off = install(tmp_path, sqlite=memory.sqlite, indexes=NoIndexes(), prepare=False)
    off.clock.turn(timedelta(minutes=5))
    assert off.wired.plan() == 0
    off.save("a fox of the dark days")
    off.index()
    for _ in range(days):
        off.clock.turn(DAY)
        off.sqlite.expire(int(off.clock.now().timestamp()))
        off.wired.plan()

    on = install(tmp_path, sqlite=memory.sqlite, prepare=False)
    on.clock.turn(timedelta(days=days, minutes=10))
    for _ in range(3):
        on.wired.plan()
        work(on)
        on.clock.turn(timedelta(minutes=15))

    assert settled(on, "fox") == {"a fox of the dark days"}
    assert (active(on) == before) is (days < 29)
    memory.sqlite.close()


# --- an index that is gone, and builds that fail ---


def test_an_index_that_is_gone_is_built_anew_by_a_plan_once_the_index_function_meets_it(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("a fox")
    memory.index()
    before = active(memory)
    shutil.rmtree(tmp_path)
    other = install(tmp_path, sqlite=memory.sqlite, prepare=False)
    other.clock.turn(timedelta(minutes=5))
    other.save("another fox")

    assert other.wired.index_changes(memory.doorbells())
    for _ in range(3):
        other.wired.plan()
    assert [each.job for each in waiting(other)] == [Job.BUILD_INDEX]
    building = state(other).building
    assert building is not None
    other.wired.worker(Work(Job.BUILD_INDEX, building.id), unlimited)
    work(other)

    assert active(other) != before
    assert settled(other, "fox") == {"a fox", "another fox"}
    memory.sqlite.close()


def test_what_a_rebuild_can_not_put_in_is_kept_aside_and_recalled(memory: Installation, indexes: PickyIndexes) -> None:
    memory.save("a fox before")
    memory.save("a poison fox")
    move_on(memory)
    memory.clock.turn(timedelta(days=31))
    memory.sqlite.expire(int(memory.clock.now().timestamp()))  # its row in the log is gone
    indexes.engine.refused = {"poison"}

    memory.wired.build_index.begin()
    work(memory)

    assert len(watermark(memory).stuck) == 1
    move_on(memory)
    assert found(memory, "fox") == {"a fox before", "a poison fox"}


def test_a_rebuild_of_which_much_is_refused_is_given_up_and_the_old_index_stays(
    memory: Installation, indexes: PickyIndexes
) -> None:
    texts = {f"poison number {n}" for n in range(MOST_STUCK + 1)}
    for text in texts:
        memory.save(text)
    move_on(memory)
    before = active(memory)
    indexes.engine.refused = {"poison"}

    memory.wired.service.rebuild_index(OWNER)
    work(memory)

    assert (active(memory), state(memory).building) == (before, None)
    assert "refuses" in str(memory.wired.service.report_status(OWNER).index.failure)
    memory.clock.turn(timedelta(minutes=2))
    assert found(memory, "poison") == texts
    indexes.engine.refused = set()
    memory.wired.service.rebuild_index(OWNER)
    work(memory)
    assert active(memory) != before
    assert memory.wired.service.report_status(OWNER).index.failure is None


def test_a_first_build_that_was_given_up_is_tried_again_a_day_later(tmp_path: Path, indexes: PickyIndexes) -> None:
    memory = install(tmp_path, indexes=indexes, prepare=False)
    for n in range(MOST_STUCK + 1):
        memory.save(f"poison number {n}")
    indexes.engine.refused = {"poison"}
    memory.wired.plan()
    work(memory)
    assert state(memory).active is None

    for _ in range(5):
        memory.clock.turn(timedelta(hours=1))
        memory.wired.plan()
        assert not memory.wired.build_index.prepare()
        work(memory)
    assert state(memory).building is None
    indexes.engine.refused = set()
    memory.clock.turn(DAY)
    memory.wired.plan()
    work(memory)

    assert state(memory).active is not None
    memory.sqlite.close()


def test_a_belief_with_very_many_versions_is_filled_in_slices(memory: Installation, indexes: PickyIndexes) -> None:
    root = RootId(memory.save("fox number 0"))
    for n in range(1, 250):
        memory.wired.service.revise(OWNER, VersionRef(root), Revision(f"fox number {n}"))
    memory.index()
    generation = memory.wired.build_index.begin()
    indexes.engine.taken = 0
    places = []

    while state(memory).building is not None:
        memory.wired.build_index(generation.id, none)
        progress = memory.wired.build_index.builds.read(generation.id)
        assert progress is not None
        places.append(progress.versions if progress.within else None)
        assert len(places) < 30

    assert places[:3] == [100, 200, None]
