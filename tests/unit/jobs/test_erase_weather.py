"""Erasing in bad weather: pages that are cut, indexes of the table that lag, throttles, answers that are lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import VersionRef, erasure_of
from palimpsest.ports.work_queue import Job, Work
from tests.support.installation import OWNER, install
from tests.support.weather import STORM, Weather, WeatheredTable
from tests.unit.jobs.test_erase import WORDS, held, rich, stored
from tests.unit.jobs.test_erase_late import derived


@pytest.mark.parametrize("seed", range(4))
def test_an_erasure_comes_to_its_end_in_any_weather(tmp_path: Path, seed: int) -> None:
    weathered = WeatheredTable(Weather())
    memory = install(tmp_path, table=weathered, sqlite=weathered.table, settle=timedelta(seconds=60))
    service, erasure = memory.wired.service, None
    root = rich(memory)
    made = derived(memory, root, "there is a vault")
    weathered._weather = replace(STORM, seed=seed)

    for _ in range(400):
        try:
            service.erase(OWNER, VersionRef(root))
            memory.wired.worker(Work(Job.ERASE, erasure_of(root)), lambda: 60.0)
            erasure = service.erase.receipt(OWNER, erasure_of(root)).erasure
        except TableError:
            pass
        if erasure is not None and erasure.verified_at is not None:
            break
        memory.clock.turn(timedelta(minutes=30))
        weathered.pass_time()
    weathered.clear_up()

    assert erasure is not None
    assert erasure.verified_at is not None
    assert set(erasure.hidden) == {made}
    assert (erasure.removed["version"], erasure.removed["vectors"], erasure.removed["change"]) == (2, 2, 3)
    assert held(memory, root, 2) == set()
    assert not any(word in stored(memory) for word in WORDS)
    weathered.close()
