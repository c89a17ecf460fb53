"""What a decision on a conflict comes to, and how it is taken back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from palimpsest.domain.belief import State
from palimpsest.domain.conflict import Action, ConflictState
from palimpsest.domain.errors import BuiltUpon, Conflict, Invalid, LostRace, NotAllowed, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ConflictId, RootId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.domain.version import MemoryType, Reason
from palimpsest.usecases.drafts import Choice, Draft, Outcome, Revision, Saved
from palimpsest.usecases.readings import ConflictQuery, ShownConflict
from tests.support.conflicting import (
    KEEP_BOTH,
    KEEP_EXISTING,
    KEEP_NEW,
    LIVES_IN_BOTH,
    MERGE,
    STRANGER,
    WRITER,
    Towns,
    pending,
    save,
)
from tests.support.installation import OWNER, Installation

# --- what a decision comes to ---


def test_keep_new_makes_the_new_text_a_version_of_the_existing_belief(towns: Towns) -> None:
    shown = towns.resolve(KEEP_NEW)

    assert towns.stand() == [(State.LIVE, "Ola lives in Kraków", False), (State.RETIRED, "Ola lives in Kraków", False)]
    assert (towns.read(towns.old).head.current, towns.read(towns.new).head.merged_into) == (2, towns.old)
    decision = shown.conflict.decision
    assert decision is not None
    assert (decision.action, decision.winner, decision.made) == ("keep_new", towns.old, VersionRef(towns.old, 2))
    assert (decision.by, decision.trust) == (OWNER.key, Trust.A1)
    assert [shown.existing.version.statement.content, shown.incoming.version.statement.content] == [
        "Ola lives in Gdańsk",
        "Ola lives in Kraków",
    ]
    assert towns.memory.recalled("where does Ola live") == ["Ola lives in Kraków"]


def test_what_was_kept_is_known_by_its_text(towns: Towns) -> None:
    towns.resolve(KEEP_NEW)

    again = towns.memory.wired.service.remember(OWNER, Draft("Ola lives in Kraków"))
    old = towns.memory.wired.service.remember(OWNER, Draft("Ola lives in Gdańsk"))

    assert (again.outcome, again.memory.head.root) == (Outcome.UNCHANGED, towns.old)
    assert old.outcome is Outcome.ADDED


def test_keep_existing_retires_the_new_one_or_the_loser_that_is_named(towns: Towns) -> None:
    towns.resolve(Choice(Action.KEEP_EXISTING, winner=towns.new))

    assert towns.stand() == [(State.RETIRED, "Ola lives in Gdańsk", False), (State.LIVE, "Ola lives in Kraków", False)]
    assert towns.read(towns.old).head.merged_into == towns.new
    towns.take_back()
    towns.resolve(KEEP_EXISTING)
    assert towns.stand() == [(State.LIVE, "Ola lives in Gdańsk", False), (State.RETIRED, "Ola lives in Kraków", False)]


def test_keep_both_leaves_both_and_nobody_is_asked_again(towns: Towns) -> None:
    towns.resolve(KEEP_BOTH)

    assert towns.stand() == [(State.LIVE, "Ola lives in Gdańsk", False), (State.LIVE, "Ola lives in Kraków", False)]
    edges = towns.memory.wired.service.resolve.disputes.edges
    assert (edges.kept_apart(towns.old), edges.kept_apart(towns.new)) == (
        frozenset({towns.new}),
        frozenset({towns.old}),
    )
    towns.take_back()
    assert [edges.kept_apart(each) for each in (towns.old, towns.new)] == [frozenset(), frozenset()]


def test_merge_writes_the_reconciled_text_over_the_existing_belief(towns: Towns) -> None:
    towns.resolve(MERGE)

    assert towns.stand() == [(State.LIVE, MERGE.content, False), (State.RETIRED, "Ola lives in Kraków", False)]
    assert towns.memory.recalled("where does Ola live") == [MERGE.content]


def test_who_merges_is_told_what_is_stored_and_what_was_taken_out_of_it_and_so_is_a_retry(towns: Towns) -> None:
    text, once = Choice(Action.MERGE, content="Ola lives in Kraków, tel. +48 601 234 567"), Idempotency("once", b"body")
    resolve = towns.memory.wired.service.resolve

    first, again = (resolve(OWNER, towns.id, text, once) for _ in range(2))

    assert first.made is not None
    assert first.made.version.ref == VersionRef(towns.old, 2)
    assert first.made.version.statement.content == "Ola lives in Kraków, tel. [PHONE]"
    assert [(each.kind, len(each.places)) for each in first.report.redactions] == [("phone", 1)]
    assert (again.made, again.report) == (first.made, first.report)


def test_a_decision_that_writes_no_version_tells_of_none(towns: Towns) -> None:
    assert towns.resolve(KEEP_EXISTING).made is None


def test_a_merge_keeps_the_type(memory: Installation) -> None:
    """memloom 1.3: a merge resolution always creates a `fact`; an identical restatement becomes `fact`."""
    old = memory.wired.service.remember(OWNER, Draft("Ola likes tea", memory_type=MemoryType.PREFERENCE))
    new = save(memory, Draft("Ola likes coffee"), old)
    conflict = ConflictId(new.conflict_id or "")
    resolve, take_back = memory.wired.service.resolve, memory.wired.service.take_back

    types = []
    for choice in (MERGE, KEEP_NEW):
        resolve(OWNER, conflict, choice)
        types.append(memory.wired.service.read(OWNER, VersionRef(old.memory.head.root)).version.statement.memory_type)
        take_back(OWNER, conflict)

    assert types == [MemoryType.PREFERENCE, MemoryType.PREFERENCE]


def test_the_history_of_both_sides_names_the_conflict(towns: Towns) -> None:
    towns.resolve(KEEP_NEW)

    def told(root: RootId) -> list[tuple[Reason, str | None]]:
        steps = towns.memory.wired.service.history(OWNER, VersionRef(root)).steps
        return [(step.reason, step.note) for step in steps]

    assert told(towns.old) == [(Reason.RESOLVED, towns.id), (Reason.DISPUTED, towns.id), (Reason.SAVED, None)]
    assert told(towns.new) == [(Reason.RETIRED, towns.id), (Reason.SAVED, None)]


def test_a_conflict_is_decided_once(towns: Towns) -> None:
    """memloom 2.3: resolving an already-resolved conflict is not guarded."""
    towns.resolve(KEEP_EXISTING)

    with pytest.raises(WrongState, match="decided already"):
        towns.resolve(KEEP_NEW)

    assert (pending(towns.memory), pending(towns.memory, ConflictState.RESOLVED)) == ([], [towns.id])


def test_of_32_who_decide_at_once_one_wins(towns: Towns) -> None:
    choices = [KEEP_NEW, KEEP_EXISTING, KEEP_BOTH, MERGE] * 8

    def attempt(choice: Choice) -> ShownConflict | Conflict:
        try:
            return towns.resolve(choice)
        except Conflict as error:
            return error

    with ThreadPoolExecutor(32) as pool:
        told = list(pool.map(attempt, choices))

    (won,) = [each for each in told if isinstance(each, ShownConflict)]
    assert not [each for each in told if isinstance(each, LostRace)]
    now = towns.memory.wired.service.conflicts.one(OWNER, towns.id)
    assert now.conflict == won.conflict


def test_a_side_that_was_changed_counts_as_it_stands_now(towns: Towns) -> None:
    towns.memory.wired.service.revise(OWNER, VersionRef(towns.new), Revision("Ola lives in Nowa Huta"))

    shown = towns.resolve(KEEP_NEW)

    assert shown.conflict.decision is not None
    assert shown.conflict.decision.incoming == VersionRef(towns.new, 2)
    assert towns.read(towns.old).version.statement.content == "Ola lives in Nowa Huta"


def test_a_choice_has_to_be_whole(towns: Towns) -> None:
    wrong = [
        Choice(Action.MERGE),
        Choice(Action.KEEP_NEW, content="both"),
        Choice(Action.KEEP_BOTH, winner=towns.new),
        Choice(Action.KEEP_EXISTING, winner=RootId("mem_" + "0" * 26)),
    ]

    for choice in wrong:
        with pytest.raises(Invalid):
            towns.resolve(choice)

    assert towns.stand() == LIVES_IN_BOTH


def test_a_conflict_of_another_space_is_like_one_that_is_not_there(towns: Towns) -> None:
    service = towns.memory.wired.service
    missing = ConflictId("cfl_" + "0" * 32)
    asked = [
        lambda each: service.conflicts.one(STRANGER, each),
        lambda each: service.resolve(STRANGER, each, KEEP_BOTH),
        lambda each: service.take_back(STRANGER, each),
    ]

    told = {str(_refusal(lambda ask=ask, each=each: ask(each))) for ask in asked for each in (towns.id, missing)}

    assert len(told) == 1


def _refusal(ask: object) -> NotFound:
    with pytest.raises(NotFound) as refused:
        ask()  # type: ignore[operator]
    return refused.value


# --- forgotten sides ---


def test_a_forgotten_side_hides_the_conflict_and_restored_it_brings_it_back(towns: Towns) -> None:
    service = towns.memory.wired.service
    service.forget(OWNER, VersionRef(towns.new))

    assert pending(towns.memory) == []
    assert not towns.read(towns.old).head.is_disputed
    with pytest.raises(NotFound):
        towns.resolve(KEEP_NEW)
    service.restore(OWNER, VersionRef(towns.new))
    assert pending(towns.memory) == [towns.id]
    assert towns.stand() == LIVES_IN_BOTH


def test_a_retired_belief_that_was_forgotten_comes_back_retired(towns: Towns) -> None:
    service = towns.memory.wired.service
    towns.resolve(KEEP_NEW)
    service.forget(OWNER, VersionRef(towns.new))
    assert pending(towns.memory, ConflictState.RESOLVED) == []

    restored = service.restore(OWNER, VersionRef(towns.new))

    assert (restored.head.state, restored.head.merged_into) == (State.RETIRED, towns.old)
    assert towns.memory.recalled("where does Ola live") == ["Ola lives in Kraków"]
    assert pending(towns.memory, ConflictState.RESOLVED) == [towns.id]


# --- taking a decision back ---


@pytest.mark.parametrize("choice", [KEEP_NEW, KEEP_EXISTING, KEEP_BOTH, MERGE], ids=lambda choice: choice.action)
def test_a_decision_that_is_taken_back_leaves_both_as_they_were(towns: Towns, choice: Choice) -> None:
    towns.resolve(choice)

    shown = towns.take_back()

    assert towns.stand() == LIVES_IN_BOTH
    assert (shown.conflict.state, pending(towns.memory)) == (ConflictState.PENDING, [towns.id])
    assert shown.conflict.decision is not None
    assert shown.conflict.decision.reverted_by == OWNER.key
    assert set(towns.memory.recalled("where does Ola live")) == {"Ola lives in Gdańsk", "Ola lives in Kraków"}
    assert towns.memory.wired.service.prove(OWNER, VersionRef(towns.old)).is_verified
    texts = [towns.memory.wired.service.remember(OWNER, Draft(text)) for _, text, _ in LIVES_IN_BOTH]
    assert [(each.outcome, each.memory.head.root) for each in texts] == [
        (Outcome.UNCHANGED, towns.old),
        (Outcome.UNCHANGED, towns.new),
    ]
    with pytest.raises(WrongState):
        towns.take_back()


def test_taking_a_decision_back_touches_nothing_older(memory: Installation) -> None:
    """memloom 2.3: revert deactivates every `replaces` edge touching the losers, including older lineage edges."""
    service = memory.wired.service
    first = service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    second = save(memory, Draft("Ola lives in Sopot"), first)
    service.resolve(OWNER, ConflictId(second.conflict_id or ""), KEEP_NEW)
    kept = service.read(OWNER, VersionRef(first.memory.head.root))
    third = save(memory, Draft("Ola lives in Kraków"), replace(first, memory=kept))
    latest = ConflictId(third.conflict_id or "")
    service.resolve(OWNER, latest, KEEP_NEW)

    service.take_back(OWNER, latest)

    assert service.read(OWNER, VersionRef(first.memory.head.root)).version.statement.content == "Ola lives in Sopot"
    assert service.read(OWNER, VersionRef(second.memory.head.root)).head.state is State.RETIRED
    assert pending(memory, ConflictState.RESOLVED) == [second.conflict_id]
    assert pending(memory) == [latest]


def test_a_decision_on_which_others_were_built_is_not_taken_back_and_they_are_named(towns: Towns) -> None:
    service = towns.memory.wired.service
    kept = towns.resolve(KEEP_NEW)
    now = service.read(OWNER, VersionRef(towns.old))
    third = save(towns.memory, Draft("Ola lives in Rome"), Saved(now, Outcome.ADDED))
    service.resolve(OWNER, ConflictId(third.conflict_id or ""), KEEP_BOTH)
    service.revise(OWNER, VersionRef(towns.old), Revision("Ola lives in Kraków, near the river"))

    with pytest.raises(BuiltUpon) as refused:
        towns.take_back()

    assert refused.value.ids == (f"{towns.old}@3", third.conflict_id)
    assert towns.read(towns.old).head.current == 3
    assert service.conflicts.one(OWNER, towns.id).conflict == kept.conflict


def test_later_versions_are_kept_when_a_decision_without_one_is_taken_back(towns: Towns) -> None:
    towns.resolve(KEEP_EXISTING)
    towns.memory.wired.service.revise(OWNER, VersionRef(towns.old), Revision("Ola lives in Gdańsk, near the sea"))

    towns.take_back()

    assert towns.stand() == [(State.LIVE, "Ola lives in Gdańsk, near the sea", True), LIVES_IN_BOTH[1]]


def test_a_decision_of_somebody_trusted_more_is_not_taken_back(towns: Towns) -> None:
    towns.resolve(KEEP_EXISTING)

    with pytest.raises(NotAllowed):
        towns.take_back(WRITER)


def test_what_contradicted_the_new_text_contradicts_it_where_it_was_kept(memory: Installation) -> None:
    service = memory.wired.service
    gdansk = service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    sopot = service.remember(OWNER, Draft("Ola's flat is in Sopot"))
    new = save(memory, Draft("Ola lives in Kraków"), gdansk, sopot)
    decided = ConflictId(new.conflict_id or "")
    (other,) = set(pending(memory)) - {decided}

    service.resolve(OWNER, decided, KEEP_NEW)

    (passed_on,) = service.conflicts(OWNER, ConflictQuery()).conflicts
    assert (passed_on.existing.version.root, passed_on.incoming.version.root) == (
        sopot.memory.head.root,
        gdansk.memory.head.root,
    )
    assert [passed_on.existing.head.open_conflicts, passed_on.incoming.head.open_conflicts] == [1, 1]
    service.take_back(OWNER, decided)
    assert set(pending(memory)) == {decided, other}
    heads = [service.read(OWNER, VersionRef(each.memory.head.root)).head for each in (gdansk, sopot, new)]
    assert [head.open_conflicts for head in heads] == [1, 1, 2]


def test_a_conflict_that_was_passed_on_and_decided_is_named_when_its_cause_is_taken_back(memory: Installation) -> None:
    service = memory.wired.service
    gdansk = service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    sopot = service.remember(OWNER, Draft("Ola's flat is in Sopot"))
    decided = ConflictId(save(memory, Draft("Ola lives in Kraków"), gdansk, sopot).conflict_id or "")
    service.resolve(OWNER, decided, KEEP_NEW)
    (passed_on,) = pending(memory)
    service.resolve(OWNER, passed_on, KEEP_BOTH)

    with pytest.raises(BuiltUpon) as refused:
        service.take_back(OWNER, decided)

    assert refused.value.ids == (passed_on,)


def test_retries_of_a_decision_and_of_taking_it_back_are_answered_alike(towns: Towns) -> None:
    service, one, other = towns.memory.wired.service, Idempotency("one", b"1"), Idempotency("other", b"2")

    decided = [service.resolve(OWNER, towns.id, KEEP_NEW, one) for _ in range(2)]
    undone = [service.take_back(OWNER, towns.id, other) for _ in range(2)]

    assert decided[0] == decided[1]
    assert undone[0] == undone[1]
    assert towns.read(towns.old).head.current == 3
