"""Saves that the rules judge: restatements become versions, and what differs stays apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.judgement import Relation, Verdict
from palimpsest.domain.version import MemoryType
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Revision, Saved
from palimpsest.usecases.judge_by_rules import JudgeByRules
from palimpsest.usecases.judging import Asked
from palimpsest.usecases.neighbours import Neighbour
from tests.support.installation import OWNER, START, Installation

TEA = "Marta likes green tea in the morning."
SAME = "In the morning Marta likes green tea."


def save(memory: Installation, content: str, **given: object) -> Saved:
    return memory.wired.service.remember(OWNER, replace(Draft(content), **given))  # type: ignore[arg-type]


def judge(memory: Installation) -> JudgeByRules:
    found = memory.wired.service.remember.judge
    assert isinstance(found, JudgeByRules)
    return found


def verdict(memory: Installation, content: str, by: JudgeByRules | None = None) -> Verdict:
    remember = memory.wired.service.remember
    accepted = remember.accept(OWNER, Draft(content))
    features = remember.featurise.one(content)
    return (by or judge(memory))([Asked(accepted.space, accepted.statement, features, JudgeMode.AUTO)])[0]


@pytest.mark.parametrize("is_indexed", [False, True])
def test_a_restatement_is_a_version_that_keeps_type_and_canonical(memory: Installation, is_indexed: bool) -> None:
    first = save(memory, TEA, memory_type=MemoryType.PREFERENCE, canonical="Marta: green tea")
    if is_indexed:
        memory.index()
        memory.clock.turn(timedelta(minutes=5))

    again = save(memory, SAME)

    version = again.memory.version
    assert (again.outcome, again.judged_by, again.replaced) == (
        Outcome.VERSIONED,
        "rules",
        f"{first.memory.head.root}@1",
    )
    assert (version.root, version.number, version.statement.content) == (first.memory.head.root, 2, SAME)
    assert version.statement.memory_type is MemoryType.PREFERENCE
    assert version.statement.canonical == "Marta: green tea"
    assert memory.recalled("green tea") == [SAME]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is 2,100 EUR a month", "The rent is 2,300 EUR a month"),
        ("Ola is allergic to nuts", "Ola is not allergic to nuts"),
        ("The meeting with Anna is on Monday", "The meeting with Hanna is on Monday"),
        ("Lubię kawę z mlekiem", "Nie lubię kawy z mlekiem"),
    ],
)
def test_another_number_name_or_denial_is_another_belief(memory: Installation, one: str, other: str) -> None:
    save(memory, one)

    again = save(memory, other)

    assert (again.outcome, again.judged_by) == (Outcome.ADDED, "rules")
    assert set(memory.recalled(one)) == {one, other}


def test_the_same_said_of_themselves_by_two_people_is_two_beliefs(memory: Installation) -> None:
    save(memory, TEA, attributed_to="anna")

    other = save(memory, SAME, attributed_to="ben")

    assert other.outcome is Outcome.ADDED


def test_a_restatement_of_another_time_is_another_belief(memory: Installation) -> None:
    save(memory, TEA, valid_from=datetime(2025, 1, 1, tzinfo=UTC), valid_until=datetime(2025, 6, 1, tzinfo=UTC))

    over = save(memory, SAME)
    later = save(memory, "Marta likes green tea, in the morning!", valid_from=datetime(2026, 1, 1, tzinfo=UTC))

    assert (over.outcome, later.outcome) == (Outcome.ADDED, Outcome.ADDED)


def test_what_was_forgotten_replaced_or_has_expired_is_no_candidate(memory: Installation) -> None:
    service = memory.wired.service
    forgotten = save(memory, TEA)
    service.forget(OWNER, VersionRef(forgotten.memory.head.root))
    after_forgetting = save(memory, SAME)
    service.revise(OWNER, VersionRef(after_forgetting.memory.head.root), Revision("Marta hates tea."))
    after_replacing = save(memory, TEA, expires_at=START + timedelta(hours=1))
    memory.clock.turn(timedelta(hours=2))

    after_expiring = save(memory, SAME)

    outcomes = [each.outcome for each in (after_forgetting, after_replacing, after_expiring)]
    assert outcomes == [Outcome.ADDED] * 3


def test_spaces_are_never_compared_with_each_other(memory: Installation) -> None:
    save(memory, TEA, space="one")

    assert save(memory, SAME, space="other").outcome is Outcome.ADDED


def test_a_save_that_is_not_to_be_judged_is_added(memory: Installation) -> None:
    save(memory, TEA)

    saved = save(memory, SAME, judge=JudgeMode.OFF)

    assert (saved.outcome, saved.judged_by) == (Outcome.ADDED, "none")


@pytest.mark.parametrize("mode", [JudgeMode.AUTO, JudgeMode.SYNC, JudgeMode.ASYNC])
def test_without_a_model_every_other_mode_is_the_same(memory: Installation, mode: JudgeMode) -> None:
    save(memory, TEA)

    assert save(memory, SAME, judge=mode).outcome is Outcome.VERSIONED


def test_a_likely_contradiction_is_doubted_and_not_declared(memory: Installation) -> None:
    first = save(memory, "The rent of the flat by the lake in the old town of Lucerne is 2,100 EUR a month")

    found = verdict(memory, "The rent of the flat by the lake in the old town of Lucerne is 2,300 EUR a month")

    assert (found.identical, found.contradictory) == (None, ())
    assert [(doubt.ref, doubt.relation) for doubt in found.doubts] == [
        (VersionRef(first.memory.head.root, 1), Relation.CONTRADICTORY)
    ]


def test_one_that_says_the_same_and_one_that_contradicts_are_both_seen(memory: Installation) -> None:
    same = save(memory, "The rent of the flat by the lake in the old town of Lucerne is 2,100 EUR a month")
    other = save(memory, "The rent of the flat by the lake in the old town of Lucerne is 2,300 EUR a month")

    found = verdict(memory, "the rent of the flat by the lake in the old town of Lucerne is 2,100 EUR per month.")

    assert found.identical is not None
    assert found.identical.ref.root == same.memory.head.root
    assert [doubt.ref.root for doubt in found.doubts] == [other.memory.head.root]


def test_what_a_person_kept_apart_is_not_doubted_again(memory: Installation) -> None:
    same = save(
        memory, "The rent of the flat by the lake in the old town of Lucerne is 2,100 EUR a month"
    ).memory.head.root
    other = save(
        memory, "The rent of the flat by the lake in the old town of Lucerne is 2,300 EUR a month"
    ).memory.head.root

    def kept_apart(root: RootId) -> frozenset[RootId]:
        return frozenset({other} if root == same else ())

    by = replace(judge(memory), kept_apart=kept_apart)
    found = verdict(memory, "the rent of the flat by the lake in the old town of Lucerne is 2,100 EUR per month.", by)

    assert (found.identical is not None, found.doubts) == (True, ())


def test_two_restatements_in_one_batch_are_one_belief(memory: Installation) -> None:
    drafts = [Draft(TEA), Draft("Bridges are old."), Draft(SAME), Draft(TEA)]

    results = memory.wired.service.remember_all(OWNER, drafts)

    saved = [result for result in results if isinstance(result, Saved)]
    assert [each.outcome for each in saved] == [Outcome.ADDED, Outcome.ADDED, Outcome.VERSIONED, Outcome.VERSIONED]
    assert len({each.memory.head.root for each in saved}) == 2


def test_two_items_of_a_batch_that_restate_one_belief_are_two_versions_of_it(memory: Installation) -> None:
    save(memory, TEA)
    drafts = [Draft(SAME), Draft("Green tea is what pleases others."), Draft("Marta likes green tea in the morning!")]

    results = memory.wired.service.remember_all(OWNER, drafts)

    saved = [result for result in results if isinstance(result, Saved)]
    assert [each.memory.version.number for each in saved] == [2, 1, 3]


@pytest.mark.parametrize(("there", "doubts"), [(1, 1), (3, 1), (4, 0)])
def test_a_doubt_is_of_the_nearest_alone_and_there_is_none_in_a_series(
    memory: Installation, there: int, doubts: int
) -> None:
    text = "Shelf {} of the archive holds box number {}"
    made = [save(memory, text.format(number, number + 40)).memory for number in range(1, there + 1)]
    near = [Neighbour(each.head, each.version, 0.99) for each in made]
    accepted = memory.wired.service.remember.accept(OWNER, Draft(text.format(70, 99)))

    found = judge(memory).verdict(accepted.statement, near, memory.clock.now()).doubts

    assert [each.ref for each in found] == [each.version.ref for each in made[:doubts]]
