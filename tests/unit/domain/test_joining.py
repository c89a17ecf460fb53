"""One belief goes into another, and comes out of it: the steps, whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.domain import joining, lineage
from palimpsest.domain.belief import Absence, Annotations, State
from palimpsest.domain.errors import CorruptItem, WrongState
from palimpsest.domain.ids import ConflictId, KeyId, RootId, RunId, SpaceId, VersionRef
from palimpsest.domain.joining import Joined
from palimpsest.domain.moving import Stamp, Step
from palimpsest.domain.run import Phase, Run, RunKind, RunStatus
from palimpsest.domain.run_plan import Counts, PlanItem
from palimpsest.domain.version import Because, Reason, Statement
from palimpsest.stores import joined_codec

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = BEGAN + timedelta(hours=1)
STAMP = Stamp(LATER, KeyId("k"), RunId("run_1"))
OTHER = RootId("mem_2")
HAD = Annotations(("tea", "home"), pinned=False, importance=2.0, expires_at=LATER)
SAID = Statement("one", asserted_at=BEGAN)
BEGUN = lineage.begin(
    RootId("mem_1"), SpaceId("s"), SAID, replace(STAMP, at=BEGAN, run=None), annotations=HAD, embedded=True
)
HEAD, FIRST = BEGUN.after, BEGUN.added
GONE = joining.join(HEAD, STAMP, into=OTHER)


def restated(annotations: Annotations) -> Step:
    said = replace(SAID, content="the same")
    return lineage.revise(
        HEAD, FIRST, said, STAMP, because=None, embedded=True, annotations=annotations, reason=Reason.RESTATED
    )


def test_what_goes_into_another_leaves_recall_and_says_where_it_is() -> None:
    after = replace(
        HEAD,
        state=State.RETIRED,
        merged_into=OTHER,
        owns_text=False,
        revision=2,
        changed_at=LATER,
        absences=(Absence(LATER),),
    )
    made = joining.join(HEAD, STAMP, into=OTHER)
    assert made == Step(HEAD, after, None, Reason.RETIRED, STAMP)
    with pytest.raises(WrongState):
        joining.join(made.after, STAMP, into=OTHER)


@pytest.mark.parametrize("has_vectors", [True, False])
def test_what_is_parted_is_as_it_was_and_nothing_more(has_vectors: bool) -> None:
    made = joining.part(GONE.after, STAMP, has_vectors=has_vectors)

    after = replace(HEAD, revision=3, changed_at=LATER, embedded=int(has_vectors), absences=(Absence(LATER, LATER),))
    assert made == Step(GONE.after, after, None, Reason.REINSTATED, STAMP)


def test_what_was_said_before_is_the_newest_version_with_the_marks_that_were() -> None:
    step = restated(Annotations(("tea", "home", "green"), pinned=True))

    made = joining.unsay(step.after, step.added, FIRST, STAMP, embedded=True, annotations=HAD)

    added = made.added
    assert (added.number, added.statement, added.run) == (3, SAID, STAMP.run)
    assert (added.reason, added.because, added.note) == (Reason.REINSTATED, Because.CORRECTED, None)
    assert (made.after.annotations, made.after.current, made.after.embedded) == (HAD, 3, 3)


def test_a_join_keeps_how_many_tags_there_were_and_no_tag() -> None:
    step = restated(Annotations(("tea", "home", "green"), pinned=True))

    joined = joining.joined(HEAD, step, (ConflictId("cfl_1"),))

    marks = replace(HAD, tags=())
    assert joined == Joined(VersionRef(HEAD.root, 1), 2, (ConflictId("cfl_1"),), 2, marks)
    assert joined.before(step.after.annotations) == HAD
    assert not any(tag in joined_codec.written(joined) for tag in step.after.annotations.tags)


def test_marks_that_the_join_did_not_keep_are_not_brought_back() -> None:
    others = Annotations(("green",))

    joined = joining.joined(HEAD, restated(others), ())

    assert joined.tags is None
    assert joined.before(others) == others
    assert joining.joined(HEAD, None, ()) == Joined(VersionRef(HEAD.root, 1))


@pytest.mark.parametrize(
    "joined",
    [
        Joined(VersionRef(OTHER, 7)),
        Joined(VersionRef(OTHER, 1), 2, (), None, replace(HAD, tags=())),
        Joined(VersionRef(OTHER, 1), 2, (ConflictId("cfl_1"), ConflictId("cfl_2")), 0, Annotations(importance=0.1)),
        Joined(VersionRef(OTHER, 1), 2, (), 2, replace(HAD, tags=(), pinned=True)),
    ],
)
def test_what_a_join_did_is_read_as_it_was_written(joined: Joined) -> None:
    item = PlanItem("mem_1", 1, detail=joined_codec.written(joined))

    read = joined_codec.read(RunId("run_1"), item)

    assert read == (joined if joined.tags is not None else replace(joined, marks=Annotations()))


@pytest.mark.parametrize("detail", ["", "[]", "{}", "7", '{"into": 7}', '{"into": "mem_2@x"}', '{"into": "mem_2@1"'])
def test_what_is_no_word_of_a_join_is_said_to_be_corrupt(detail: str) -> None:
    with pytest.raises(CorruptItem):
        joined_codec.read(RunId("run_1"), PlanItem("mem_1", 1, detail=detail))


def test_a_run_that_is_done_as_it_begins_can_only_be_undone() -> None:
    run = Run.done(RunId("run_1"), RunKind.RESTATE, SpaceId("s"), STAMP, PlanItem("mem_1", 1, 2))

    assert (run.status, run.phase, run.pages, run.page) == (RunStatus.SUCCESS, Phase.OVER, 1, 1)
    assert run.counts == Counts(planned=1, changes=2, applied=1)
    assert (run.begun_at, run.finished_at, run.by) == (LATER, LATER, STAMP.by)
    with pytest.raises(WrongState):
        run.stopped(LATER)
    assert (run.undoing().phase, run.undoing().page) == (Phase.UNDOING, 0)
