"""Many writers at once: nothing is lost, and a condition lets one of them through."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from palimpsest.domain.errors import ConditionFailed, TableThrottled
from palimpsest.ports.table import Add, Equals, Key, Missing, Put, Query, Set, Table, Update

COUNTER = Key("S#1#CT", "count")
HEAD = Key("M#1", "H")


def at_once(writers: int, work: Callable[[int], int]) -> list[int]:
    """What each of the writers came to, all of them begun at the same time."""
    barrier = Barrier(writers)

    def begin(number: int) -> int:
        barrier.wait(10)
        return work(number)

    with ThreadPoolExecutor(writers) as pool:
        return list(pool.map(begin, range(writers)))


def test_eight_writers_lose_no_addition(table: Table) -> None:
    def add(writer: int) -> int:
        for number in range(12):
            while True:
                try:
                    table.transact(
                        [Update(COUNTER, (Add("count", 1),)), Put({"pk": f"W#{writer}", "sk": f"{number:02}"})]
                    )
                    break
                except TableThrottled:
                    continue
        return len(table.query(Query(f"W#{writer}", consistent=True)).items)

    assert at_once(8, add) == [12] * 8
    assert table.get([COUNTER]).items[COUNTER]["count"] == 8 * 12


def test_of_sixteen_writers_on_one_head_one_wins_each_revision(table: Table) -> None:
    table.write(Put({"pk": "M#1", "sk": "H", "revision": 0}))

    def step(writer: int) -> int:
        won = 0
        for _ in range(6):
            seen = table.get([HEAD]).items[HEAD]["revision"]
            assert isinstance(seen, int)
            try:
                table.transact(
                    [
                        Update(HEAD, (Set("revision", seen + 1),), Equals("revision", seen)),
                        Put({"pk": "M#1", "sk": f"E#{seen + 1:04}", "writer": writer}, Missing("pk")),
                    ]
                )
                won += 1
            except (ConditionFailed, TableThrottled):
                pass
        return won

    won = at_once(16, step)

    steps = table.query(Query("M#1", prefix="E#", consistent=True)).items
    assert [step["sk"] for step in steps] == [f"E#{number:04}" for number in range(1, sum(won) + 1)]
    assert table.get([HEAD]).items[HEAD]["revision"] == sum(won)
    assert sum(won) >= 6
    for writer in range(16):
        assert sum(step["writer"] == writer for step in steps) == won[writer]


def test_one_of_many_puts_of_a_new_item_wins(table: Table) -> None:
    def claim(writer: int) -> int:
        try:
            table.write(Put({"pk": "J#1", "sk": "lease", "writer": writer}, Missing("pk")))
        except ConditionFailed:
            return 0
        return 1

    assert sum(at_once(16, claim)) == 1


def test_a_failed_condition_of_one_writer_leaves_the_others_alone(table: Table) -> None:
    def write(writer: int) -> int:
        condition = Missing("pk") if writer % 2 else Equals("pk", "other")
        try:
            table.write(Put({"pk": "M#1", "sk": f"{writer:02}"}, condition))
        except ConditionFailed:
            return 0
        return 1

    assert at_once(16, write) == [0, 1] * 8
    found = table.query(Query("M#1", consistent=True)).items
    assert [item["sk"] for item in found] == [f"{writer:02}" for writer in range(1, 16, 2)]


@pytest.mark.parametrize("size", [20, 100])
def test_a_reader_never_sees_half_of_an_item(table: Table, size: int) -> None:
    names = [f"a{number}" for number in range(size)]

    def run(writer: int) -> int:
        for number in range(10):
            if writer < 4:
                table.write(Update(HEAD, tuple(Set(name, f"{writer}.{number}") for name in names)))
            elif item := table.get([HEAD]).items.get(HEAD):
                assert len({item[name] for name in names}) == 1
        return 1

    assert sum(at_once(8, run)) == 8
