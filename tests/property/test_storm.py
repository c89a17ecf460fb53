"""In a storm (throttles, conflicts, lost answers, lagging indexes) who retries with a key loses and doubles nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from palimpsest.domain.errors import TableThrottled, TableUnavailable
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.usecases.drafts import Draft, Outcome, Revision
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, install
from tests.support.weather import STORM, WeatheredTable

T = TypeVar("T")


def insist(call: Callable[[], T]) -> T:
    """Try again as a client would, a bounded number of times."""
    for _ in range(200):
        try:
            return call()
        except (TableThrottled, TableUnavailable):
            continue
    raise AssertionError("the storm never ended")


@pytest.mark.parametrize("seed", range(4))
def test_who_retries_with_a_key_loses_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    weathered = WeatheredTable(replace(STORM, seed=seed))
    memory = insist(lambda: install(tmp_path, table=weathered, sqlite=weathered.table))
    service = memory.wired.service

    def live(n: int) -> list[int]:
        saved = insist(lambda: service.remember(OWNER, Draft(f"note {n}"), Idempotency(f"save {n}", b"")))
        assert saved.outcome is Outcome.ADDED
        ref = VersionRef(saved.memory.head.root)
        numbers = [1]
        for step in range(3):
            key = Idempotency(f"update {n} {step}", b"")
            revision = Revision(f"note {n}, change {step}")
            updated = insist(partial(service.revise, OWNER, ref, revision, key))
            numbers.append(updated.memory.version.number)
        return numbers

    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(live, range(16)))

    assert numbers == [[1, 2, 3, 4]] * 16
    weathered.clear_up()
    memory.index()
    listed = service.list_memories(OWNER, ListQuery(limit=100)).memories
    assert sorted(m.version.statement.content for m in listed) == sorted(f"note {n}, change 2" for n in range(16))
    assert all(service.prove(OWNER, VersionRef(m.head.root)).is_verified for m in listed)
    assert set(memory.recalled("note change", limit=100)) == {m.version.statement.content for m in listed}
    weathered.close()
