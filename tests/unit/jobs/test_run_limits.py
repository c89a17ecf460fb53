"""Runs that would change much: looked at before, weighed, approved or denied."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.belief import State
from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.run import FREE, RunStatus
from palimpsest.domain.run_plan import Counts
from palimpsest.domain.selection import Selection
from palimpsest.usecases.drafts import Draft
from palimpsest.usecases.runs import Scope
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import (
    JAN,
    current,
    forget,
    run,
    save,
    shown,
    told,
    work,
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    work(memory)
    yield memory
    memory.sqlite.close()


def test_a_dry_run_changes_nothing_and_names_each_memory(memory: Installation) -> None:
    roots = save(memory, 25)
    before = shown(memory, roots)

    begun = forget(memory, is_dry=True)
    work(memory)

    done = run(memory, begun)
    assert (done.status, done.counts) == (RunStatus.SUCCESS, Counts(planned=25, changes=25))
    assert done.needs_approval
    _, items = told(memory, begun)
    assert sorted(item.subject for item in items) == sorted(roots)
    assert shown(memory, roots) == before
    with pytest.raises(WrongState, match="dry run"):
        memory.wired.service.runs.undo(OWNER, begun)


def test_a_run_that_would_change_too_much_waits_and_goes_on_when_it_is_approved(memory: Installation) -> None:
    save(memory, FREE + 1)
    begun = forget(memory)
    work(memory)

    waiting = run(memory, begun)
    assert waiting.status is RunStatus.AWAITING_APPROVAL
    assert waiting.reason == "it would change 21 memories; more than 20 of 21 need an owner's approval"
    assert current(memory) == 21
    memory.wired.service.runs.approve(OWNER, begun, Scope.ONCE)
    work(memory)

    assert run(memory, begun).status is RunStatus.SUCCESS
    assert current(memory) == 0
    assert told(memory, begun)[0] == ["asked", "planned", "waits", "approved", "finished"]


def test_a_denied_run_ends_with_nothing_done(memory: Installation) -> None:
    save(memory, FREE + 1)
    begun = forget(memory)
    work(memory)

    memory.wired.service.runs.deny(OWNER, begun, Scope.ONCE)
    work(memory)

    assert (run(memory, begun).status, current(memory)) == (RunStatus.STOPPED, 21)
    with pytest.raises(WrongState, match="does not wait"):
        memory.wired.service.runs.approve(OWNER, begun, Scope.ONCE)
    with pytest.raises(WrongState, match="never approved"):
        memory.wired.service.runs.undo(OWNER, begun)


def test_five_per_cent_of_a_large_space_need_no_approval(memory: Installation) -> None:
    save(memory, 22)
    save(memory, 417, "eva")
    first = forget(memory, is_dry=True)
    work(memory)
    save(memory, 1, "ola")
    second = forget(memory)
    work(memory)

    assert run(memory, first).needs_approval
    assert run(memory, second).status is RunStatus.SUCCESS


def test_runs_within_an_hour_share_what_needs_no_approval(memory: Installation) -> None:
    save(memory, 15)
    save(memory, 15, "eva")
    save(memory, 300, "ola")
    first, second = forget(memory), forget(memory, Selection(tags=("eva",)))
    work(memory)

    assert run(memory, first).status is RunStatus.SUCCESS
    waiting = run(memory, second)
    assert waiting.status is RunStatus.AWAITING_APPROVAL
    assert "15 having been changed by runs within the hour" in str(waiting.reason)
    memory.clock.turn(timedelta(minutes=62))
    third = forget(memory, Selection(tags=("eva",)))
    work(memory)
    assert run(memory, third).status is RunStatus.SUCCESS


def test_approved_for_always_later_runs_of_the_space_go_on_until_that_is_taken_back(memory: Installation) -> None:
    service = memory.wired.service
    save(memory, 25)
    first = forget(memory)
    work(memory)
    service.runs.approve(OWNER, first, Scope.ALWAYS)
    work(memory)

    save(memory, 30, "eva")
    second = forget(memory, Selection(tags=("eva",)))
    work(memory)
    assert run(memory, second).status is RunStatus.SUCCESS
    assert "approved" in told(memory, second)[0]

    service.runs.deny(OWNER, second, Scope.ALWAYS)
    save(memory, 30, "ola")
    third = forget(memory, Selection(tags=("ola",)))
    work(memory)
    assert run(memory, third).status is RunStatus.AWAITING_APPROVAL
    save(memory, 30, "jan", space="other")
    fourth = service.forget_many(OWNER, "other", JAN).run.id
    work(memory)
    assert run(memory, fourth).status is RunStatus.AWAITING_APPROVAL


def test_nothing_is_added_to_a_plan_that_waits_for_approval(memory: Installation) -> None:
    save(memory, 21)
    begun = forget(memory)
    work(memory)
    save(memory, 5, "eva")
    late = memory.wired.service.remember(OWNER, Draft("jan came late", tags=("jan",))).memory.head.root

    memory.wired.service.runs.approve(OWNER, begun, Scope.ONCE)
    work(memory)

    assert run(memory, begun).counts.applied == 21
    assert memory.wired.service.read(OWNER, VersionRef(late)).head.state is State.LIVE
