"""Runs: planned, applied, stopped and taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import IdempotencyReused, Invalid, NotAllowed, NotFound, TableUnavailable, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.domain.run import RunStatus
from palimpsest.domain.run_plan import Counts, ItemState
from palimpsest.domain.selection import Selection
from palimpsest.domain.version import MemoryType
from palimpsest.jobs.events_since import EVENTS
from palimpsest.ports.table import Update
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.stores import keys
from palimpsest.usecases.drafts import Annotation, Draft, SourceClaim
from palimpsest.usecases.runs import Scope
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.support.run_driving import (
    JAN,
    READER,
    STRANGER,
    WRITER,
    current,
    forget,
    none,
    run,
    save,
    shown,
    told,
    unlimited,
    work,
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    work(memory)
    yield memory
    memory.sqlite.close()


def test_a_run_forgets_what_is_meant_and_nothing_else(memory: Installation) -> None:
    jans, evas = save(memory, 12), save(memory, 3, "eva")
    elsewhere = save(memory, 2, space="other")
    before = shown(memory, [*evas, *elsewhere])

    begun = forget(memory)
    assert run(memory, begun).status is RunStatus.QUEUED
    assert [each.job for each in work(memory)] == [Job.RUN]

    done = run(memory, begun)
    assert (done.status, done.counts) == (RunStatus.SUCCESS, Counts(planned=12, changes=12, applied=12))
    assert current(memory) == 3
    assert shown(memory, [*evas, *elsewhere]) == before
    events, items = told(memory, begun)
    assert events == ["asked", "planned", "let_go", "finished"]
    assert [item.subject for item in items] == jans[::-1]
    assert {item.state for item in items} == {ItemState.APPLIED}


def test_an_undone_run_leaves_what_was_there_before(memory: Installation) -> None:
    roots = save(memory, 30)
    save(memory, 2, "eva")
    before = shown(memory, roots)
    begun = forget(memory)
    work(memory)
    memory.wired.service.runs.approve(OWNER, begun, Scope.ONCE)
    work(memory)
    assert current(memory) == 2

    memory.wired.service.runs.undo(OWNER, begun)
    work(memory)

    done = run(memory, begun)
    assert (done.status, done.counts) == (RunStatus.UNDONE, Counts(planned=30, changes=30, undone=30))
    assert shown(memory, roots) == before
    with pytest.raises(WrongState, match="undone already"):
        memory.wired.service.runs.undo(OWNER, begun)


def test_undo_keeps_what_was_changed_since_and_names_it(memory: Installation) -> None:
    roots = save(memory, 5)
    begun = forget(memory)
    work(memory)
    service = memory.wired.service
    service.restore(OWNER, VersionRef(roots[0]))
    service.restore(OWNER, VersionRef(roots[1]))
    service.forget(OWNER, VersionRef(roots[1]))

    service.runs.undo(OWNER, begun)
    work(memory)

    done = run(memory, begun)
    assert (done.status, done.counts.undone, done.counts.kept) == (RunStatus.UNDONE, 3, 2)
    _, items = told(memory, begun)
    kept = {item.subject: item.reason for item in items if item.state is ItemState.KEPT}
    assert kept == {roots[0]: "changed_since", roots[1]: "changed_since"}
    assert current(memory) == 4


def test_undo_names_what_was_changed_so_often_since_that_its_own_step_is_far_back(
    memory: Installation,
) -> None:
    """A second reader's report: among more steps than are read at once the run's own was not seen."""
    roots = save(memory, 2)
    begun = forget(memory)
    work(memory)
    service = memory.wired.service
    service.restore(OWNER, VersionRef(roots[0]))
    for note in range(EVENTS + 1):
        service.annotate(OWNER, VersionRef(roots[0]), Annotation(tags=(f"n{note}",)))

    service.runs.undo(OWNER, begun)
    work(memory)

    _, items = told(memory, begun)
    assert {item.subject: item.reason for item in items if item.state is ItemState.KEPT} == {roots[0]: "changed_since"}


def test_undo_after_the_recovery_window_says_so(memory: Installation) -> None:
    save(memory, 2)
    begun = forget(memory)
    work(memory)
    memory.clock.turn(timedelta(days=31))

    memory.wired.service.runs.undo(OWNER, begun)
    work(memory)

    _, items = told(memory, begun)
    assert [item.reason for item in items] == ["window_over"] * 2


def test_a_stopped_run_keeps_what_it_did_and_can_be_undone(memory: Installation) -> None:
    roots = save(memory, 18)
    before = shown(memory, roots)
    begun = forget(memory)
    for _ in range(8):
        delivery = memory.queue.take(0.0)
        assert delivery is not None
        memory.wired.worker(read(delivery.body), none)

    memory.wired.service.runs.stop(OWNER, begun)
    work(memory)

    stopped = run(memory, begun)
    assert stopped.status is RunStatus.STOPPED
    assert 0 < stopped.counts.applied < 18
    assert current(memory) == 18 - stopped.counts.applied
    with pytest.raises(WrongState, match="nothing to stop"):
        memory.wired.service.runs.stop(OWNER, begun)
    memory.wired.service.runs.undo(OWNER, begun)
    work(memory, none)
    assert run(memory, begun).status is RunStatus.UNDONE
    assert shown(memory, roots) == before


def test_a_worker_that_is_late_changes_nothing_after_a_stop(memory: Installation) -> None:
    save(memory, 10)
    begun = forget(memory)
    calls = 0

    def stopping() -> float:
        nonlocal calls
        calls += 1
        if calls == 6:
            memory.wired.service.runs.stop(OWNER, begun)
        return 1e9

    work(memory, stopping)

    stopped = run(memory, begun)
    assert stopped.status is RunStatus.STOPPED
    assert current(memory) == 10 - stopped.counts.applied
    assert 0 < stopped.counts.applied < 10


def test_what_was_changed_after_the_plan_is_forgotten_only_while_it_is_still_meant(memory: Installation) -> None:
    roots = save(memory, 3)
    begun = forget(memory)
    delivery = memory.queue.take(0.0)
    assert delivery is not None
    memory.wired.worker(read(delivery.body), none)  # it is planned, and no more
    service = memory.wired.service
    service.annotate(OWNER, VersionRef(roots[0]), Annotation(tags=("other",)))
    service.annotate(OWNER, VersionRef(roots[1]), Annotation(tags=("jan", "other")))
    service.forget(OWNER, VersionRef(roots[2]))
    work(memory)

    done = run(memory, begun)
    assert (done.status, done.counts.applied, done.counts.skipped) == (RunStatus.WARNING, 1, 2)
    reasons = {item.subject: item.reason for item in told(memory, begun)[1]}
    assert reasons == {roots[0]: "changed_since", roots[1]: "", roots[2]: "forgotten_already"}
    assert current(memory) == 1


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(words="apple red"), {0, 1}),
        (Selection(words="apples"), {0, 1, 2}),
        (Selection(tags=("a", "b")), {1}),
        (Selection(session="s1"), {0}),
        (Selection(source_agents=("mcp", "import")), {1, 2}),
        (Selection(memory_types=(MemoryType.PREFERENCE,)), {2}),
        (Selection(attributed_to="Ola"), {3}),
        (Selection(dated_from=START - timedelta(days=2)), {1, 2, 3}),
        (Selection(dated_until=START - timedelta(days=2)), {0}),
        (Selection(tags=("a",), words="apple"), {0, 1}),
    ],
)
def test_a_selection_means_what_passes_every_part_of_it(
    memory: Installation, selection: Selection, expected: set[int]
) -> None:
    drafts = [
        Draft("red apples", tags=("a",), source=SourceClaim(session="s1"), asserted_at=START - timedelta(days=3)),
        Draft("a red apple", tags=("a", "b"), source=SourceClaim("mcp")),
        Draft("green apples", memory_type=MemoryType.PREFERENCE, source=SourceClaim("import", "s2")),
        Draft("pears", attributed_to="Ola"),
    ]
    roots = [memory.wired.service.remember(OWNER, draft).memory.head.root for draft in drafts]

    begun = forget(memory, selection)
    work(memory)

    assert {roots.index(RootId(item.subject)) for item in told(memory, begun)[1]} == expected
    assert current(memory) == 4 - len(expected)


def test_by_ids_only_those_of_the_space_are_meant(memory: Installation) -> None:
    roots, others = save(memory, 3), save(memory, 1, space="other")

    begun = forget(memory, Selection(ids=(roots[0], others[0], RootId("mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"))))
    work(memory)

    assert [item.subject for item in told(memory, begun)[1]] == [roots[0]]
    assert (current(memory), current(memory, "other")) == (2, 1)


def test_what_was_asked_for_is_not_kept_once_the_run_is_over(memory: Installation) -> None:
    save(memory, 2)

    begun = forget(memory, Selection(words="jan apples"))
    assert "apples" in run(memory, begun).asked
    work(memory)

    assert run(memory, begun).asked == ""


def test_who_may_do_what(memory: Installation) -> None:
    service = memory.wired.service
    save(memory, 2)
    with pytest.raises(NotAllowed):
        service.forget_many(READER, None, JAN)
    with pytest.raises(NotAllowed):
        service.forget_many(STRANGER, "default", JAN)
    with pytest.raises(NotFound):
        service.forget_many(OWNER, "nowhere", JAN)
    with pytest.raises(Invalid):
        service.forget_many(OWNER, None, Selection())
    begun = forget(memory, caller=WRITER)

    for move in (service.runs.undo, service.runs.stop):
        with pytest.raises(NotAllowed):
            move(READER, begun)
    with pytest.raises(NotAllowed):
        service.runs.undo(WRITER, begun)
    with pytest.raises(NotAllowed):
        service.runs.approve(WRITER, begun, Scope.ONCE)
    with pytest.raises(NotFound):
        service.runs.show(STRANGER, begun)
    with pytest.raises(NotFound):
        service.runs.undo(STRANGER, begun)
    with pytest.raises(NotAllowed, match="another key"):
        service.runs.stop(replace(WRITER, key=KeyId("other")), begun)
    assert service.runs.stop(WRITER, begun).run.status is RunStatus.STOPPED
    assert service.runs.show(READER, begun).run.by == WRITER.key


def test_the_same_request_again_begins_no_second_run_and_moves_none_twice(memory: Installation) -> None:
    service = memory.wired.service
    save(memory, 2)
    key, other = Idempotency("k", b"a"), Idempotency("k2", b"a")
    first = service.forget_many(OWNER, None, JAN, idempotency=key)
    assert service.forget_many(OWNER, None, JAN, idempotency=key).run.id == first.run.id
    with pytest.raises(IdempotencyReused):
        service.forget_many(OWNER, None, JAN, idempotency=Idempotency("k", b"b"))
    work(memory)

    service.runs.undo(OWNER, first.run.id, other)
    work(memory)

    assert service.runs.undo(OWNER, first.run.id, other).run.status is RunStatus.UNDONE
    assert len(service.runs.page(OWNER, space=None).runs) == 1


def test_runs_are_listed_newest_first_by_pages(memory: Installation) -> None:
    save(memory, 1)
    save(memory, 1, space="other")
    begun = [forget(memory, is_dry=True) for _ in range(5)]
    memory.wired.service.forget_many(OWNER, "other", JAN)
    work(memory)

    first = memory.wired.service.runs.page(OWNER, space=None, limit=3)
    second = memory.wired.service.runs.page(OWNER, space=None, limit=3, cursor=first.next_cursor)

    assert [each.run.id for each in (*first.runs, *second.runs)] == begun[::-1]
    assert second.next_cursor is None
    assert memory.wired.service.runs.page(OWNER, space="nowhere").runs == ()


def test_a_run_whose_message_was_lost_is_asked_for_by_a_plan(memory: Installation) -> None:
    save(memory, 3)
    begun = forget(memory)
    assert memory.queue.take(0.0) is not None  # and lost

    memory.clock.turn(timedelta(minutes=16))
    assert memory.wired.plan() == 1
    work(memory)

    assert run(memory, begun).status is RunStatus.SUCCESS
    assert memory.wired.plan() == 0


def test_a_run_whose_worker_fails_is_interrupted_and_goes_on(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    roots = save(memory, 3)
    begun = forget(memory)

    def is_step(name: str, call: Call) -> bool:
        writes = call if name == "transact" and isinstance(call, Sequence) else ()
        return any(isinstance(write, Update) and write.key == keys.head(roots[1]) for write in writes)

    def fail() -> None:
        raise TableUnavailable("away for now")

    table.interpose(is_step, fail)
    with pytest.raises(TableUnavailable):
        work(memory)
    assert run(memory, begun).status is RunStatus.INTERRUPTED
    memory.wired.worker(Work(Job.RUN, begun), unlimited)

    assert run(memory, begun).status is RunStatus.SUCCESS
    assert told(memory, begun)[0] == ["asked", "planned", "let_go", "interrupted", "finished"]
