"""Two releases whose indexes differ, side by side: neither spoils the other's, and neither goes back and forth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from palimpsest.domain.errors import UnknownWork
from palimpsest.ports.search_index import Generation
from palimpsest.ports.work_queue import Job, Work
from tests.support.installation import Installation
from tests.unit.jobs.test_plans import active, indexes, memory, state
from tests.unit.jobs.test_refusals import PickyIndexes
from tests.unit.jobs.test_slices import unlimited, work

__all__ = ["indexes", "memory"]


def with_schema(memory: Installation, by: int, *, is_active: bool) -> Generation:
    seen = state(memory)
    changed = replace(active(memory), id=memory.wired.build_index.ids.ulid(), schema=active(memory).schema + by)
    store = memory.wired.build_index.generations
    assert store.move(
        seen,
        active=changed if is_active else seen.active,
        building=None if is_active else changed,
    )
    memory.wired.build_index.fill.searching.forget()
    return changed


def test_a_worker_of_an_older_release_leaves_a_newer_index_to_a_newer_one(memory: Installation) -> None:
    newer = with_schema(memory, 1, is_active=False)

    with pytest.raises(UnknownWork):
        memory.wired.worker(Work(Job.BUILD_INDEX, newer.id), unlimited)

    assert state(memory).building == newer


def test_a_plan_of_an_older_release_does_not_go_back_to_its_own_schema(memory: Installation) -> None:
    newer = with_schema(memory, 1, is_active=True)

    memory.wired.plan()

    assert (state(memory).active, state(memory).building) == (newer, None)


def test_an_index_function_of_an_older_release_puts_nothing_into_a_newer_index(
    memory: Installation, indexes: PickyIndexes
) -> None:
    with_schema(memory, 1, is_active=True)
    memory.save("a fox")
    rows = [key for key in memory.doorbells() if key.pk.startswith("T#")]

    assert memory.wired.index_changes(rows) == rows
    assert indexes.engine.taken == 0


def test_a_build_of_an_older_schema_is_begun_anew_by_a_newer_release(memory: Installation) -> None:
    older = with_schema(memory, -1, is_active=False)

    memory.wired.worker(Work(Job.BUILD_INDEX, older.id), unlimited)
    work(memory)

    assert active(memory).schema == older.schema + 1
