from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.domain import lineage
from palimpsest.domain.belief import Annotations, Head, State, Status
from palimpsest.domain.errors import VersionMoved, WrongState
from palimpsest.domain.ids import KeyId, RootId, SpaceId
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.version import Because, Reason, Statement, Version

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
STAMP = Stamp(NOW, KeyId("owner"))
DAY = timedelta(days=1)


def said(content: str) -> Statement:
    return Statement(content, asserted_at=NOW)


def begun() -> tuple[Head, Version]:
    step = lineage.begin(RootId("mem_1"), SpaceId("s"), said("one"), STAMP, annotations=Annotations(), embedded=True)
    return step.after, step.added


def updated(head: Head, version: Version, content: str, at: datetime = NOW) -> Step:
    stamp = replace(STAMP, at=at)
    return lineage.revise(head, version, said(content), stamp, because=Because.CORRECTED, embedded=True)


def test_a_belief_begins_with_one_current_version() -> None:
    head, version = begun()

    assert (head.current, head.count, head.revision, head.state) == (1, 1, 1, State.LIVE)
    assert head.status(1) is Status.CURRENT
    assert version.previous_hash is None
    assert version.recorded_at == NOW


def test_an_update_stands_over_the_version_before_and_links_to_its_hash() -> None:
    head, first = begun()

    step = updated(head, first, "two", NOW + DAY)

    assert step.after.status(1) is Status.STALE
    assert step.after.status(2) is Status.CURRENT
    assert step.added.previous_hash == first.content_hash
    assert step.after.revision == head.revision + 1


def test_versions_are_recorded_one_after_the_other_even_when_the_clock_goes_back() -> None:
    head, first = begun()

    step = updated(head, first, "two", NOW - DAY)

    assert step.added.recorded_at == NOW + timedelta(milliseconds=1)


def test_an_expected_version_that_is_not_current_is_refused() -> None:
    head, first = begun()

    with pytest.raises(VersionMoved) as refused:
        lineage.revise(head, first, said("x"), STAMP, because=Because.CHANGED, embedded=True, expected_version=2)

    assert (refused.value.expected, refused.value.current) == (2, 1)


def test_a_revert_repeats_the_old_statement_as_a_new_version() -> None:
    head, first = begun()
    step = updated(head, first, "two")

    back = lineage.revert(step.after, step.added, first, STAMP, embedded=True)

    assert back.added.number == 3
    assert back.added.statement == first.statement
    assert (back.reason, back.added.note) == (Reason.REVERTED, "1")


def test_the_current_version_can_not_be_reverted_to() -> None:
    head, first = begun()

    with pytest.raises(WrongState):
        lineage.revert(head, first, first, STAMP, embedded=True)


def test_a_forgotten_belief_takes_no_step_but_restore() -> None:
    head, first = begun()
    gone = lineage.forget(head, STAMP, window=DAY).after

    assert gone.status(1) is Status.FORGOTTEN
    with pytest.raises(WrongState):
        updated(gone, first, "two")
    with pytest.raises(WrongState):
        lineage.annotate(gone, Annotations(pinned=True), STAMP)
    with pytest.raises(WrongState):
        lineage.forget(gone, STAMP, window=DAY)
    assert lineage.restore(gone, STAMP, has_vectors=True).after.state is State.LIVE


def test_restore_ends_with_the_recovery_window() -> None:
    head, _ = begun()
    gone = lineage.forget(head, STAMP, window=DAY).after

    assert lineage.restore(gone, replace(STAMP, at=NOW + DAY), has_vectors=True).after.state is State.LIVE
    with pytest.raises(WrongState):
        lineage.restore(gone, replace(STAMP, at=NOW + DAY + timedelta(milliseconds=1)), has_vectors=True)
    with pytest.raises(WrongState):
        lineage.restore(head, STAMP, has_vectors=True)


def test_vectors_of_an_older_version_do_not_count_once_a_newer_one_has_some() -> None:
    head, _ = begun()

    assert lineage.mark_embedded(head, 1, STAMP) is None
    waiting = replace(head, current=2, count=2)
    step = lineage.mark_embedded(waiting, 2, STAMP)
    assert step is not None
    assert step.after.embedded == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda v: replace(v, statement=replace(v.statement, content="forged")),
        lambda v: replace(v, recorded_at=v.recorded_at + DAY),
        lambda v: replace(v, previous_hash="0" * 64),
        lambda v: replace(v, created_by=KeyId("somebody")),
        lambda v: replace(v, number=7),
    ],
)
def test_a_changed_row_breaks_the_chain_at_its_place(damage: object) -> None:
    head, first = begun()
    second = updated(head, first, "two").added

    assert lineage.broken_links([first, second]) == []
    assert lineage.broken_links([first, damage(second)]) == [2]  # type: ignore[operator]


def test_a_version_that_was_sealed_anew_breaks_the_link_of_the_next() -> None:
    head, first = begun()
    second = updated(head, first, "two").added
    forged = replace(first, statement=said("forged"))
    forged = replace(forged, content_hash=forged.expected_hash())

    assert lineage.broken_links([forged, second]) == [2]


def test_giving_up_a_judgement_is_a_step_that_changes_nothing_else() -> None:
    head, _ = begun()

    step = lineage.give_up(head, replace(STAMP, at=NOW + DAY))

    assert (step.reason, step.version, step.stamp) == (Reason.UNJUDGED, None, replace(STAMP, at=NOW + DAY))
    assert step.after == replace(head, revision=2, changed_at=NOW + DAY)
