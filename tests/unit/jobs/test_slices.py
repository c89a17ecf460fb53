"""Background work in slices: cut short, killed, doubled or lost, it comes to the same end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import EmbedderUnavailable, UnknownWork
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.table import Key, Query, Set, Update
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.stores import keys
from palimpsest.usecases.answers import ArmState, RecallQuery
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, Installation, install
from tests.unit.jobs.test_embed_pending import Choosy


def unlimited() -> float:
    return 1e9


def none() -> float:
    return 0.0


def work(memory: Installation, seconds_left: Callable[[], float] = unlimited, most: int = 500) -> list[Work]:
    """Deliver what the queue holds, until it is empty."""
    done = []
    while (delivery := memory.queue.take(0.0)) is not None:
        message = read(delivery.body)
        memory.wired.worker(message, seconds_left)
        done.append(message)
        assert len(done) <= most, "the work does not end"
    return done


def keyword(memory: Installation, query: str) -> ArmState:
    answer = memory.wired.service.recall(OWNER, RecallQuery(query, is_dry_run=True))
    return next(arm.state for arm in answer.arms if arm.name == "keyword")


def settled(memory: Installation, query: str) -> set[str]:
    """What is found past the tail's margin: by the index alone."""
    memory.clock.turn(timedelta(minutes=2))
    memory.wired.build_index.fill.searching.forget()
    return set(memory.recalled(query, limit=100))


def watermarks(memory: Installation) -> set[str]:
    """The generations that have watermarks."""
    found: set[str] = set()
    for space in memory.wired.build_index.spaces.every():
        for partition in space.log_partitions():
            page = memory.sqlite.query(Query(f"TW#{partition.space}#{partition.shard}", consistent=True))
            found |= {str(item["sk"]) for item in page.items}
    return found


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    work(memory)
    yield memory
    memory.sqlite.close()


def test_a_rebuild_that_is_asked_for_is_begun_at_once_and_done_by_messages(memory: Installation) -> None:
    for n in range(3):
        memory.save(f"fox number {n}", space=f"space-{n}")
    before = memory.wired.build_index.generations.read().active

    report = memory.wired.service.rebuild_index(OWNER)
    done = work(memory)
    assert memory.wired.plan() == 0
    memory.clock.turn(timedelta(seconds=31))  # others may use the old index until then
    done += work(memory)

    after = memory.wired.build_index.generations.read()
    assert report.state == "building"
    assert {each.job for each in done} == {Job.BUILD_INDEX, Job.DROP_INDEX}
    assert after.building is None
    assert after.active != before
    assert memory.recalled("fox", space="space-1") == ["fox number 1"]
    assert memory.wired.plan() == 0


def test_slices_that_have_no_time_still_come_to_the_end(memory: Installation) -> None:
    texts = {f"fox number {n}" for n in range(230)}
    for text in sorted(texts):
        memory.save(text)
    memory.save("another", space="other")
    memory.wired.service.rebuild_index(OWNER)

    done = work(memory, none)

    assert len(done) >= 6
    assert keyword(memory, "fox") is ArmState.OK
    assert len(settled(memory, "fox number")) == 100


def test_of_two_workers_on_one_build_one_goes_on_and_the_other_ends(memory: Installation) -> None:
    for n in range(120):
        memory.save(f"fox number {n}")
    generation = memory.wired.build_index.begin()
    build = memory.wired.build_index
    calls: list[int] = []

    def seconds_left() -> float:
        calls.append(len(calls))
        if len(calls) == 1:
            assert build(generation.id, none)  # the other one comes between two batches of this one
        return 1e9

    assert not build(generation.id, seconds_left)
    work(memory)

    assert keyword(memory, "fox") is ArmState.OK
    assert len(settled(memory, "fox number")) == 100


def test_a_message_that_comes_again_after_all_is_done_does_nothing(memory: Installation) -> None:
    memory.save("the quick brown fox")
    old = memory.wired.build_index.generations.read().active
    new = memory.wired.build_index.begin()
    work(memory)
    state = memory.wired.build_index.generations.read()

    for generation in (old, new):
        assert generation is not None
        for job in (Job.BUILD_INDEX, Job.DROP_INDEX):
            memory.wired.worker(Work(job, generation.id), unlimited)

    assert memory.wired.build_index.generations.read() == state
    assert work(memory) == []
    assert memory.recalled("fox") == ["the quick brown fox"]


CRASHES = range(90)


@pytest.mark.parametrize("is_after", [False, True])
def test_a_worker_that_is_killed_anywhere_leaves_an_index_that_answers_and_a_build_that_goes_on(
    tmp_path: Path, is_after: bool
) -> None:
    ended = 0
    for crash_at in CRASHES:
        sqlite = SqliteTable(":memory:")
        table = CrashingTable(sqlite)
        memory = install(tmp_path / f"{crash_at}", table=table, sqlite=sqlite)
        work(memory)
        for text in ("one fox", "two foxes"):
            memory.save(text)
        memory.index()
        memory.wired.build_index.begin()
        (first, *_) = [delivery for delivery in [memory.queue.take(0.0)] if delivery]

        table.crash_at(crash_at, is_after=is_after)
        with contextlib.suppress(Crashed):
            memory.wired.worker(read(first.body), unlimited)
            work(memory)
            ended += 1
        table.live_on()

        assert {"one fox", "two foxes"} <= set(memory.recalled("fox")), crash_at
        memory.save("three foxes")
        memory.index()
        for _ in range(3):
            memory.clock.turn(timedelta(hours=1))  # a message that was lost is asked for again
            memory.wired.plan()
            work(memory)
        state = memory.wired.build_index.generations.read()
        assert state.building is None, crash_at
        assert state.active is not None
        assert {"one fox", "two foxes", "three foxes"} <= settled(memory, "fox"), crash_at
        assert keyword(memory, "fox") is ArmState.OK, crash_at
        assert watermarks(memory) == {state.active.id}, crash_at
        sqlite.close()
    assert ended, "each of the kills came before the end: try more of them"


# --- plans ---


def test_an_installation_without_an_index_gets_one_by_a_plan(tmp_path: Path) -> None:
    memory = install(tmp_path, prepare=False)
    memory.save("the quick brown fox")

    memory.wired.plan()
    work(memory)

    assert keyword(memory, "fox") is ArmState.OK
    memory.sqlite.close()


def test_a_lost_message_of_a_build_is_asked_for_again_and_less_often_each_time(memory: Installation) -> None:
    memory.save("the quick brown fox")
    generation = memory.wired.build_index.begin()
    memory.wired.worker(Work(Job.BUILD_INDEX, generation.id), none)
    asked = []

    for minute in range(240):
        memory.clock.turn(timedelta(minutes=1))
        while memory.queue.take(0.0):
            pass  # every message is lost
        if memory.wired.plan():
            asked.append(minute)

    gaps = [later - earlier for earlier, later in pairwise(asked)]
    assert asked[0] in range(13, 17)
    assert [round(gap / 15) for gap in gaps] == [2, 4, 8][: len(gaps)]


def test_a_plan_touches_the_index_of_no_space(tmp_path: Path, memory: Installation) -> None:
    memory.save("the quick brown fox")
    memory.index()
    for file in tmp_path.rglob("*.db"):
        file.unlink()

    assert memory.wired.plan() == 0


def test_what_waits_for_its_vectors_is_embedded_after_a_plan(tmp_path: Path) -> None:
    embedder = Choosy()
    memory = install(tmp_path, embedder=embedder)
    work(memory)
    embedder.refused = ""
    for n in range(70):
        memory.save(f"note {n}")
    embedder.refused = "poison"

    assert memory.wired.plan() == 1
    done = work(memory, none)

    assert [each.job for each in done] == [Job.EMBED_PENDING] * 4
    assert memory.wired.embed_pending.waiting(10) == []
    memory.sqlite.close()


def test_a_job_that_this_release_does_not_have_is_refused(memory: Installation) -> None:
    with pytest.raises(UnknownWork):
        memory.wired.worker(Work("dance"), unlimited)  # type: ignore[arg-type]


# --- poison ---


class Other(Choosy):
    """Another model."""

    def __init__(self) -> None:
        super().__init__()
        self.model = type(self.model)("other", "2", self.model.dimensions)


def test_a_text_that_the_new_model_refuses_waits_and_holds_up_no_rebuild(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=Choosy())
    good = [RootId(memory.save(f"fox number {n}")) for n in range(40)]
    bad = RootId(memory.save("a poison fox"))
    memory.index()
    fresh = install(tmp_path, sqlite=memory.sqlite, embedder=Other(), prepare=False)
    fresh.clock.turn(timedelta(minutes=5))
    assert fresh.wired.service.read(OWNER, VersionRef(bad)).head.embedded == 0  # refused by the first model too

    fresh.wired.embed_pending.embedder.refused = "number 7"  # type: ignore[attr-defined]
    fresh.wired.service.rebuild_index(OWNER)
    work(fresh)

    assert fresh.wired.service.report_status(OWNER).index.state == "ready"
    assert set(fresh.wired.embed_pending.waiting(10)) == {bad, good[7]}
    model = fresh.wired.build_index.fill.embedder.model
    have = fresh.wired.embed_pending.beliefs.vectors_of([(root, 1) for root in good], model)
    assert len(have) == 39
    memory.sqlite.close()


def test_a_rebuild_while_the_embedder_is_down_fails_later_and_leaves_the_old_index(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=Choosy())
    for n in range(5):
        memory.save(f"fox number {n}")
    memory.index()
    embedder = Other()
    embedder.refused = ""
    fresh = install(tmp_path, sqlite=memory.sqlite, embedder=embedder, prepare=False)
    fresh.clock.turn(timedelta(minutes=5))
    generation = fresh.wired.build_index.begin()

    with pytest.raises(EmbedderUnavailable):
        fresh.wired.worker(Work(Job.BUILD_INDEX, generation.id), unlimited)

    assert keyword(fresh, "fox") is ArmState.OK
    embedder.refused = "poison"
    fresh.wired.worker(Work(Job.BUILD_INDEX, generation.id), unlimited)
    work(fresh)
    assert fresh.wired.service.report_status(OWNER).index.state == "ready"
    memory.sqlite.close()


@pytest.mark.parametrize("place", [keys.head, lambda root: keys.version(root, 1)])
def test_a_belief_that_no_codec_can_read_is_left_out_of_a_rebuild(
    memory: Installation, place: Callable[[RootId], Key]
) -> None:
    memory.save("the first fox")
    torn = RootId(memory.save("the torn fox"))
    memory.save("the last fox")
    memory.index()
    memory.sqlite.write(Update(place(torn), (Set("created_at" if place is keys.head else "content", 7),)))

    memory.wired.build_index.begin()
    work(memory)

    memory.clock.turn(timedelta(minutes=2))
    assert keyword(memory, "first") is ArmState.OK
    assert set(memory.recalled("first last")) == {"the first fox", "the last fox"}


def test_messages_of_another_shape_are_refused() -> None:
    for text in (
        "",
        "{",
        "[]",
        "null",
        '{"v": 1, "job": "build_index"}',
        '{"v": 2, "job": "build_index", "subject": ""}',
        '{"v": true, "job": "build_index", "subject": ""}',
        '{"v": 1, "job": "dance", "subject": ""}',
        '{"v": 1, "job": ["build_index"], "subject": ""}',
        '{"v": 1, "job": "build_index", "subject": "my locker is 417"}',
        '{"v": 1, "job": "build_index", "subject": "x", "text": "y"}',
        "[" * 100_000,
    ):
        with pytest.raises(UnknownWork) as refused:
            read(text)
        assert "locker" not in str(refused.value)
