"""Background work in bad weather and under kills: it ends in a stated condition, and nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import PalimpsestError, TableError, TableThrottled
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.table import Key
from palimpsest.ports.work_queue import read
from palimpsest.usecases.drafts import Revision
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.support.weather import STORM, WeatheredTable
from tests.unit.jobs.test_slices import settled, unlimited, watermarks, work


def rows(memory: Installation) -> list[Key]:
    return [key for key in memory.doorbells() if key.pk.startswith("T#")]


@pytest.mark.parametrize("is_after", [False, True])
def test_an_index_function_that_is_killed_anywhere_is_made_up_for_by_the_same_records(
    tmp_path: Path, is_after: bool
) -> None:
    ended = 0
    for crash_at in range(14):
        sqlite = SqliteTable(":memory:")
        table = CrashingTable(sqlite)
        memory = install(tmp_path / str(crash_at), table=table, sqlite=sqlite)
        gone = RootId(memory.save("a fox that is forgotten"))
        moved = RootId(memory.save("a fox as it was"))
        memory.index()
        memory.wired.service.forget(OWNER, VersionRef(gone))
        memory.wired.service.revise(OWNER, VersionRef(moved), Revision("a fox as it is"))
        memory.save("a new fox")
        announced = rows(memory)

        table.crash_at(crash_at, is_after=is_after)
        with contextlib.suppress(Crashed):
            memory.wired.index_changes(announced)
            ended += 1
        table.live_on()

        assert set(memory.recalled("fox")) == {"a fox as it is", "a new fox"}, crash_at
        fresh = install(tmp_path / str(crash_at), sqlite=sqlite, prepare=False)  # another process takes them
        fresh.clock.turn(timedelta(minutes=3))
        assert fresh.wired.index_changes(announced) == []
        assert set(fresh.recalled("fox")) == {"a fox as it is", "a new fox"}, crash_at
        assert fresh.wired.index_changes(announced) == []  # and once more
        assert settled(fresh, "fox") == {"a fox as it is", "a new fox"}, crash_at
        sqlite.close()
    assert ended, "each of the kills came before the end: try more of them"


@pytest.mark.parametrize("call", ["get", "query", "write"])
def test_a_throttled_table_leaves_rows_to_come_again(tmp_path: Path, call: str) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    memory.save("a fox")
    announced = rows(memory)

    def throttle() -> None:
        raise TableThrottled

    def is_it(name: str, _: Call) -> bool:
        return name == call

    table.interpose(is_it, throttle)
    failed = memory.wired.index_changes(announced)

    assert failed == announced
    assert memory.recalled("fox") == ["a fox"]
    assert memory.wired.index_changes(failed) == []
    assert settled(memory, "fox") == {"a fox"}
    memory.sqlite.close()


@pytest.mark.parametrize("seed", range(4))
def test_in_a_storm_builds_plans_and_the_index_come_to_their_end(tmp_path: Path, seed: int) -> None:
    table = WeatheredTable(replace(STORM, seed=seed))
    memory = install(tmp_path, table=table, sqlite=table.table, prepare=False)
    kept: set[str] = set()
    for n in range(12):
        with contextlib.suppress(TableError):
            memory.save(f"fox number {n}")
            kept.add(f"fox number {n}")
    announced = rows(memory)

    for _ in range(200):
        with contextlib.suppress(PalimpsestError):
            memory.wired.plan()
        if (delivery := memory.queue.take(0.0)) is not None:
            with contextlib.suppress(PalimpsestError):
                memory.wired.worker(read(delivery.body), unlimited)
                continue
            memory.queue.give_back(delivery.body, attempt=delivery.attempt, after_seconds=0)
        announced = memory.wired.index_changes(announced)
        memory.clock.turn(timedelta(minutes=2))

    table.clear_up()
    memory.clock.turn(timedelta(days=1))
    memory.wired.plan()
    work(memory)
    state = memory.wired.build_index.generations.read()
    assert state.active is not None
    assert state.building is None
    assert watermarks(memory) <= {state.active.id}
    assert kept <= settled(memory, "fox number")
    table.close()
