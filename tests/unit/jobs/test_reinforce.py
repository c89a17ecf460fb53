"""What a recall answered is counted later: once, also after a kill, and in few writes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import TableUnavailable
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import KeyId, RecallId, RootId, SpaceId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.domain.strength import Reinforcement
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.unreinforced import GATHERED, RELIED_ON
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, SourceClaim
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.support.metered_table import MeteredTable

ANNA = Caller(KeyId("anna"), Role.WRITER, spaces=("default",), max_trust=Trust.A2)
SOON = GATHERED + timedelta(seconds=1)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    yield memory
    memory.sqlite.close()


def space_of(memory: Installation, name: str = "default") -> SpaceId:
    return memory.wired.build_index.spaces.ensure(name).id


def recall(memory: Installation, query: str = "tea", caller: Caller = OWNER, *, is_dry_run: bool = False) -> None:
    memory.wired.service.recall(caller, RecallQuery(query, spaces=("default",), is_dry_run=is_dry_run))


def known(memory: Installation, root: str) -> Reinforcement:
    return memory.wired.service.read(OWNER, VersionRef(RootId(root))).reinforcement


def work(memory: Installation, seconds: float = 60.0) -> None:
    memory.wired.worker(Work(Job.REINFORCE, space_of(memory)), lambda: seconds)


def test_a_recall_is_counted_a_little_later(memory: Installation) -> None:
    root = memory.save("Ola drinks tea")
    recall(memory)
    due = memory.wired.plan.unreinforced.due

    assert known(memory, root) == Reinforcement()
    assert due(memory.clock.now(), 10) == []
    memory.clock.turn(SOON)
    assert due(memory.clock.now(), 10) == [space_of(memory)]
    work(memory)

    found = known(memory, root)
    assert (found.access_count, found.spaced, found.importance(1.0)) == (1, 1, 1.1)
    assert found.strength > 1


def test_recalls_of_all_keys_count_and_dry_runs_do_not(memory: Installation) -> None:
    root = memory.save("Ola drinks tea")
    recall(memory)
    recall(memory, caller=ANNA)
    recall(memory, is_dry_run=True)
    memory.clock.turn(SOON)

    work(memory)

    assert known(memory, root).access_count == 2
    assert known(memory, root).spaced == 1


def test_work_that_comes_twice_counts_once(memory: Installation) -> None:
    root = memory.save("Ola drinks tea")
    recall(memory)
    memory.clock.turn(SOON)

    for _ in range(3):
        work(memory)
        memory.clock.turn(timedelta(hours=2))

    assert known(memory, root).access_count == 1


@pytest.mark.parametrize("call", range(16))
def test_a_kill_at_any_call_loses_nothing_and_counts_nothing_twice(tmp_path: Path, call: int) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    roots = [memory.save(f"Ola drinks tea number {n}") for n in range(3)]
    recall(memory)
    memory.clock.turn(SOON)
    left = iter(range(call, -1, -1))

    def is_its_turn(name: str, argument: Call) -> bool:
        return next(left, -1) == 0

    def die() -> None:
        raise TableUnavailable("killed")

    table.interpose(is_its_turn, die)
    job = memory.wired.worker.slices[Job.REINFORCE]
    try:
        job(space_of(memory), lambda: 60.0)
    except TableUnavailable:
        recall(memory)
        memory.clock.turn(timedelta(hours=2))
        job(space_of(memory), lambda: 60.0)
        assert [known(memory, root).access_count for root in roots] == [2] * 3
        assert memory.wired.service.stats(OWNER, "default").usage.recalls == 2
    else:
        table.interpose(lambda name, argument: False, die)
        assert [known(memory, root).access_count for root in roots] == [1] * 3
        assert memory.wired.service.stats(OWNER, "default").usage.recalls == 1
    sqlite.close()


def test_a_slice_whose_time_is_up_goes_on_where_it_was(memory: Installation) -> None:
    roots = [memory.save(f"Ola drinks tea number {n}") for n in range(120)]
    for n in (0, 1):
        memory.wired.service.recall(OWNER, RecallQuery(f"tea number {n}", limit=100, spaces=("default",)))
    memory.clock.turn(SOON)
    job = memory.wired.worker.slices[Job.REINFORCE]

    slices = [job(space_of(memory), lambda: 0.0) for _ in range(2)]

    assert slices == [True, True]
    assert not job(space_of(memory), lambda: 60.0)
    assert sum(known(memory, root).access_count for root in roots) == 200


def test_a_busy_space_is_written_a_few_times_a_minute(tmp_path: Path) -> None:
    """A hundred recalls a minute of ten memories: a thousand counts, in as many writes as the rest allows."""
    sqlite = SqliteTable(":memory:")
    table = MeteredTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    roots = [memory.save(f"Ola drinks tea number {n}") for n in range(10)]
    written = 0
    for _ in range(10):
        for _ in range(20):
            recall(memory)
        memory.clock.turn(timedelta(minutes=1))
        before = [known(memory, root) for root in roots]
        work(memory)
        written += sum(each != was for each, was in zip((known(memory, root) for root in roots), before, strict=True))

    memory.clock.turn(timedelta(hours=1))
    work(memory)

    assert [known(memory, root).access_count for root in roots] == [200] * 10
    assert written <= 60
    sqlite.close()


def test_the_word_that_there_is_something_goes_when_nobody_relies_on_it(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    unreinforced = memory.wired.plan.unreinforced
    recall(memory)
    memory.clock.turn(SOON)
    work(memory)
    assert list(unreinforced.read(space_of(memory)).noted) == [OWNER.key]
    recall(memory)  # relies on the word that is there

    memory.clock.turn(2 * RELIED_ON)
    assert unreinforced.due(memory.clock.now(), 10) == [space_of(memory)]
    work(memory)

    assert unreinforced.read(space_of(memory)).noted == {}
    assert unreinforced.due(memory.clock.now() + timedelta(days=1), 10) == []


def test_an_erased_memory_is_not_brought_back(memory: Installation) -> None:
    root = RootId(memory.save("Ola drinks tea"))
    recall(memory)
    erasure = memory.wired.service.erase(OWNER, VersionRef(root)).erasure
    memory.wired.worker(Work(Job.ERASE, erasure.id), lambda: 60.0)
    memory.clock.turn(SOON)

    work(memory)

    assert [item for item in memory.sqlite.scan().items if (item["pk"], item["sk"]) == (f"M#{root}", "S")] == []


def test_what_an_assistant_repeats_counts_at_once_and_not_again(memory: Installation) -> None:
    root = memory.save("The user's favourite editor is Helix")
    recall(memory, "editor")
    recall(memory, "editor")
    assistant = SourceClaim("assistant_generated")
    memory.wired.service.remember(OWNER, Draft("The user's favourite editor is Helix!", source=assistant))
    at_once = known(memory, root).access_count
    memory.clock.turn(SOON)

    work(memory)

    assert (at_once, known(memory, root).access_count) == (1, 2)
    assert known(memory, root).raises == 1


def test_a_recall_that_finds_nothing_is_recorded_and_hides_no_other(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    recall(memory)
    nothing = RecallQuery("tea", spaces=("default",), filters=Filters(tags=("none",)))
    answers = [memory.wired.service.recall(OWNER, nothing) for _ in range(25)]
    store = memory.wired.service.recall.record.recalls

    recent = store.recent(space_of(memory), OWNER.key, memory.clock.now())
    every = store.between(space_of(memory), OWNER.key, RecallId("rcl_"), answers[-1].id, 100)

    assert [len(record.refs) for record in recent] == [1]
    assert [record.results for record in every] == [1] + [0] * 25
    assert every[-1].arms == {report.name: report.state for report in answers[-1].arms}
