"""Conflicts that go on with the text that was kept: none is lost, neither by a decision nor by taking it back."""

from __future__ import annotations

import pytest

from palimpsest.domain.belief import State
from palimpsest.domain.conflict import ConflictState
from palimpsest.domain.errors import BuiltUpon, WrongState
from palimpsest.domain.ids import ConflictId, conflict_between
from palimpsest.usecases.disputes import MOST
from palimpsest.usecases.drafts import Choice, Draft, Saved
from tests.support.conflicting import KEEP_BOTH, KEEP_NEW, MERGE, Towns, opinion, pending, save
from tests.support.installation import OWNER, Installation


def contradicted(memory: Installation, *others: Saved) -> tuple[Towns, list[ConflictId]]:
    """Two towns in conflict, and the conflicts of the new one with others."""
    service = memory.wired.service
    gdansk = service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    new = save(memory, Draft("Ola lives in Kraków"), gdansk)
    old, root = gdansk.memory.head.root, new.memory.head.root
    begun = [service.findings.confront(OWNER, root, opinion(each)) for each in others]
    towns = Towns(memory, old, root, conflict_between(old, root))
    return towns, [each for each in begun if each is not None]


def other_towns(memory: Installation, count: int) -> list[Saved]:
    return [save(memory, Draft(f"Ola lives in town number {at}")) for at in range(count)]


@pytest.mark.parametrize("choice", [KEEP_NEW, MERGE], ids=lambda choice: choice.action)
def test_a_decision_that_would_lose_conflicts_is_refused_and_names_them(memory: Installation, choice: Choice) -> None:
    towns, others = contradicted(memory, *other_towns(memory, MOST + 1))
    assert len(others) == MOST + 1

    with pytest.raises(WrongState) as refused:
        towns.resolve(choice)

    assert all(each in str(refused.value) for each in others)
    assert towns.read(towns.new).head.state is State.LIVE
    memory.wired.service.resolve(OWNER, others[0], KEEP_BOTH)
    decision = towns.resolve(choice).conflict.decision
    assert decision is not None
    assert len(decision.passed_on) == MOST


def test_what_the_existing_memory_has_a_conflict_with_already_takes_no_room(memory: Installation) -> None:
    others = other_towns(memory, MOST + 1)
    towns, _ = contradicted(memory, *others)
    known = memory.wired.service.findings.confront(OWNER, towns.old, opinion(others[0]))

    decision = towns.resolve(KEEP_NEW).conflict.decision

    assert decision is not None
    assert len(decision.passed_on) == MOST
    assert known not in decision.passed_on
    assert known in pending(memory)


def test_a_conflict_that_was_passed_on_and_once_decided_is_kept_when_its_cause_is_taken_back(
    memory: Installation,
) -> None:
    """It was deleted outright, with the decision on it that had been reverted."""
    service = memory.wired.service
    towns, _ = contradicted(memory, *other_towns(memory, 1))
    towns.resolve(KEEP_NEW)
    (passed_on,) = pending(memory)
    service.resolve(OWNER, passed_on, KEEP_BOTH)
    service.take_back(OWNER, passed_on)

    with pytest.raises(BuiltUpon) as refused:
        towns.take_back()

    assert refused.value.ids == (passed_on,)
    kept = service.conflicts.one(OWNER, passed_on).conflict
    assert kept.state is ConflictState.PENDING
    assert kept.decision is not None
