"""A sweep takes out what writes left behind, and nothing that counts or may still count."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.search_index import SearchIndex
from palimpsest.ports.table import Delete
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import keys as places
from palimpsest.stores.sweeps import RESTS
from palimpsest.usecases.drafts import Annotation
from tests.contract.search_index.conftest import Engine
from tests.contract.search_index.sample import (
    HERE,
    SHOWING,
    THERE,
    entry,
    generation,
    keys,
    removals,
    search,
    seen,
    statistics_of,
    sweep,
)
from tests.support.installation import OWNER, Installation, install

MANY = 230
"""Entries that are more than two parts of a sweep."""


def _swept(index: SearchIndex, counted: int) -> int:
    """How much a sweep should take out, on an engine where that is anything at all."""
    return counted if index.needs_sweeps else 0


def test_a_sweep_of_what_is_whole_takes_nothing_out(index: SearchIndex) -> None:
    held = [entry(f"k{n:03}", "kot", n) for n in range(MANY)]
    index.upsert(held)
    expected = statistics_of(held, ["kot"])
    assert seen(lambda: index.statistics(HERE, ["kot"]), expected) == expected

    assert sweep(index) == 0

    assert seen(lambda: index.statistics(HERE, ["kot"]), expected) == expected
    assert len(keys(index.vector(search("", 1, limit=MANY)))) == MANY


def test_a_sweep_asks_for_each_key_of_the_space_once_and_for_none_of_another(index: SearchIndex) -> None:
    index.upsert([entry(f"k{n:03}", "kot", n, n + 1) for n in range(MANY)])
    index.upsert([entry("other", "kot", 1, space=THERE)])
    SHOWING.now()
    asked: list[str] = []

    def nothing(some: Sequence[str]) -> tuple[()]:
        asked.extend(some)
        return ()

    swept = index.sweep(HERE, nothing)
    while swept.after is not None:
        swept = index.sweep(HERE, nothing, swept.after)

    assert asked == ([f"k{n:03}" for n in range(MANY)] if index.needs_sweeps else [])


def test_what_is_gone_is_swept_with_all_its_passages_but_not_what_is_newer(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1, 2, 3), entry("b", "kot", 4, 5, revision=7), entry("c", "kot", 6)])
    assert seen(lambda: keys(index.keyword(search("kot")).candidates), ["a", "b", "c"]) == ["a", "b", "c"]

    gone = [*removals("a", revision=2), *removals("b", revision=6)]
    sweep(index, *gone)

    left = ["b", "c"] if index.needs_sweeps else ["a", "b", "c"]
    assert seen(lambda: keys(index.keyword(search("kot")).candidates), left) == left
    assert sorted(keys(index.vector(search("", 1)))) == left
    assert sweep(index, *gone) == 0


def test_passages_that_a_removal_did_not_see_are_swept(engine: Engine) -> None:
    one = engine().create(generation(1))
    other = engine().open(one.generation)
    one.upsert([entry("a", "kot", 1, 2, 3)])
    other.remove(HERE, removals("a", revision=2))  # at once: what shows late does not show yet
    SHOWING.now()

    sweep(one, *removals("a", revision=2))
    SHOWING.now()

    assert sweep(one, *removals("a", revision=2)) == 0
    assert keys(one.vector(search("", 2))) == []


@pytest.fixture
def memories(engine: Engine, tmp_path: Path) -> list[Installation]:
    """Two processes over one table and one index."""
    one = install(tmp_path / "one", indexes=engine(), refresh=timedelta(seconds=60))
    return [one, install(tmp_path / "other", sqlite=one.sqlite, indexes=engine(), prepare=False)]


def test_the_job_sweeps_what_two_processes_left_and_keeps_what_the_table_has(memories: list[Installation]) -> None:
    one, other = memories
    index = one.wired.build_index.fill.searching.open(one.wired.build_index.fill.searching.answering()).index
    root, lost = (RootId(one.save(f"{word} kot")) for word in ("kept", "lost"))
    rows = one.doorbells()
    one.wired.index_changes(rows)
    other.wired.index_changes(rows)
    one.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=("red",)))
    rows = one.doorbells()
    other.wired.index_changes(rows)
    one.sqlite.write(Delete(places.head(lost)))
    space = one.wired.build_index.spaces.every()[0].id

    for _ in range(3):
        SHOWING.now()
        for memory in memories:
            memory.clock.turn(RESTS)
        one.save(f"a note of {one.clock.now()}", "elsewhere")
        one.wired.index_changes(one.doorbells())
        one.wired.worker(Work(Job.SWEEP_INDEX), lambda: 60.0)
    SHOWING.now()

    left = 1 if index.needs_sweeps else 2  # the embedded index is rebuilt when the table was changed by hand
    assert index.statistics(space, ["kot"]).entries == left
    assert "kept kot" in one.recalled("kot")
    assert not index.needs_sweeps or not one.sqlite.get([places.sweep(space)]).items
    one.sqlite.close()
