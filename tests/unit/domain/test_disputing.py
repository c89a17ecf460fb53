"""The steps of beliefs in conflict, whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.domain import disputing, lineage
from palimpsest.domain.belief import Absence, Annotations, Head, State
from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import ConflictId, KeyId, RootId, RunId, SpaceId
from palimpsest.domain.moving import Stamp, Step
from palimpsest.domain.version import Because, Reason, Statement, Version

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = BEGAN + timedelta(hours=1)
STAMP = Stamp(LATER, KeyId("owner"), RunId("run_1"))
CONFLICT, OTHER = ConflictId("cfl_1"), RootId("mem_2")


def said(content: str, valid_from: datetime | None = None) -> Statement:
    return Statement(content, asserted_at=BEGAN, valid_from=valid_from)


BEGUN = lineage.begin(
    RootId("mem_1"), SpaceId("s"), said("one"), replace(STAMP, at=BEGAN), annotations=Annotations(), embedded=True
)
FIRST = BEGUN.added
HEAD = replace(BEGUN.after, open_conflicts=2)
MOVED = replace(HEAD, revision=2, changed_at=LATER)
RETIRED = replace(
    MOVED, state=State.RETIRED, merged_into=OTHER, owns_text=False, open_conflicts=1, absences=(Absence(LATER),)
)


def version(statement: Statement, reason: Reason, because: Because) -> Version:
    begun = Version(
        root=HEAD.root,
        number=2,
        revision=2,
        statement=statement,
        recorded_at=LATER,
        created_by=STAMP.by,
        run=STAMP.run,
        reason=reason,
        because=because,
        previous_hash=FIRST.content_hash,
        content_hash="",
        note=CONFLICT,
    )
    return replace(begun, content_hash=begun.expected_hash())


@pytest.mark.parametrize("step", [disputing.dispute, disputing.dispute_again])
def test_a_disputed_belief_is_part_of_one_more_conflict(step: Callable[[Head, Stamp, ConflictId], Step]) -> None:
    made = step(HEAD, STAMP, CONFLICT)

    assert made == Step(HEAD, replace(MOVED, open_conflicts=3), None, Reason.DISPUTED, STAMP, CONFLICT)


def test_a_step_can_begin_several_conflicts() -> None:
    assert disputing.disputed(BEGUN, 2) == replace(BEGUN, after=replace(BEGUN.after, open_conflicts=2))


@pytest.mark.parametrize(("conflicts", "left"), [(2, 1), (1, 0), (0, 0)])
def test_a_settled_belief_is_part_of_one_conflict_less(conflicts: int, left: int) -> None:
    before = replace(HEAD, open_conflicts=conflicts)

    made = disputing.settle(before, STAMP, CONFLICT)

    assert made == Step(before, replace(MOVED, open_conflicts=left), None, Reason.RESOLVED, STAMP, CONFLICT)


@pytest.mark.parametrize(("begins", "because"), [(None, Because.CORRECTED), (BEGAN, Because.CHANGED)])
@pytest.mark.parametrize("embedded", [True, False])
def test_a_text_that_was_decided_for_is_the_next_version(
    begins: datetime | None, because: Because, embedded: bool
) -> None:
    made = disputing.take_over(HEAD, FIRST, said("two", begins), STAMP, CONFLICT, embedded=embedded)

    after = replace(
        MOVED,
        current=2,
        count=2,
        recorded_at=LATER,
        embedded=2 if embedded else 1,
        open_conflicts=1,
        begins=made.after.begins,
        last_begin=made.after.last_begin,
    )
    added = version(said("two", begins), Reason.RESOLVED, because)
    assert (made.before, made.after, made.version) == (HEAD, after, added)
    assert (made.reason, made.stamp) == (Reason.RESOLVED, STAMP)


def test_a_retired_belief_says_where_it_went_and_since_when() -> None:
    made = disputing.retire(HEAD, STAMP, CONFLICT, into=OTHER)

    assert made == Step(HEAD, RETIRED, None, Reason.RETIRED, STAMP, CONFLICT)


@pytest.mark.parametrize("has_vectors", [True, False])
def test_a_reinstated_belief_is_as_it_was_and_disputed_again(has_vectors: bool) -> None:
    made = disputing.reinstate(RETIRED, STAMP, CONFLICT, has_vectors=has_vectors)

    after = replace(HEAD, revision=3, changed_at=LATER, embedded=int(has_vectors), absences=(Absence(LATER, LATER),))
    assert made == Step(RETIRED, after, None, Reason.REINSTATED, STAMP, CONFLICT)


@pytest.mark.parametrize("embedded", [True, False])
def test_a_decision_that_is_taken_back_is_followed_by_what_was_said_before(embedded: bool) -> None:
    made = disputing.take_back(HEAD, FIRST, replace(FIRST, statement=said("zero")), STAMP, CONFLICT, embedded=embedded)

    after = replace(MOVED, current=2, count=2, recorded_at=LATER, embedded=2 if embedded else 1, open_conflicts=3)
    added = version(said("zero"), Reason.REINSTATED, Because.CORRECTED)
    assert (made.before, made.version) == (HEAD, added)
    assert replace(made.after, begins=None, last_begin=None) == after
    assert (made.reason, made.stamp) == (Reason.REINSTATED, STAMP)


@pytest.mark.parametrize(
    "step",
    [
        lambda: disputing.dispute(RETIRED, STAMP, CONFLICT),
        lambda: disputing.settle(RETIRED, STAMP, CONFLICT),
        lambda: disputing.retire(RETIRED, STAMP, CONFLICT, into=OTHER),
        lambda: disputing.take_over(RETIRED, FIRST, said("x"), STAMP, CONFLICT, embedded=True),
        lambda: disputing.take_back(RETIRED, FIRST, FIRST, STAMP, CONFLICT, embedded=True),
    ],
)
def test_only_what_is_live_is_disputed_or_decided_on(step: Callable[[], Step]) -> None:
    with pytest.raises(WrongState) as refused:
        step()

    assert refused.value.state is State.RETIRED
