"""Each step of a belief, whole: what is left as it was is compared as well as what changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.domain import lineage
from palimpsest.domain.belief import Absence, Annotations, Head, State
from palimpsest.domain.errors import VersionMoved, WrongState
from palimpsest.domain.ids import ErasureId, KeyId, RootId, RunId, SpaceId
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.version import Because, MemoryType, Reason, Statement, Version

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = BEGAN + timedelta(hours=1)
BY = Stamp(BEGAN + timedelta(microseconds=7), KeyId("owner"), RunId("run_1"))
AGAIN = Stamp(LATER + timedelta(microseconds=7), KeyId("writer"), RunId("run_2"))
TAGGED = Annotations(tags=("a", "b"), pinned=True, importance=2.0, expires_at=LATER)
ROOT, SPACE = RootId("mem_1"), SpaceId("s")
WINDOW = timedelta(days=30)


def said(content: str) -> Statement:
    return Statement(content, asserted_at=BEGAN, memory_type=MemoryType.PREFERENCE, metadata='{"a": 1}')


def begun(*, embedded: bool = True) -> Step:
    return lineage.begin(ROOT, SPACE, said("one"), BY, annotations=TAGGED, embedded=embedded)


def sealed(version: Version) -> Version:
    return replace(version, content_hash=version.expected_hash())


FIRST = sealed(Version(ROOT, 1, 1, said("one"), BEGAN, BY.by, BY.run, Reason.SAVED, None, None, ""))
HEAD = Head(
    root=ROOT,
    space=SPACE,
    state=State.LIVE,
    current=1,
    count=1,
    revision=1,
    created_at=BEGAN,
    changed_at=BEGAN,
    recorded_at=BEGAN,
    annotations=TAGGED,
    embedded=1,
    owns_text=True,
)
GONE = replace(HEAD, state=State.FORGOTTEN, revision=2, changed_at=LATER, owns_text=False, restore_until=LATER + WINDOW)


def at(stamp: Stamp, moment: datetime) -> Stamp:
    return replace(stamp, at=moment)


@pytest.mark.parametrize("embedded", [True, False])
def test_a_belief_begins(embedded: bool) -> None:
    step = begun(embedded=embedded)

    assert step == Step(None, replace(HEAD, embedded=int(embedded)), FIRST, Reason.SAVED, at(BY, BEGAN))


@pytest.mark.parametrize("embedded", [True, False])
@pytest.mark.parametrize("annotations", [None, Annotations()])
@pytest.mark.parametrize(
    ("because", "reason"),
    [(Because.CHANGED, Reason.UPDATED), (Because.CORRECTED, Reason.UPDATED), (None, Reason.RESTATED)],
)
def test_a_version_stands_over_the_one_before(
    embedded: bool, annotations: Annotations | None, because: Because | None, reason: Reason
) -> None:
    before = replace(HEAD, owns_text=False)

    step = lineage.revise(
        before,
        FIRST,
        said("two"),
        AGAIN,
        because=because,
        embedded=embedded,
        annotations=annotations,
        expected_version=1,
        reason=reason,
    )

    hash_before = FIRST.content_hash
    added = Version(ROOT, 2, 2, said("two"), LATER, AGAIN.by, AGAIN.run, reason, because, hash_before, "")
    after = replace(
        HEAD,
        current=2,
        count=2,
        revision=2,
        changed_at=LATER,
        recorded_at=LATER,
        embedded=2 if embedded else 1,
        begins=LATER if because is Because.CHANGED else None,
        last_begin=LATER if because is Because.CHANGED else None,
        annotations=TAGGED if annotations is None else annotations,
    )
    assert step == Step(before, after, sealed(added), reason, at(AGAIN, LATER))


def test_an_update_says_why_it_was_made_unless_told_otherwise() -> None:
    step = lineage.revise(HEAD, FIRST, said("two"), AGAIN, because=Because.CHANGED, embedded=True)

    assert (step.reason, step.added.reason) == (Reason.UPDATED, Reason.UPDATED)


@pytest.mark.parametrize("embedded", [True, False])
def test_what_an_old_version_said_becomes_a_new_one(embedded: bool) -> None:
    second = lineage.revise(HEAD, FIRST, said("two"), AGAIN, because=Because.CHANGED, embedded=True)
    then = at(AGAIN, LATER + WINDOW)

    step = lineage.revert(second.after, second.added, FIRST, then, embedded=embedded, expected_version=2)

    added = Version(
        ROOT, 3, 3, said("one"), then.at, then.by, then.run, Reason.REVERTED, None, second.added.content_hash, "", "1"
    )
    after = replace(
        second.after,
        current=3,
        count=3,
        revision=3,
        changed_at=then.at,
        recorded_at=then.at,
        embedded=3 if embedded else 2,
        begins=None,
    )
    assert step == Step(second.after, after, sealed(added), Reason.REVERTED, then)


def test_a_revert_expects_the_version_that_it_is_told_to_expect() -> None:
    second = lineage.revise(HEAD, FIRST, said("two"), AGAIN, because=Because.CHANGED, embedded=True)

    with pytest.raises(VersionMoved) as refused:
        lineage.revert(second.after, second.added, FIRST, AGAIN, embedded=True, expected_version=1)

    assert (refused.value.expected, refused.value.current) == (1, 2)


def test_a_revert_to_what_is_current_is_refused() -> None:
    with pytest.raises(WrongState, match=r"^version 1 is the current one; there is nothing to revert$") as refused:
        lineage.revert(HEAD, FIRST, FIRST, AGAIN, embedded=True)

    assert refused.value.state is State.LIVE


def test_an_annotation_changes_the_annotations_alone() -> None:
    step = lineage.annotate(HEAD, Annotations(tags=("c",)), AGAIN)

    after = replace(HEAD, revision=2, changed_at=LATER, annotations=Annotations(tags=("c",)))
    assert step == Step(HEAD, after, None, Reason.ANNOTATED, at(AGAIN, LATER))


def test_a_forgotten_belief_can_be_restored_until_its_window_ends() -> None:
    step = lineage.forget(HEAD, AGAIN, window=WINDOW)

    assert step == Step(HEAD, GONE, None, Reason.FORGOTTEN, at(AGAIN, LATER))


@pytest.mark.parametrize("has_vectors", [True, False])
def test_a_restored_belief_is_as_it_was(has_vectors: bool) -> None:
    then = at(AGAIN, LATER + WINDOW)

    step = lineage.restore(GONE, then, has_vectors=has_vectors)

    after = replace(HEAD, revision=3, changed_at=then.at, embedded=int(has_vectors))
    assert HEAD.is_expired(then.at)
    after = replace(after, annotations=replace(TAGGED, expires_at=None))  # or it would be forgotten again at once
    assert step == Step(GONE, after, None, Reason.RESTORED, then)


def test_a_restored_belief_keeps_an_expiry_that_lies_ahead() -> None:
    ahead = replace(TAGGED, expires_at=LATER + 2 * WINDOW)

    step = lineage.restore(replace(GONE, annotations=ahead), AGAIN, has_vectors=True)

    assert step.after.annotations == ahead


def test_a_restore_comes_too_late_after_the_window() -> None:
    too_late = at(AGAIN, LATER + WINDOW + timedelta(milliseconds=1))

    with pytest.raises(WrongState, match=r"^the recovery window of this memory is over$") as refused:
        lineage.restore(GONE, too_late, has_vectors=True)

    assert refused.value.state is State.FORGOTTEN


def test_without_an_end_of_its_window_nothing_is_restored() -> None:
    with pytest.raises(WrongState, match=r"^the recovery window of this memory is over$"):
        lineage.restore(replace(GONE, restore_until=None), AGAIN, has_vectors=True)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: lineage.restore(HEAD, AGAIN, has_vectors=True), "this memory is not forgotten"),
        (lambda: lineage.forget(GONE, AGAIN, window=WINDOW), "this memory is forgotten already"),
        (lambda: lineage.annotate(GONE, TAGGED, AGAIN), "this memory is forgotten; restore it first"),
        (
            lambda: lineage.revise(GONE, FIRST, said("x"), AGAIN, because=Because.CHANGED, embedded=True),
            "this memory is forgotten; restore it first",
        ),
        (
            lambda: lineage.revert(GONE, FIRST, FIRST, AGAIN, embedded=True),
            "this memory is forgotten; restore it first",
        ),
        (lambda: lineage.is_said(GONE, FIRST, said("one")), "this memory is forgotten; restore it first"),
    ],
)
def test_a_step_that_does_not_fit_the_state_is_refused_with_what_to_do(
    refused: Callable[[], object], message: str
) -> None:
    with pytest.raises(WrongState) as error:
        refused()

    assert str(error.value) == message
    assert error.value.state in (State.LIVE, State.FORGOTTEN)


def test_vectors_that_came_later_are_noted() -> None:
    waiting = replace(HEAD, embedded=0)

    step = lineage.mark_embedded(waiting, 1, AGAIN)

    after = replace(HEAD, revision=2, changed_at=LATER)
    assert step == Step(waiting, after, None, Reason.EMBEDDED, at(AGAIN, LATER))
    assert lineage.mark_embedded(HEAD, 1, AGAIN) is None


def test_a_step_is_never_made_before_the_one_before_it() -> None:
    late = replace(HEAD, changed_at=LATER + WINDOW)

    step = lineage.annotate(late, Annotations(), AGAIN)

    assert (step.after.changed_at, step.stamp.at) == (LATER + WINDOW, LATER + WINDOW)


def test_every_broken_link_is_found() -> None:
    second = lineage.revise(HEAD, FIRST, said("two"), AGAIN, because=Because.CHANGED, embedded=True).added
    forged = replace(second, statement=said("three"))

    assert lineage.broken_links([FIRST, second]) == []
    assert lineage.broken_links([FIRST, forged]) == [2]
    assert lineage.broken_links([replace(FIRST, number=2), second]) == [1]
    assert lineage.broken_links([FIRST, sealed(replace(second, previous_hash="x"))]) == [2]
    assert lineage.broken_links([replace(FIRST, previous_hash="x"), second]) == [1]


@pytest.mark.parametrize("state", [State.LIVE, State.RETIRED, State.FORGOTTEN])
def test_an_erased_belief_keeps_nothing_that_tells_of_it(state: State) -> None:
    told = replace(
        GONE,
        state=state,
        revision=4,
        open_conflicts=2,
        merged_into=RootId("mem_2"),
        begins=BEGAN,
        last_begin=BEGAN,
        absences=(Absence(BEGAN),),
    )

    step = lineage.erase(told, AGAIN, ErasureId("era_1"))

    bare = replace(HEAD, state=State.ERASING, annotations=Annotations(), owns_text=False)
    after = replace(bare, revision=5, changed_at=LATER)
    assert step == Step(told, after, None, Reason.ERASED, at(AGAIN, LATER), "era_1")


@pytest.mark.parametrize("state", [State.ERASING, State.ERASED])
def test_what_is_erased_can_not_be_erased_again(state: State) -> None:
    with pytest.raises(WrongState, match=r"^this memory is being erased already$") as refused:
        lineage.erase(replace(HEAD, state=state), AGAIN, ErasureId("era_1"))

    assert refused.value.state is state


def test_a_version_that_begins_at_some_time_is_noted_in_the_head() -> None:
    begins = BEGAN - timedelta(days=9)
    dated = replace(said("two"), valid_from=begins)

    step = lineage.revise(replace(HEAD, last_begin=LATER), FIRST, dated, AGAIN, because=Because.CHANGED, embedded=True)

    assert (step.after.begins, step.after.last_begin) == (begins, LATER)


def test_an_expiry_that_has_passed_is_not_restored() -> None:
    step = lineage.restore(replace(GONE, annotations=TAGGED), at(AGAIN, LATER), has_vectors=True)
    earlier = lineage.restore(GONE, at(AGAIN, LATER - timedelta(seconds=1)), has_vectors=True)

    assert step.after.annotations == replace(TAGGED, expires_at=None)
    assert earlier.after.annotations == TAGGED


def test_what_was_retired_before_it_was_forgotten_is_restored_retired() -> None:
    retired = replace(GONE, absences=(Absence(BEGAN),), embedded=0, merged_into=RootId("mem_2"))

    step = lineage.restore(retired, at(AGAIN, LATER), has_vectors=True)

    assert step.after == replace(
        retired,
        state=State.RETIRED,
        revision=3,
        changed_at=LATER,
        restore_until=None,
        annotations=replace(TAGGED, expires_at=None),
    )


@pytest.mark.parametrize("begins", [None, BEGAN - timedelta(days=9)])
def test_what_is_reverted_to_begins_when_it_began(begins: datetime | None) -> None:
    old = sealed(replace(FIRST, statement=replace(said("one"), valid_from=begins)))
    second = lineage.revise(HEAD, FIRST, said("two"), AGAIN, because=Because.CHANGED, embedded=True)

    step = lineage.revert(second.after, second.added, old, AGAIN, embedded=True)

    assert step.after.begins == begins
