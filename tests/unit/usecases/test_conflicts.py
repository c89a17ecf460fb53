"""What begins a conflict, and how it shows; trust decides what may replace what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from palimpsest.domain.conflict import Action, ConflictState
from palimpsest.domain.errors import NotAllowed
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ConflictId, VersionRef
from palimpsest.domain.judgement import Verdict
from palimpsest.domain.source import Trust
from palimpsest.usecases.drafts import Choice, Draft, Outcome, Revision, SourceClaim
from palimpsest.usecases.judging import Asked
from palimpsest.usecases.readings import ConflictQuery, ListQuery
from tests.support.conflicting import (
    KEEP_EXISTING,
    KEEP_NEW,
    LIVES_IN_BOTH,
    MERGE,
    WRITER,
    Towns,
    opinion,
    pending,
    save,
)
from tests.support.installation import OWNER, Installation

# --- what begins one ---


def test_both_sides_of_a_conflict_stay_current_and_recallable_and_are_disputed(towns: Towns) -> None:
    assert towns.stand() == LIVES_IN_BOTH
    assert set(towns.memory.recalled("where does Ola live")) == {"Ola lives in Gdańsk", "Ola lives in Kraków"}
    listed = towns.memory.wired.service.list_memories(OWNER, ListQuery()).memories
    assert [each.head.is_disputed for each in listed] == [True, True]


def test_a_conflict_is_listed_with_both_sides_in_full(towns: Towns) -> None:
    (shown,) = towns.memory.wired.service.conflicts(OWNER, ConflictQuery()).conflicts

    conflict = shown.conflict
    assert (conflict.id, conflict.state, conflict.judged_by, conflict.reason) == (
        towns.id,
        "pending",
        "a model",
        "two towns",
    )
    assert (shown.existing.version.root, shown.incoming.version.root) == (towns.old, towns.new)
    assert shown.existing.version.statement.content == "Ola lives in Gdańsk"
    assert conflict.similarity == pytest.approx(0.91)


def test_a_save_that_contradicts_several_beliefs_begins_a_conflict_with_each(memory: Installation) -> None:
    olds = [
        memory.wired.service.remember(OWNER, Draft(text)) for text in ("Ola lives in Gdańsk", "Ola's flat is in Sopot")
    ]

    new = save(memory, Draft("Ola lives in Kraków"), *olds)

    assert (new.outcome, new.memory.head.open_conflicts) == (Outcome.CONFLICT, 2)
    assert new.conflict_id in pending(memory)
    assert len(pending(memory)) == 2


def test_a_contradiction_is_not_missed_because_another_candidate_says_the_same(memory: Installation) -> None:
    """memloom 1.3: if one candidate is identical and another contradictory, the contradiction is dropped silently."""
    old = memory.wired.service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    same = memory.wired.service.remember(OWNER, Draft("Kraków is where Ola lives"))

    saved = save(memory, Draft("Ola lives in Kraków"), old, same=same)

    assert (saved.outcome, saved.replaced) == (Outcome.VERSIONED, str(same.memory.version.ref))
    assert pending(memory) == [saved.conflict_id]
    (shown,) = memory.wired.service.conflicts(OWNER, ConflictQuery()).conflicts
    assert shown.conflict.incoming == saved.memory.version.ref
    assert shown.existing.head.is_disputed
    assert shown.incoming.head.is_disputed


def test_the_judge_is_asked_again_when_what_is_contradicted_has_moved(memory: Installation) -> None:
    service = memory.wired.service
    old = service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    verdicts = [Verdict("a model", contradictory=(opinion(old),)), Verdict("a model")]

    def judge(asked: Sequence[Asked]) -> Sequence[Verdict]:
        if len(verdicts) == 2:
            service.revise(OWNER, VersionRef(old.memory.head.root), Revision("Ola lives in Kraków, too"))
        return [verdicts.pop(0)] * len(asked)

    saved = replace(service.remember, judge=judge)(OWNER, Draft("Ola lives in Kraków"))

    assert saved.outcome is Outcome.ADDED
    assert pending(memory) == []


def test_a_repeated_request_is_told_of_the_conflict_that_it_began(memory: Installation) -> None:
    old = memory.wired.service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    verdict = Verdict("a model", contradictory=(opinion(old),))
    remember = replace(memory.wired.service.remember, judge=lambda asked: [verdict] * len(asked))
    request = Idempotency("again", b"body")

    told = [remember(OWNER, Draft("Ola lives in Kraków"), request) for _ in range(2)]

    assert told[0].conflict_id is not None
    assert [(each.outcome, each.conflict_id) for each in told] == [(Outcome.CONFLICT, told[0].conflict_id)] * 2


# --- trust ---


def test_an_update_by_lower_trust_becomes_a_conflict(memory: Installation) -> None:
    service = memory.wired.service
    root = service.remember(OWNER, Draft("Ola lives in Gdańsk")).memory.head.root

    revised = service.revise(WRITER, VersionRef(root), Revision("Ola lives in Kraków"))

    assert (revised.outcome, revised.memory.version.statement.source.trust) == (Outcome.CONFLICT, Trust.A2)
    assert revised.memory.head.root != root
    assert service.read(OWNER, VersionRef(root)).version.statement.content == "Ola lives in Gdańsk"
    assert pending(memory) == [revised.conflict_id]
    assert set(memory.recalled("where does Ola live")) == {"Ola lives in Gdańsk", "Ola lives in Kraków"}


def test_the_same_update_by_lower_trust_again_begins_nothing_more(memory: Installation) -> None:
    service = memory.wired.service
    root = service.remember(OWNER, Draft("Ola lives in Gdańsk")).memory.head.root

    told = [service.revise(WRITER, VersionRef(root), Revision("Ola lives in Kraków")) for _ in range(2)]

    assert told[0].conflict_id == told[1].conflict_id
    assert told[0].memory.head.root == told[1].memory.head.root
    assert len(service.list_memories(OWNER, ListQuery()).memories) == 2


def test_an_update_by_lower_trust_to_what_another_belief_says_disputes_that_one(memory: Installation) -> None:
    service = memory.wired.service
    root, other = (
        service.remember(OWNER, Draft(f"Ola lives in {town}")).memory.head.root for town in ("Gdańsk", "Sopot")
    )

    revised = service.revise(WRITER, VersionRef(root), Revision("Ola lives in Sopot"))

    assert (revised.outcome, revised.memory.head.root) == (Outcome.CONFLICT, other)
    assert pending(memory) == [revised.conflict_id]


def test_a_retried_update_that_became_a_conflict_is_told_so_again(memory: Installation) -> None:
    service = memory.wired.service
    root = service.remember(OWNER, Draft("Ola lives in Gdańsk")).memory.head.root
    request = Idempotency("again", b"body")

    told = [service.revise(WRITER, VersionRef(root), Revision("Ola lives in Kraków"), request) for _ in range(2)]

    assert [(each.outcome, each.conflict_id) for each in told] == [(Outcome.CONFLICT, told[0].conflict_id)] * 2


def test_a_revert_by_lower_trust_becomes_a_conflict_and_one_by_enough_trust_a_version(memory: Installation) -> None:
    service = memory.wired.service
    root = service.remember(WRITER, Draft("Ola lives in Gdańsk")).memory.head.root
    service.revise(OWNER, VersionRef(root), Revision("Ola lives in Kraków"))

    by_writer = service.revert(WRITER, VersionRef(root), 1)
    by_owner = service.revert(OWNER, VersionRef(root), 1)

    assert by_writer.outcome is Outcome.CONFLICT
    assert by_owner.outcome is Outcome.VERSIONED
    assert by_owner.memory.version.statement.content == "Ola lives in Gdańsk"


def test_nobody_decides_against_what_is_trusted_more_than_they_are(memory: Installation) -> None:
    service = memory.wired.service
    old = service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    new = save(memory, Draft("Ola lives in Kraków"), old, by=WRITER)
    conflict = ConflictId(new.conflict_id or "")

    for choice in (KEEP_NEW, MERGE, Choice(Action.KEEP_EXISTING, winner=new.memory.head.root)):
        with pytest.raises(NotAllowed, match="trust a1"):
            service.resolve(WRITER, conflict, choice)

    assert service.resolve(WRITER, conflict, KEEP_EXISTING).conflict.state is ConflictState.RESOLVED


def test_a_merged_text_has_no_more_trust_than_the_least_of_its_sources(memory: Installation) -> None:
    service = memory.wired.service
    old = service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    page = Draft("Ola lives in Kraków", source=SourceClaim("external_web"))
    new = save(memory, page, old)

    service.resolve(OWNER, ConflictId(new.conflict_id or ""), MERGE)

    assert service.read(OWNER, VersionRef(old.memory.head.root)).version.statement.source.trust is Trust.B
