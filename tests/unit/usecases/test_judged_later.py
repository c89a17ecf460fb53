"""Saves that no model could judge in time: stored at once, and judged in the background."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from palimpsest.domain.belief import State
from palimpsest.domain.ids import SYSTEM, VersionRef
from palimpsest.domain.judgement import UNJUDGED, Opinion, Relation
from palimpsest.domain.version import Reason
from palimpsest.ports.language_model import Answer, PricedModel, Question
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.stores.unjudged import MOST_TRIES, Unjudged, Waiting
from palimpsest.usecases.accepted import Request
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Revision, Saved
from palimpsest.usecases.join import Join
from palimpsest.usecases.judge_later import JudgeLater
from palimpsest.usecases.readings import FindingQuery
from palimpsest.usecases.remember_batch import remember_batch
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, install
from tests.support.judging import AGAIN, ASSISTANT, COFFEE, MILK, TEA, Judging
from tests.support.scripted_model import PRICE, opinions


@pytest.fixture
def judging(tmp_path: Path) -> Iterator[Judging]:
    judging = Judging(tmp_path)
    yield judging
    judging.memory.sqlite.close()


@pytest.mark.parametrize("mode", [JudgeMode.AUTO, JudgeMode.ASYNC])
def test_what_the_model_is_late_for_is_stored_and_can_be_recalled_at_once(judging: Judging, mode: JudgeMode) -> None:
    judging.root(TEA)
    judging.is_late()

    saved = judging.save(AGAIN, mode=mode)

    assert (saved.outcome, saved.memory.head.state) == (Outcome.PENDING, State.LIVE)
    assert AGAIN in judging.memory.recalled("green tea")
    assert judging.waiting() == 1


def test_what_could_not_be_embedded_in_time_is_judged_when_it_is(judging: Judging) -> None:
    root = judging.root(TEA)
    judging.says({TEA: "identical"})
    remember = judging.memory.wired.service.remember
    without = replace(remember.featurise.one(AGAIN), vectors=np.empty((0, 8), np.float32))
    accepted = remember.accept(OWNER, Draft(AGAIN))
    saved = remember.store(Request(OWNER, accepted, None), without)
    assert (saved.outcome, judging.model.asked) == (Outcome.PENDING, [])

    judging.work()
    assert judging.said(root) == [TEA]
    judging.memory.wired.embed_pending()
    judging.work()

    assert judging.said(root) == [TEA, AGAIN]
    assert judging.head(saved.memory.head.root).merged_into == root


def test_nobody_waits_for_a_save_that_is_to_be_judged_later(judging: Judging) -> None:
    judging.root(TEA)

    judging.save(AGAIN, mode=JudgeMode.ASYNC)

    assert judging.model.asked == []


def test_what_turns_out_to_be_the_same_becomes_a_version_and_the_new_belief_goes_into_the_old_one(
    judging: Judging,
) -> None:
    root = judging.root(TEA)
    judging.is_late()
    new = judging.root(AGAIN)
    judging.says({TEA: "identical"})

    judging.work()

    assert judging.said(root) == [TEA, AGAIN]
    assert (judging.head(new).state, judging.head(new).merged_into) == (State.RETIRED, root)
    assert judging.memory.recalled("green tea") == [AGAIN]
    assert judging.waiting() == 0
    last = judging.memory.wired.service.history(OWNER, VersionRef(root)).versions[0].version
    assert (last.reason, last.created_by) == (Reason.RESTATED, OWNER.key)


def test_what_turns_out_to_contradict_becomes_a_conflict(judging: Judging) -> None:
    root = judging.root(TEA)
    judging.is_late()
    new = judging.root(COFFEE)
    judging.says({TEA: "contradictory"})

    judging.work()

    assert judging.head(root).is_disputed
    assert judging.head(new).is_disputed
    assert judging.waiting() == 0


def test_both_are_honoured_later_too(judging: Judging) -> None:
    tea, milk = judging.root(TEA), judging.root(MILK)
    judging.is_late()
    new = judging.root(AGAIN)
    judging.says({TEA: "identical", MILK: "contradictory"})

    judging.work()

    assert judging.head(new).merged_into == tea
    assert (judging.head(tea).open_conflicts, judging.head(milk).open_conflicts) == (1, 1)


def test_a_conflict_whose_other_side_is_forgotten_keeps_nothing_apart(judging: Judging) -> None:
    """A second reader's report: conflicts that nobody can decide any more were counted."""
    tea, milk = judging.root(TEA), judging.root(MILK)
    judging.is_late()
    new = judging.root(AGAIN)
    service = judging.memory.wired.service
    against = Opinion(VersionRef(milk, 1), Relation.CONTRADICTORY, 0.5, "not both", "rules")
    service.findings.confront(OWNER, new, against)
    service.forget(OWNER, VersionRef(milk))
    judging.says({TEA: "identical"})

    judging.work()

    assert judging.head(new).merged_into == tea


def test_what_turns_out_to_be_neither_stays_as_it_is(judging: Judging) -> None:
    judging.root(TEA)
    judging.is_late()
    new = judging.root("Marta eats bread")
    judging.says({})

    judging.work()

    assert (judging.head(new).state, judging.head(new).revision) == (State.LIVE, 1)
    assert judging.waiting() == 0


def test_a_doubt_becomes_a_finding_at_once_and_later(judging: Judging) -> None:
    judging.root("Marta drinks 2 cups of green tea each day")
    judging.says({"Marta": "identical"})
    judging.save("Each day Marta has 3 cups of green tea")
    judging.is_late()
    judging.root("Each day Marta has 4 cups of green tea")
    judging.says({"Marta": "identical"})
    judging.work()

    findings = judging.memory.wired.service.findings.page(OWNER, FindingQuery()).findings
    reasons = [shown.finding.reason for shown in findings]
    assert len(reasons) >= 2
    assert all("number" in reason for reason in reasons)


def test_what_is_less_trusted_goes_into_the_old_one_without_a_version(judging: Judging) -> None:
    root = judging.root(TEA)
    judging.is_late()
    new = judging.save(AGAIN, ASSISTANT).memory.head.root
    judging.says({TEA: "identical"})

    judging.work()

    assert judging.said(root) == [TEA]
    assert judging.head(new).merged_into == root


def test_of_two_that_wait_for_each_others_judgement_the_older_one_stays(judging: Judging) -> None:
    judging.is_late()
    first, second = judging.root(TEA), judging.root(AGAIN)
    judging.says({"Marta": "identical"})

    judging.work()
    judging.work()

    assert judging.head(first).state is State.LIVE
    assert judging.head(second).merged_into == first


def test_a_model_that_stays_away_is_asked_again_later(judging: Judging) -> None:
    root = judging.root(TEA)
    judging.is_late()
    judging.root(AGAIN)

    judging.work()
    assert judging.waiting() == 1
    judging.says({TEA: "identical"})
    judging.work()

    assert judging.said(root) == [TEA, AGAIN]


@pytest.mark.parametrize("change", ["forget", "update"])
def test_what_was_changed_meanwhile_needs_no_judgement(judging: Judging, change: str) -> None:
    root = judging.root(TEA)
    judging.is_late()
    new = judging.root(AGAIN)
    service = judging.memory.wired.service
    if change == "forget":
        service.forget(OWNER, VersionRef(new))
    else:
        service.revise(OWNER, VersionRef(new), Revision("Marta eats bread"))
    judging.says({TEA: "identical"})

    judging.work()

    assert judging.said(root) == [TEA]
    assert judging.waiting() == 0


def test_a_plan_asks_for_what_is_due_and_for_nothing_else(judging: Judging) -> None:
    judging.root(TEA)
    judging.is_late()
    judging.root(AGAIN)

    judging.memory.clock.turn(timedelta(seconds=1))
    judging.memory.wired.plan()

    asked = []
    while (delivery := judging.memory.queue.take(0)) is not None:
        asked.append(read(delivery.body).job)
    assert Job.JUDGE in asked


def test_a_batch_shares_one_box_and_leaves_the_rest_for_later(judging: Judging) -> None:
    judging.root(TEA)
    judging.model.before = lambda: judging.memory.clock.turn(timedelta(seconds=3))
    drafts = [Draft(f"Marta likes dish number {word}") for word in ("one", "two", "three", "four")]

    saved = remember_batch(judging.memory.wired.service.remember, OWNER, drafts)

    outcomes = [each.outcome for each in saved if isinstance(each, Saved)]
    assert outcomes.count(Outcome.PENDING) >= 2
    assert Outcome.ADDED in outcomes


def test_a_judgement_that_dies_anywhere_is_made_whole_by_the_next_one(tmp_path: Path) -> None:
    for operation in range(40):
        judging = Judging(tmp_path / f"{operation}")
        root = judging.root(TEA)
        judging.is_late()
        new = judging.root(AGAIN)
        judging.says({TEA: "identical"})
        crashing = CrashingTable(judging.memory.sqlite)
        dying = install(
            tmp_path / f"{operation}",
            table=crashing,
            sqlite=judging.memory.sqlite,
            prepare=False,
            model=PricedModel(judging.model, PRICE),
        )
        dying.clock.turn(timedelta(days=1))
        crashing.crash_at(operation, is_after=False)
        try:
            dying.wired.worker(Work(Job.JUDGE), lambda: 300.0)
            is_over = True
        except Crashed:
            is_over = False
        crashing.live_on()

        judging.memory.clock.turn(timedelta(days=1))  # the lease of the dead worker ends
        judging.work()

        assert judging.said(root) == [TEA, AGAIN]
        assert judging.head(new).merged_into == root
        assert judging.waiting() == 0
        assert len(judging.memory.wired.service.runs.page(OWNER, space=None).runs) == 1
        judging.memory.sqlite.close()
        if is_over:
            break
    assert operation > 5


@pytest.mark.parametrize("is_new", [True, False])
def test_what_is_changed_while_the_model_judges_is_no_conflict_for_what_it_said_before(
    judging: Judging, is_new: bool
) -> None:
    root = judging.root(TEA)
    judging.is_late()
    new = judging.root(COFFEE)

    def while_it_is_changed(question: Question) -> Answer:
        changed, text = (new, "Marta can't stand loud rooms") if is_new else (root, "Marta is fond of quiet rooms")
        judging.memory.wired.service.revise(OWNER, VersionRef(changed), Revision(text))
        judging.says({})
        return opinions({TEA: "contradictory"})(question)

    judging.says(while_it_is_changed)

    judging.work()

    assert not judging.head(root).is_disputed
    assert not judging.head(new).is_disputed
    assert judging.waiting() == 0


def test_what_nobody_could_judge_says_so_in_its_history(judging: Judging) -> None:
    """A second reader's report: after the last try the entry went, and nobody was told."""
    judging.root(TEA)
    judging.is_late()
    new = judging.root(AGAIN)

    for _ in range(MOST_TRIES):
        assert judging.waiting() == 1
        judging.work()

    steps = judging.memory.wired.service.history(OWNER, VersionRef(new)).steps
    assert judging.waiting() == 0
    assert [(step.reason, step.by, step.note) for step in steps] == [
        (Reason.UNJUDGED, SYSTEM, None),
        (Reason.SAVED, OWNER.key, None),
    ]
    assert (judging.head(new).state, judging.said(new)) == (State.LIVE, [AGAIN])
    assert AGAIN in judging.memory.recalled("green tea")


def test_what_was_forgotten_before_the_last_try_is_told_nothing_more(judging: Judging) -> None:
    judging.root(TEA)
    judging.is_late()
    new = judging.root(AGAIN)
    for _ in range(MOST_TRIES - 1):
        judging.work()
    judging.memory.wired.service.forget(OWNER, VersionRef(new))

    judging.work()

    assert (judging.waiting(), judging.head(new).revision) == (0, 2)


def test_the_last_try_that_dies_anywhere_is_told_once(tmp_path: Path) -> None:
    for operation in range(40):
        judging = Judging(tmp_path / f"{operation}")
        judging.root(TEA)
        new = judging.save(AGAIN, mode=JudgeMode.ASYNC).memory.head.root
        (waiting,) = Unjudged(judging.memory.sqlite).due(judging.memory.clock.now(), 1)
        last = replace(waiting, tries=MOST_TRIES - 1)
        crashing = CrashingTable(judging.memory.sqlite)
        is_over = put_off(crashing, judging, last, operation)

        put_off(crashing, judging, last, None)

        steps = judging.memory.wired.service.history(OWNER, VersionRef(new)).steps
        assert [step.reason for step in steps] == [Reason.UNJUDGED, Reason.SAVED]
        assert judging.waiting() == 0
        judging.memory.sqlite.close()
        if is_over:
            break
    assert operation > 3


def put_off(table: CrashingTable, judging: Judging, waiting: Waiting, crash_at: int | None) -> bool:
    """Put it off in a process that dies at that operation; whether it lived."""
    memory = install(Path("unused"), table=table, sqlite=judging.memory.sqlite, prepare=False)
    steps, disputes = memory.wired.service.resolve.sides.steps, memory.wired.service.resolve.disputes
    join, notice = Join(steps, disputes), memory.wired.service.remember.notice
    later = JudgeLater(lambda *_: UNJUDGED, Unjudged(table), Confront(steps, disputes), join, notice)
    if crash_at is not None:
        table.crash_at(crash_at, is_after=crash_at % 2 == 1)
    try:
        later.put_off(waiting)
    except Crashed:
        return False
    finally:
        table.live_on()
    return True
