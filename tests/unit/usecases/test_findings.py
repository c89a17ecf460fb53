"""Findings: what a judge doubts is kept for somebody to look at, and changes nothing until then."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound, TableUnavailable, WrongState
from palimpsest.domain.finding import FindingState, Reply
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import FindingId, KeyId, VersionRef
from palimpsest.domain.judgement import Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.ports.table import Put
from palimpsest.usecases.disputes import MOST
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Revision, Saved
from palimpsest.usecases.readings import ConflictQuery, FindingQuery, ShownFinding
from tests.support.conflicting import STRANGER, WRITER, opinion, save
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import Call, InterposingTable


def listed(memory: Installation, state: FindingState = FindingState.OPEN) -> list[ShownFinding]:
    return list(memory.wired.service.findings.page(OWNER, FindingQuery(state=state)).findings)


def doubted(memory: Installation) -> tuple[Saved, Saved, FindingId]:
    """Two beliefs, of which the second may contradict the first."""
    old = memory.wired.service.remember(OWNER, Draft("the review is on Monday"))
    new = save(memory, Draft("the review is on Friday"), doubts=[old])
    (shown,) = listed(memory)
    return old, new, shown.finding.id


def test_a_doubt_becomes_a_finding_and_changes_nothing_else(memory: Installation) -> None:
    old, new, _ = doubted(memory)

    (shown,) = listed(memory)
    assert (new.outcome, new.conflict_id) == (Outcome.ADDED, None)
    assert (shown.existing, shown.incoming) == (old.memory, new.memory)
    assert (shown.finding.reason, shown.finding.judged_by) == ("two towns", "a model")


def test_a_contradiction_that_a_less_trusted_restatement_shows_is_a_finding(memory: Installation) -> None:
    old = memory.wired.service.remember(OWNER, Draft("the review is on Monday"))
    same = memory.wired.service.remember(OWNER, Draft("the review is on Friday"))

    kept = save(memory, Draft("Friday is when the review is"), old, same=same, by=WRITER)

    assert (kept.outcome, kept.memory.head.root) == (Outcome.UNCHANGED, same.memory.head.root)
    (shown,) = listed(memory)
    assert (shown.existing.version.ref, shown.incoming.version.ref) == (old.memory.version.ref, same.memory.version.ref)


def test_a_finding_is_read_by_its_id_whatever_was_answered(memory: Installation) -> None:
    old, new, finding = doubted(memory)
    findings = memory.wired.service.findings

    first = findings.one(OWNER, finding)
    findings.answer(OWNER, finding, Reply.DISMISS)

    assert (first.existing, first.incoming) == (old.memory, new.memory)
    assert findings.one(OWNER, finding).finding.state is FindingState.DISMISSED


def test_a_confirmed_finding_is_a_conflict(memory: Installation) -> None:
    _, _, finding = doubted(memory)

    shown = memory.wired.service.findings.answer(OWNER, finding, Reply.CONFIRM)

    (conflict,) = memory.wired.service.conflicts(OWNER, ConflictQuery()).conflicts
    assert (shown.finding.state, shown.finding.conflict) == (FindingState.CONFIRMED, conflict.conflict.id)
    assert shown.existing.head.is_disputed
    assert shown.incoming.head.is_disputed
    assert (listed(memory), len(listed(memory, FindingState.CONFIRMED))) == ([], 1)


def test_a_dismissed_finding_is_not_found_again_until_it_is_reopened(memory: Installation) -> None:
    old, new, finding = doubted(memory)
    answer = memory.wired.service.findings.answer
    answer(OWNER, finding, Reply.DISMISS)

    memory.wired.service.remember.notice(
        new, Verdict("rules", doubts=(opinion(old),)), Stamp(memory.clock.now(), OWNER.key)
    )

    assert listed(memory) == []
    with pytest.raises(WrongState):
        answer(OWNER, finding, Reply.DISMISS)
    answer(OWNER, finding, Reply.REOPEN)
    assert [shown.finding.id for shown in listed(memory)] == [finding]


def test_a_finding_on_what_was_replaced_or_forgotten_is_hidden(memory: Installation) -> None:
    old, new, finding = doubted(memory)
    service = memory.wired.service

    service.forget(OWNER, VersionRef(new.memory.head.root))
    assert listed(memory) == []
    with pytest.raises(NotFound):
        service.findings.answer(OWNER, finding, Reply.DISMISS)
    service.restore(OWNER, VersionRef(new.memory.head.root))
    assert len(listed(memory)) == 1
    service.revise(OWNER, VersionRef(old.memory.head.root), Revision("the review is on Friday, at noon"))
    assert listed(memory) == []


def test_later_versions_of_a_pair_are_a_new_finding(memory: Installation) -> None:
    old, new, finding = doubted(memory)
    service = memory.wired.service
    service.findings.answer(OWNER, finding, Reply.DISMISS)
    service.revise(OWNER, VersionRef(old.memory.head.root), Revision("the review is never on Friday"))

    again = service.read(OWNER, VersionRef(old.memory.head.root))
    save(memory, Draft("the review takes place on Friday"), same=new, doubts=[Saved(again, Outcome.VERSIONED)])

    (shown,) = listed(memory)
    assert (shown.finding.id, shown.existing.version.number, shown.incoming.version.number) == (finding, 2, 2)


def test_a_finding_that_can_not_be_kept_does_not_fail_the_save(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    old = memory.wired.service.remember(OWNER, Draft("the review is on Monday"))

    def is_finding(name: str, call: Call) -> bool:
        writes = call if name == "transact" and isinstance(call, Sequence) else ()
        return any(isinstance(write, Put) and str(write.item["pk"]).startswith("F#") for write in writes)

    def fail() -> None:
        raise TableUnavailable("away for now")

    table.interpose(is_finding, fail)
    saved = save(memory, Draft("the review is on Friday"), doubts=[old])

    assert saved.outcome is Outcome.ADDED
    assert listed(memory) == []


def test_a_finding_of_another_space_is_like_one_that_is_not_there(memory: Installation) -> None:
    _, _, finding = doubted(memory)
    reader = Caller(KeyId("reader"), Role.READER, spaces=("elsewhere",), max_trust=STRANGER.max_trust)

    told = set()
    for each in (finding, FindingId("fnd_" + "0" * 32)):
        with pytest.raises(NotFound) as refused:
            memory.wired.service.findings.answer(STRANGER, each, Reply.DISMISS)
        told.add(str(refused.value))
        with pytest.raises(NotFound) as refused:
            memory.wired.service.findings.one(reader, each)
        told.add(str(refused.value))

    assert len(told) == 1
    assert memory.wired.service.findings.page(reader, FindingQuery(space="elsewhere")).findings == ()


def test_a_retried_answer_is_told_what_the_first_one_came_to(memory: Installation) -> None:
    _, _, finding = doubted(memory)
    request = Idempotency("again", b"body")

    told = [memory.wired.service.findings.answer(OWNER, finding, Reply.CONFIRM, request) for _ in range(2)]

    assert told[0].finding == told[1].finding
    assert len(memory.wired.service.conflicts(OWNER, ConflictQuery()).conflicts) == 1


def test_what_contradicts_more_than_one_save_can_begin_conflicts_with_is_a_finding(memory: Installation) -> None:
    """A second reader's report: of ten contradictions two were nowhere."""
    remember = memory.wired.service.remember
    old = [remember(OWNER, Draft(f"the review is in week {n}", judge=JudgeMode.OFF)) for n in range(MOST + 2)]

    new = save(memory, Draft("there is no review"), *old)

    conflicts = memory.wired.service.conflicts(OWNER, ConflictQuery()).conflicts
    assert (new.outcome, len(conflicts)) == (Outcome.CONFLICT, MOST)
    assert {shown.existing.version.ref for shown in listed(memory)} == {each.memory.version.ref for each in old[MOST:]}


def test_a_pair_that_has_a_conflict_takes_no_room_of_those_that_begin(memory: Installation) -> None:
    remember = memory.wired.service.remember
    root = remember(OWNER, Draft("the review is in May", judge=JudgeMode.OFF))
    old = [remember(OWNER, Draft(f"the review is in week {n}", judge=JudgeMode.OFF)) for n in range(MOST + 1)]
    memory.wired.service.findings.confront(OWNER, root.memory.head.root, opinion(old[0]))

    save(memory, Draft("May is when the review is"), *old, same=root)

    assert len(memory.wired.service.conflicts(OWNER, ConflictQuery()).conflicts) == MOST + 1
    assert listed(memory) == []
