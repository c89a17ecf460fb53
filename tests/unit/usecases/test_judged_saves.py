"""What a save comes to for each verdict, by a judge that says what the test says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.ids import KeyId, VersionRef
from palimpsest.domain.judgement import UNJUDGED, Opinion, Relation, Verdict
from palimpsest.domain.source import Trust
from palimpsest.domain.version import MemoryType, Reason
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Revision, Saved
from palimpsest.usecases.judging import Asked
from palimpsest.usecases.remember import Remember
from tests.support.installation import OWNER, Installation

WRITER = Caller(KeyId("writer"), Role.WRITER, spaces=("default",), max_trust=Trust.A2)


def same_as(saved: Saved) -> Verdict:
    ref = VersionRef(saved.memory.head.root, saved.memory.version.number)
    return Verdict("rules", Opinion(ref, Relation.IDENTICAL, 0.98, "the same words", "rules"))


def judged(memory: Installation, *verdicts: Verdict | Callable[[], Verdict]) -> Remember:
    """Saving, with a judge that gives these verdicts in turn."""
    left = list(verdicts)

    def judge(asked: Sequence[Asked]) -> Sequence[Verdict]:
        verdict = left.pop(0)
        return [verdict if isinstance(verdict, Verdict) else verdict()] * len(asked)

    return replace(memory.wired.service.remember, judge=judge)


def test_a_restatement_is_a_version_that_inherits_type_and_canonical(memory: Installation) -> None:
    draft = Draft("Marta likes tea", memory_type=MemoryType.PREFERENCE, canonical="Marta: tea", tags=("marta",))
    first = memory.wired.service.remember(OWNER, draft)

    again = judged(memory, same_as(first))(OWNER, Draft("Tea is what Marta likes", tags=("tea",)))

    head, version = again.memory.head, again.memory.version
    assert (again.outcome, again.judged_by, again.replaced) == (Outcome.VERSIONED, "rules", f"{head.root}@1")
    assert (head.root, head.current, version.reason) == (first.memory.head.root, 2, Reason.RESTATED)
    assert (version.statement.memory_type, version.statement.canonical) == (MemoryType.PREFERENCE, "Marta: tea")
    assert head.annotations.tags == ("marta", "tea")


def test_a_restatement_with_a_type_of_its_own_has_that_type(memory: Installation) -> None:
    first = memory.wired.service.remember(OWNER, Draft("Marta likes tea", memory_type=MemoryType.PREFERENCE))

    again = judged(memory, same_as(first))(OWNER, Draft("Tea is what Marta likes", memory_type=MemoryType.FACT))

    assert again.memory.version.statement.memory_type is MemoryType.FACT


def test_lower_trust_never_stands_over_higher(memory: Installation) -> None:
    first = memory.wired.service.remember(OWNER, Draft("Marta likes tea"))

    again = judged(memory, same_as(first))(WRITER, Draft("Tea is what Marta likes"))

    assert (again.outcome, again.memory) == (Outcome.UNCHANGED, first.memory)


def test_the_judge_is_asked_again_when_the_head_has_moved(memory: Installation) -> None:
    service = memory.wired.service
    first = service.remember(OWNER, Draft("Marta likes tea"))
    ref = VersionRef(first.memory.head.root)

    def moves_meanwhile() -> Verdict:
        service.revise(OWNER, ref, Revision("Marta hates tea"))
        return same_as(first)

    again = judged(memory, moves_meanwhile, UNJUDGED)(OWNER, Draft("Tea is what Marta likes"))

    assert again.outcome is Outcome.ADDED
    assert service.read(OWNER, ref).version.statement.content == "Marta hates tea"


def test_a_save_that_is_not_to_be_judged_is_not(memory: Installation) -> None:
    def never() -> Verdict:
        pytest.fail("the judge was asked")

    saved = judged(memory, never)(OWNER, Draft("Marta likes tea", judge=JudgeMode.OFF))

    assert (saved.outcome, saved.judged_by) == (Outcome.ADDED, "none")
