"""What has expired is forgotten by itself, and what can be restored no more is erased, whenever a worker dies."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import lineage
from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import NotFound, WrongState
from palimpsest.domain.ids import RootId, VersionRef, erasure_of
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Reason
from palimpsest.jobs.expire import Expire
from palimpsest.ports.table import Delete, Set, Update
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.stores import keys
from palimpsest.stores.texts import Words
from palimpsest.usecases.drafts import Annotation, Draft
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import Call, InterposingTable

DAY = timedelta(days=1)
TOMORROW = START + DAY


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    sqlite = SqliteTable(":memory:")
    installation = install(tmp_path, table=CrashingTable(sqlite), sqlite=sqlite)
    yield installation
    sqlite.close()


def save(memory: Installation, content: str, expires_at: datetime | None = TOMORROW) -> VersionRef:
    saved = memory.wired.service.remember(OWNER, Draft(content, expires_at=expires_at))
    return VersionRef(saved.memory.head.root)


def head_of(memory: Installation, ref: VersionRef) -> Head:
    return memory.wired.service.read(OWNER, ref, include_forgotten=True).head


def job(memory: Installation) -> Expire:
    slice_ = memory.wired.worker.slices[Job.EXPIRE]
    assert isinstance(slice_, Expire)
    return slice_


def run(memory: Installation) -> None:
    """All that is due."""
    assert not job(memory)("", lambda: 60.0)


def erase(memory: Installation) -> list[RootId]:
    """All that is due, with an eraser that only notes what it is asked for, and takes the entry away."""
    erased: list[RootId] = []

    def note(head: Head) -> None:
        erased.append(head.root)
        memory.sqlite.write(Delete(keys.due(head.root)))

    assert not replace(job(memory), erase=note)("", lambda: 60.0)
    return erased


def asked(memory: Installation) -> list[Work]:
    memory.wired.plan.start_over()
    return [read(delivery.body) for delivery in iter(lambda: memory.queue.take(0.0), None)]


def test_what_has_expired_is_forgotten_by_the_system_and_can_be_restored(memory: Installation) -> None:
    expiring, staying = save(memory, "the code is kiwi"), save(memory, "the door is green", None)
    run(memory)
    assert head_of(memory, expiring).state is State.LIVE
    memory.clock.turn(2 * DAY)

    run(memory)

    with pytest.raises(NotFound):
        memory.wired.service.read(OWNER, expiring)
    steps = memory.wired.service.history(OWNER, expiring, include_forgotten=True).steps
    assert (steps[0].reason, steps[0].by) == (Reason.EXPIRED, "system")
    assert head_of(memory, staying).state is State.LIVE
    restored = memory.wired.service.restore(OWNER, expiring)
    assert restored.head.annotations.expires_at is None
    run(memory)
    assert memory.recalled("the code is kiwi", limit=1) == ["the code is kiwi"]


def test_what_was_forgotten_is_erased_once_its_window_is_over(memory: Installation) -> None:
    expiring, forgotten = save(memory, "the code is kiwi"), save(memory, "the door is green", None)
    memory.wired.service.forget(OWNER, forgotten)
    memory.clock.turn(2 * DAY)

    assert erase(memory) == []
    memory.clock.turn(head_of(memory, forgotten).restore_until - memory.clock.now())  # type: ignore[operator]
    assert erase(memory) == [forgotten.root]
    memory.clock.turn(head_of(memory, expiring).restore_until - memory.clock.now())  # type: ignore[operator]
    assert erase(memory) == [expiring.root]


def test_the_erasure_of_what_was_forgotten_is_begun_by_the_system_and_goes_to_its_end(memory: Installation) -> None:
    forgotten = save(memory, "the door is green", None)
    memory.wired.service.forget(OWNER, forgotten)
    memory.clock.turn(400 * DAY)

    run(memory)

    begun = memory.wired.service.erase.receipt(OWNER, erasure_of(forgotten.root)).erasure
    assert begun.asked_by == "system"
    assert Work(Job.ERASE, begun.id) in asked(memory)
    with pytest.raises(NotFound):
        memory.wired.service.read(OWNER, forgotten, include_forgotten=True)
    assert memory.sqlite.get([keys.due(forgotten.root)]).items == {}


def test_an_expiry_that_is_moved_or_taken_away_holds(memory: Installation) -> None:
    later, never = save(memory, "later"), save(memory, "never")
    memory.wired.service.annotate(OWNER, later, Annotation(expires_at=START + 10 * DAY))
    memory.wired.service.annotate(OWNER, never, Annotation(expires_at=None))
    memory.clock.turn(2 * DAY)

    run(memory)
    assert [head_of(memory, ref).state for ref in (later, never)] == [State.LIVE, State.LIVE]
    memory.clock.turn(9 * DAY)
    run(memory)

    assert [head_of(memory, ref).state for ref in (later, never)] == [State.FORGOTTEN, State.LIVE]


def test_an_expiry_that_is_taken_away_while_the_job_looks_holds(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    ref = save(memory, "the code is kiwi")
    memory.clock.turn(2 * DAY)
    service = memory.wired.service

    def keep() -> None:
        space, belief = service.read.steps.find(OWNER, ref.root)
        notes = replace(belief.head.annotations, expires_at=None)
        step = lineage.annotate(belief.head, notes, Stamp(memory.clock.now(), OWNER.key))
        features = service.remember.featurise.again(belief.current.statement, belief.vectors)
        service.read.steps.beliefs.commit(step, space, features, text_before=Words.of(belief.current.statement))

    was_head_read = False

    def between(name: str, call: Call) -> bool:
        nonlocal was_head_read
        is_head = name == "get" and isinstance(call, Sequence) and keys.head(ref.root) in call
        was_first, was_head_read = was_head_read, was_head_read or is_head
        return is_head and was_first

    table.interpose(between, keep)
    run(memory)

    assert head_of(memory, ref).state is State.LIVE
    sqlite.close()


def test_a_plan_asks_for_it_when_something_is_due_and_looks_at_no_space(memory: Installation) -> None:
    save(memory, "the code is kiwi")

    before = asked(memory)
    memory.clock.turn(2 * DAY)
    after = asked(memory)

    assert Work(Job.EXPIRE) not in before
    assert Work(Job.EXPIRE) in after


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("operation", range(12))
def test_a_worker_that_dies_between_any_two_operations_changes_nothing_about_the_end(
    memory: Installation, operation: int, is_after: bool
) -> None:
    refs = [save(memory, f"code number {n}") for n in range(3)]
    memory.clock.turn(2 * DAY)
    crashing = memory.table
    assert isinstance(crashing, CrashingTable)
    crashing.crash_at(operation, is_after=is_after)

    with contextlib.suppress(Crashed):
        run(memory)
    crashing.live_on()
    run(memory)
    run(memory)

    heads = [head_of(memory, ref) for ref in refs]
    assert [(head.state, head.revision) for head in heads] == [(State.FORGOTTEN, 2)] * 3


def test_one_that_cant_be_read_keeps_no_other_from_its_end(memory: Installation) -> None:
    broken, whole = save(memory, "broken"), save(memory, "whole")
    memory.sqlite.write(Update(keys.head(broken.root), (Set("state", "cheerful"),)))
    memory.clock.turn(2 * DAY)

    run(memory)

    assert head_of(memory, whole).state is State.FORGOTTEN


def test_a_slice_ends_when_its_time_is_up_and_says_that_there_is_more(memory: Installation) -> None:
    refs = [save(memory, f"code number {n}") for n in range(3)]
    memory.clock.turn(2 * DAY)

    assert job(memory)("", lambda: 0.0)

    assert sum(head_of(memory, ref).state is State.FORGOTTEN for ref in refs) == 1


def test_after_its_window_a_memory_can_be_restored_no_more(memory: Installation) -> None:
    forgotten = save(memory, "the door is green", None)
    memory.wired.service.forget(OWNER, forgotten)
    memory.clock.turn(head_of(memory, forgotten).restore_until - memory.clock.now() + DAY)  # type: ignore[operator]

    with pytest.raises(WrongState):
        memory.wired.service.restore(OWNER, forgotten)
