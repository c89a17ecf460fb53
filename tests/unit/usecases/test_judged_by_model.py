"""Saves that a model judges within their time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from palimpsest.domain.ids import ConflictId, VersionRef
from palimpsest.domain.version import MemoryType
from palimpsest.ports.language_model import Answer, Question
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Revision
from tests.support.installation import OWNER
from tests.support.judging import AGAIN, ASSISTANT, COFFEE, MILK, TEA, Judging
from tests.support.scripted_model import opinions


@pytest.fixture
def judging(tmp_path: Path) -> Iterator[Judging]:
    judging = Judging(tmp_path)
    yield judging
    judging.memory.sqlite.close()


def test_what_the_model_takes_for_the_same_becomes_a_version(judging: Judging) -> None:
    root = judging.root(TEA)
    judging.says({TEA: "identical"})

    saved = judging.save(AGAIN)

    assert (saved.outcome, saved.replaced, saved.judged_by) == (Outcome.VERSIONED, f"{root}@1", "scripted:model")
    assert judging.said(root) == [TEA, AGAIN]


def test_what_the_model_takes_for_a_contradiction_becomes_a_conflict(judging: Judging) -> None:
    root = judging.root(TEA)
    judging.says({TEA: "contradictory"})

    saved = judging.save(COFFEE)

    assert saved.outcome is Outcome.CONFLICT
    assert saved.conflict_id is not None
    assert judging.head(root).is_disputed
    assert saved.memory.head.is_disputed


def test_a_models_words_are_scrubbed_before_they_are_stored(judging: Judging) -> None:
    judging.root(TEA)
    told = opinions({TEA: "contradictory"}, reason="Marta (marta@mail.example) said otherwise")
    judging.says(told)

    saved = judging.save(COFFEE)

    shown = judging.memory.wired.service.conflicts.one(OWNER, ConflictId(saved.conflict_id or ""))
    assert shown.conflict.reason == "Marta ([EMAIL]) said otherwise"


def test_one_identical_and_another_contradictory_are_both_honoured(judging: Judging) -> None:
    """Report: a contradiction was missed because another candidate was identical."""
    tea, milk = judging.root(TEA), judging.root(MILK)
    judging.says({TEA: "identical", MILK: "contradictory"})

    saved = judging.save(AGAIN)

    assert (saved.outcome, saved.memory.head.root) == (Outcome.VERSIONED, tea)
    assert saved.conflict_id is not None
    assert judging.head(milk).is_disputed


def test_a_restatement_keeps_the_type_that_it_does_not_give(judging: Judging) -> None:
    """Report: the type was lost on a restatement."""
    draft = Draft(TEA, memory_type=MemoryType.PREFERENCE, canonical="Marta: green tea")
    judging.memory.wired.service.remember(OWNER, draft)
    judging.says({TEA: "identical"})

    statement = judging.save(AGAIN).memory.version.statement

    assert (statement.memory_type, statement.canonical) == (MemoryType.PREFERENCE, "Marta: green tea")


def test_a_number_that_differs_is_never_merged_whatever_the_model_says(judging: Judging) -> None:
    judging.root("Marta drinks 2 cups of green tea each day")
    judging.says({"Marta": "identical"})

    assert judging.save("Each day Marta has 3 cups of green tea").outcome is Outcome.ADDED


def test_what_is_less_trusted_and_says_the_same_changes_nothing(judging: Judging) -> None:
    root = judging.root(TEA)
    judging.says({TEA: "identical"})

    saved = judging.save(AGAIN, ASSISTANT)

    assert (saved.outcome, saved.memory.head.root) == (Outcome.UNCHANGED, root)


def test_a_save_asks_the_model_within_its_box_and_longer_when_it_is_to_wait(judging: Judging) -> None:
    judging.root(TEA)
    judging.save("Marta drinks water")
    judging.save("Marta eats bread", mode=JudgeMode.SYNC)

    waits = [question.within.total_seconds() for question in judging.model.asked]

    assert waits == [pytest.approx(4, abs=0.2), pytest.approx(20, abs=0.2)]


def test_a_save_that_does_not_want_to_be_judged_asks_nobody(judging: Judging) -> None:
    judging.root(TEA)

    assert judging.save(AGAIN, mode=JudgeMode.OFF).outcome is Outcome.ADDED
    assert judging.model.asked == []


def test_the_first_memory_of_a_space_asks_nobody(judging: Judging) -> None:
    judging.root(TEA)

    assert judging.model.asked == []


def test_other_spaces_are_never_shown_to_the_model(judging: Judging) -> None:
    judging.memory.save("The secret of the north", "north")

    judging.root(TEA)
    judging.save(AGAIN)

    assert all("secret" not in question.user for question in judging.model.asked)


def test_when_the_belief_moved_while_the_model_thought_it_is_asked_again(judging: Judging) -> None:
    root = judging.root(TEA)
    moves = iter(["Marta is fond of black tea"])

    def think(question: Question) -> Answer:
        for text in moves:
            judging.memory.wired.service.revise(OWNER, VersionRef(root), Revision(text))
        return opinions({TEA: "identical"})(question)

    judging.says(think)

    saved = judging.save(AGAIN)

    assert len(judging.model.asked) == 2
    assert saved.outcome is Outcome.ADDED
    assert judging.said(root) == [TEA, "Marta is fond of black tea"]


def test_when_the_belief_moves_each_time_the_model_is_asked_no_more_and_it_is_judged_later(judging: Judging) -> None:
    """Report: a save beside a belief that moved on and on called the model a hundred times."""
    root = judging.root(TEA)
    moves = count()

    def think(question: Question) -> Answer:
        judging.memory.wired.service.revise(OWNER, VersionRef(root), Revision(f"{TEA}, pot {next(moves)}"))
        return opinions({TEA: "contradictory"})(question)

    judging.says(think)

    saved = judging.save(AGAIN)

    assert len(judging.model.asked) == 5
    assert saved.outcome is Outcome.PENDING
