"""Runs that erase: owners alone, never undone, approved each time that they are over the limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from palimpsest.domain.errors import NotAllowed, NotFound, WrongState
from palimpsest.domain.ids import KeyId, RootId, RunId, VersionRef, erasure_of
from palimpsest.domain.run import FREE, RunStatus
from palimpsest.domain.run_plan import ItemState
from palimpsest.domain.selection import Selection
from palimpsest.ports.work_queue import Job
from palimpsest.usecases.drafts import Annotation
from palimpsest.usecases.runs import Scope
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import JAN, WRITER, current, none, run, save, told, unlimited, work

ANOTHER = replace(OWNER, key=KeyId("another"))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    work(memory)
    yield memory
    memory.sqlite.close()


def erase(memory: Installation, selection: Selection = JAN, *, is_dry: bool = False) -> RunId:
    return memory.wired.service.erase_many(OWNER, None, selection, is_dry=is_dry).run.id


def test_a_run_erases_what_is_meant_and_each_has_its_receipt(memory: Installation) -> None:
    service = memory.wired.service
    roots = save(memory, 3)
    kept = save(memory, 2, "eva")
    service.forget(OWNER, VersionRef(roots[0]))

    begun = erase(memory)
    work(memory)

    assert run(memory, begun).status is RunStatus.SUCCESS
    assert current(memory) == 2
    items = told(memory, begun)[1]
    assert {RootId(item.subject): item.detail for item in items} == {root: erasure_of(root) for root in roots}
    for root in roots:
        assert service.erase.receipt(OWNER, erasure_of(root)).erasure.asked_by == OWNER.key
        with pytest.raises(NotFound):
            service.read(OWNER, VersionRef(root), include_forgotten=True)
    assert service.read(OWNER, VersionRef(kept[0])).head.root == kept[0]


def test_erasing_many_is_for_owners_and_can_be_looked_at_before(memory: Installation) -> None:
    save(memory, 3)
    with pytest.raises(NotAllowed):
        memory.wired.service.erase_many(WRITER, None, JAN)

    begun = erase(memory, is_dry=True)
    work(memory)

    assert run(memory, begun).counts.planned == 3
    assert current(memory) == 3


def test_what_was_erased_can_not_be_undone(memory: Installation) -> None:
    save(memory, 2)
    begun = erase(memory)
    work(memory)

    with pytest.raises(WrongState, match="can't be undone"):
        memory.wired.service.runs.undo(OWNER, begun)


def test_erasing_over_the_limit_is_approved_each_time(memory: Installation) -> None:
    save(memory, FREE + 1)
    begun = erase(memory)
    work(memory)
    assert run(memory, begun).status is RunStatus.AWAITING_APPROVAL
    assert current(memory) == FREE + 1

    with pytest.raises(WrongState, match="one by one"):
        memory.wired.service.runs.approve(OWNER, begun, Scope.ALWAYS)
    memory.wired.service.runs.approve(OWNER, begun, Scope.ONCE)
    work(memory)

    assert run(memory, begun).status is RunStatus.SUCCESS
    assert current(memory) == 0


def test_what_is_not_meant_any_more_or_erased_already_is_skipped(memory: Installation) -> None:
    service = memory.wired.service
    roots = save(memory, 3)
    begun = erase(memory)
    engine = memory.wired.worker.slices[Job.RUN]
    assert engine(begun, none)  # it is planned, and no more
    service.annotate(OWNER, VersionRef(roots[0]), Annotation(tags=("other",)))
    service.erase(ANOTHER, VersionRef(roots[1]))

    engine(begun, unlimited)

    items = {item.subject: (item.state, item.reason) for item in told(memory, begun)[1]}
    assert items == {
        roots[0]: (ItemState.SKIPPED, "changed_since"),
        roots[1]: (ItemState.SKIPPED, "erased_already"),
        roots[2]: (ItemState.APPLIED, ""),
    }
    assert run(memory, begun).status is RunStatus.WARNING
    assert current(memory) == 1


def test_nothing_is_erased_after_a_stop(memory: Installation) -> None:
    save(memory, 4)
    begun = erase(memory)
    engine = memory.wired.worker.slices[Job.RUN]
    calls = 0

    def stopping() -> float:
        nonlocal calls
        calls += 1
        if calls == 4:
            memory.wired.service.runs.stop(OWNER, begun)
        return 1e9

    engine(begun, stopping)

    stopped = run(memory, begun)
    assert stopped.status is RunStatus.STOPPED
    assert 0 < stopped.counts.applied < 4
    assert current(memory) == 4 - stopped.counts.applied
