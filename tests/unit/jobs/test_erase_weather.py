"""Erasing in bad weather: pages that are cut, indexes of the table that lag, throttles, answers that are lost."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import RootId, VersionRef, erasure_of
from palimpsest.domain.ledger import digest_of
from palimpsest.ports.table import Put
from palimpsest.ports.work_queue import Job, Work
from tests.support.failing_blobs import FailingBlobs
from tests.support.installation import OWNER, install
from tests.support.ledgers import Backup, apply, entries
from tests.support.weather import STORM, Weather, WeatheredTable
from tests.unit.jobs.test_erase import WORDS, erase, held, rich, stored
from tests.unit.jobs.test_erase_late import derived


@pytest.mark.parametrize("seed", range(4))
def test_an_erasure_comes_to_its_end_in_any_weather(tmp_path: Path, seed: int) -> None:
    weathered = WeatheredTable(Weather())
    blobs = FailingBlobs(BlobFiles(tmp_path / "ledger"))
    memory = install(tmp_path, table=weathered, sqlite=weathered.table, settle=timedelta(seconds=60), ledger=blobs)
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
    assert {entry.digest for entry in entries(blobs)} == {digest_of(root)}
    assert memory.wired.service.serving.standing().may_be_served
    weathered.close()


@pytest.mark.parametrize("seed", range(4))
def test_a_ledger_is_applied_to_its_end_in_any_weather(tmp_path: Path, seed: int) -> None:
    blobs = FailingBlobs(BlobFiles(tmp_path / "ledger"))
    memory = install(tmp_path, ledger=blobs)
    apply(memory)
    roots = [rich(memory)]
    roots += [RootId(memory.save(f"the vault stands behind peregrine number {number}")) for number in range(3)]
    backup = Backup(memory.sqlite)
    for root in roots:
        erase(memory, root)
    weathered = WeatheredTable(Weather())
    weathered.table.write_batch([Put(item) for item in backup.items])
    again = install(tmp_path, table=weathered, sqlite=weathered.table, ledger=blobs, clock=memory.clock, prepare=False)
    weathered._weather = replace(STORM, seed=seed)

    for _ in range(400):
        with suppress(TableError):
            if not again.wired.worker.slices[Job.APPLY_LEDGER]("", lambda: 0.0):
                break
        weathered.pass_time()
    weathered.clear_up()

    heads = again.wired.service.erase.steps.beliefs.heads(roots)
    assert {root for root, head in heads.items() if head.state.is_erased} == set(roots)
    again.wired.service.serving.require()
    memory.sqlite.close()
    weathered.close()
