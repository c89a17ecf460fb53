"""What the background joined is taken back as a run: both memories stand as before, and stay two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from palimpsest.domain.belief import State
from palimpsest.domain.errors import NotAllowed, WrongState
from palimpsest.domain.ids import ConflictId, RootId, RunId, VersionRef
from palimpsest.domain.judgement import Opinion, Relation, Verdict
from palimpsest.domain.run import RunKind, RunStatus
from palimpsest.domain.version import Reason
from palimpsest.ports.language_model import PricedModel
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import unjudged
from palimpsest.stores.unjudged import Unjudged
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.disputes import MOST
from palimpsest.usecases.drafts import Annotation, Draft, JudgeMode, Outcome, Revision
from palimpsest.usecases.join import Join
from palimpsest.usecases.judge_later import JudgeLater
from palimpsest.usecases.readings import FindingQuery
from tests.support import run_driving
from tests.support.conflicting import KEEP_BOTH, pending
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.support.joining import ONE, TWO, Joined
from tests.support.judging import AGAIN, ASSISTANT, MILK, TEA
from tests.support.run_driving import READER, told
from tests.support.scripted_model import PRICE


@pytest.fixture
def joined(tmp_path: Path) -> Iterator[Joined]:
    joined = Joined(tmp_path)
    yield joined
    joined.memory.sqlite.close()


def test_a_join_is_a_run_of_one_item_that_is_over_in_the_name_of_who_saved(joined: Joined) -> None:
    run = joined.join()

    assert joined.stand() == ONE
    shown = run_driving.run(joined.memory, run)
    assert (shown.kind, shown.status, shown.by, shown.counts.applied) == (
        RunKind.RESTATE,
        RunStatus.SUCCESS,
        OWNER.key,
        1,
    )
    events, (item,) = told(joined.memory, run)
    assert (events, item.subject, item.revision, item.changes) == (["asked", "finished"], joined.new, 1, 2)
    assert all(text not in item.detail for text in (TEA, AGAIN))
    assert joined.memory.wired.service.runs.allowances.spent(shown.space, shown.begun_at).total == 0


def test_the_history_of_both_names_the_run(joined: Joined) -> None:
    run = joined.join()
    joined.undo(run)

    def steps(root: RootId) -> list[tuple[Reason, RunId | None]]:
        told = joined.memory.wired.service.history(OWNER, VersionRef(root)).steps
        return [(step.reason, step.run) for step in told]

    assert steps(joined.old) == [(Reason.REINSTATED, run), (Reason.RESTATED, run), (Reason.SAVED, None)]
    assert steps(joined.new) == [(Reason.REINSTATED, run), (Reason.RETIRED, run), (Reason.SAVED, None)]


def test_a_join_that_is_taken_back_leaves_both_as_they_were(joined: Joined) -> None:
    run = joined.join()

    assert joined.undo(run) is RunStatus.UNDONE

    assert joined.stand() == TWO
    assert joined.item(run) == ("undone", "")
    assert joined.said(joined.old) == [TEA, AGAIN, TEA]
    assert set(joined.memory.recalled("green tea")) == {TEA, AGAIN}
    assert joined.memory.wired.service.prove(OWNER, VersionRef(joined.old)).is_verified
    texts = [joined.save(text) for text in (TEA, AGAIN)]
    assert [(each.outcome, each.memory.head.root) for each in texts] == [
        (Outcome.UNCHANGED, joined.old),
        (Outcome.UNCHANGED, joined.new),
    ]


def test_it_is_taken_back_once_and_by_owners(joined: Joined) -> None:
    run = joined.join()
    with pytest.raises(NotAllowed):
        joined.memory.wired.service.runs.undo(READER, run)
    joined.undo(run)

    with pytest.raises(WrongState):
        joined.memory.wired.service.runs.undo(OWNER, run)
    assert joined.stand() == TWO


def test_the_pair_is_not_joined_again(joined: Joined) -> None:
    joined.undo(joined.join())
    edges = joined.memory.wired.service.resolve.disputes.edges
    assert edges.kept_apart(joined.old) == {joined.new}
    assert edges.kept_apart(joined.new) == {joined.old}

    joined.memory.sqlite.transact([unjudged.begun(VersionRef(joined.new, 1), joined.memory.clock.now())[0]])
    joined.work()

    assert joined.stand() == TWO
    assert joined.waiting() == 0


def test_what_was_trusted_less_is_back_though_it_added_nothing(tmp_path: Path) -> None:
    joined = Joined(tmp_path, by=ASSISTANT)
    run = joined.join()
    before = joined.read(joined.old)
    assert (joined.head(joined.new).merged_into, run_driving.run(joined.memory, run).by) == (joined.old, ASSISTANT.key)

    joined.undo(run)

    assert joined.stand() == TWO
    assert joined.read(joined.old) == before
    joined.memory.sqlite.close()


def test_what_added_nothing_is_back_though_the_other_is_gone(tmp_path: Path) -> None:
    joined = Joined(tmp_path, by=ASSISTANT)
    run = joined.join()
    erase(joined)

    joined.undo(run)

    assert (joined.head(joined.new).state, joined.item(run)) == (State.LIVE, ("undone", ""))
    joined.memory.sqlite.close()


def test_conflicts_that_came_with_the_join_go_with_it(tmp_path: Path) -> None:
    joined = Joined(tmp_path, against={MILK: "contradictory"})
    run = joined.join()
    (milk,) = joined.others
    assert [joined.read(each).head.open_conflicts for each in (joined.old, milk)] == [1, 1]

    joined.undo(run)

    assert joined.stand() == TWO
    assert not joined.read(milk).head.is_disputed
    assert pending(joined.memory) == []
    joined.memory.sqlite.close()


@pytest.mark.parametrize("is_reverted", [True, False])
def test_a_join_on_which_a_decision_was_built_is_kept(tmp_path: Path, is_reverted: bool) -> None:
    joined = Joined(tmp_path, against={MILK: "contradictory"})
    run, service = joined.join(), joined.memory.wired.service
    (conflict,) = pending(joined.memory)
    service.resolve(OWNER, ConflictId(conflict), KEEP_BOTH)
    if is_reverted:
        service.take_back(OWNER, ConflictId(conflict))
    before = joined.stand()

    joined.undo(run)

    assert joined.item(run) == ("kept", "changed_since")
    assert joined.stand() == before
    joined.memory.sqlite.close()


def update(joined: Joined) -> None:
    joined.memory.wired.service.revise(OWNER, VersionRef(joined.old), Revision("Marta drinks green tea at noon"))


def forget(joined: Joined) -> None:
    joined.memory.wired.service.forget(OWNER, VersionRef(joined.old))


def forget_the_other(joined: Joined) -> None:
    joined.memory.wired.service.forget(OWNER, VersionRef(joined.new))


def erase(joined: Joined) -> None:
    joined.memory.wired.service.erase(OWNER, VersionRef(joined.old))


@pytest.mark.parametrize(
    ("change", "why"),
    [(update, "changed_since"), (forget, "changed_since"), (forget_the_other, "changed_since"), (erase, "gone")],
)
def test_what_was_changed_since_stays_as_it_is(joined: Joined, change: Callable[[Joined], None], why: str) -> None:
    run = joined.join()
    change(joined)

    assert joined.undo(run) is RunStatus.UNDONE

    assert joined.item(run) == ("kept", why)
    assert joined.head(joined.new).state is not State.LIVE


def tagged(joined: Joined) -> Annotation:
    """The tags of both come together; what the marks were before."""
    service = joined.memory.wired.service
    service.annotate(OWNER, VersionRef(joined.old), Annotation(tags=("tea", "home"), importance=2.0))
    service.annotate(OWNER, VersionRef(joined.new), Annotation(tags=("home", "green"), pinned=True))
    return Annotation(tags=("tea", "home"), pinned=False, importance=2.0)


def marks(joined: Joined) -> Annotation:
    now = joined.read(joined.old).head.annotations
    return Annotation(tags=now.tags, pinned=now.pinned, importance=now.importance)


def test_tags_and_marks_are_as_they_were_before(joined: Joined) -> None:
    before = tagged(joined)
    run = joined.join()
    assert marks(joined) == Annotation(tags=("tea", "home", "green"), pinned=True, importance=2.0)

    joined.undo(run)

    assert marks(joined) == before


def test_tags_that_somebody_set_since_hinder_nothing_and_stay(joined: Joined) -> None:
    tagged(joined)
    run = joined.join()
    joined.memory.wired.service.annotate(OWNER, VersionRef(joined.old), Annotation(tags=("drinks",)))

    joined.undo(run)

    assert joined.stand() == TWO
    assert marks(joined) == Annotation(tags=("drinks",), pinned=True, importance=2.0)


def test_a_text_that_was_saved_anew_meanwhile_stands_beside_it(joined: Joined) -> None:
    run = joined.join()
    joined.says({})
    third = joined.save(TEA).memory.head.root
    assert third not in (joined.old, joined.new)

    joined.undo(run)

    assert joined.stand() == TWO
    assert joined.save(TEA).outcome is Outcome.UNCHANGED


def test_two_with_more_tags_than_one_can_have_stay_two_and_hold_nobody_up(joined: Joined) -> None:
    service = joined.memory.wired.service
    for root, letter in ((joined.old, "a"), (joined.new, "b")):
        service.annotate(OWNER, VersionRef(root), Annotation(tags=tuple(f"{letter}{n}" for n in range(40))))

    joined.work()

    assert joined.stand() == TWO
    assert (joined.waiting(), joined.runs()) == (0, [])


def dying(joined: Joined, folder: Path, crashing: CrashingTable) -> Installation:
    """Another process over the same table."""
    model = PricedModel(joined.model, PRICE)
    return install(folder, table=crashing, sqlite=joined.memory.sqlite, prepare=False, model=model)


def test_an_undo_that_dies_anywhere_is_made_whole_by_the_next_one(tmp_path: Path) -> None:
    for operation in range(40):
        folder = tmp_path / f"{operation}"
        joined = Joined(folder, against={MILK: "contradictory"})
        run = joined.join()
        joined.memory.wired.service.runs.undo(OWNER, run)
        crashing = CrashingTable(joined.memory.sqlite)
        other = dying(joined, folder, crashing)
        other.clock.turn(joined.memory.clock.now() - other.clock.now())
        crashing.crash_at(operation, is_after=operation % 2 == 1)
        try:
            other.wired.worker(Work(Job.RUN, run), run_driving.unlimited)
            is_over = True
        except Crashed:
            is_over = False
        crashing.live_on()

        joined.work()  # a day later: the lease of the dead worker has ended
        run_driving.work(joined.memory)

        assert joined.stand() == TWO
        assert (joined.said(joined.old), pending(joined.memory)) == ([TEA, AGAIN, TEA], [])
        assert run_driving.run(joined.memory, run).status is RunStatus.UNDONE
        joined.memory.sqlite.close()
        if is_over:
            break
    assert operation > 5


class Beside(Joined):
    """The same, over a table in which somebody acts beside the undo."""

    def beside(self, folder: Path, act: Callable[[Joined], object]) -> str:
        run = self.join()
        self.memory.wired.service.runs.undo(OWNER, run)
        table = InterposingTable(self.memory.sqlite)
        model = PricedModel(self.model, PRICE)
        other = install(folder, table=table, sqlite=self.memory.sqlite, prepare=False, model=model)
        other.clock.turn(self.memory.clock.now() - other.clock.now())

        def is_the_parting(name: str, call: Call) -> bool:
            return name == "transact" and len(call) > 6  # type: ignore[arg-type]

        table.interpose(is_the_parting, lambda: act(self))
        other.wired.worker(Work(Job.RUN, run), run_driving.unlimited)
        assert run_driving.run(self.memory, run).status is RunStatus.UNDONE
        return self.item(run)[0]


@pytest.mark.parametrize(
    ("act", "comes_to", "stand"),
    [
        (update, "kept", [(State.LIVE, "Marta drinks green tea at noon", False), ONE[1]]),
        (
            lambda joined: joined.memory.wired.service.annotate(
                OWNER, VersionRef(joined.old), Annotation(tags=("drinks",))
            ),
            "undone",
            TWO,
        ),
    ],
    ids=["update", "tag"],
)
def test_an_undo_beside_a_change_comes_to_what_it_would_after_it(
    tmp_path: Path, act: Callable[[Joined], object], comes_to: str, stand: object
) -> None:
    joined = Beside(tmp_path)

    assert joined.beside(tmp_path, act) == comes_to

    assert joined.stand() == stand
    joined.memory.sqlite.close()


def test_what_contradicts_more_than_one_join_can_begin_conflicts_with_is_found_and_all_of_it_is_taken_back(
    tmp_path: Path,
) -> None:
    judging = Joined(tmp_path)
    service, memory = judging.memory.wired.service, judging.memory
    drafts = [Draft(f"Marta drinks only juice number {n}", judge=JudgeMode.OFF) for n in range(MOST + 2)]
    others = [service.remember(OWNER, draft).memory.version.ref for draft in drafts]
    against = tuple(Opinion(ref, Relation.CONTRADICTORY, 0.9, "not both", "a model") for ref in others)
    same = Opinion(VersionRef(judging.old, 1), Relation.IDENTICAL, 0.95, "the same", "a model")
    steps, disputes = service.resolve.sides.steps, service.resolve.disputes
    later = JudgeLater(
        lambda space, belief: Verdict("a model", same, against),
        Unjudged(memory.sqlite),
        Confront(steps, disputes),
        Join(steps, disputes),
        service.remember.notice,
    )
    (waiting,) = Unjudged(memory.sqlite).due(memory.clock.now(), 10)

    assert later(waiting)

    assert (len(pending(memory)), judging.read(judging.old).head.open_conflicts) == (MOST, MOST)
    findings = service.findings.page(OWNER, FindingQuery()).findings
    assert {each.finding.existing for each in findings} == set(others[MOST:])
    judging.undo(judging.runs()[0].id)
    assert (judging.stand(), pending(memory)) == (TWO, [])
    assert not any(judging.read(each.root).head.is_disputed for each in others)
    assert service.findings.page(OWNER, FindingQuery()).findings == ()
    memory.sqlite.close()
