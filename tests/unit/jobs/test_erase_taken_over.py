"""Words that another memory took over, by a decision or a judgement, go with the memory that brought them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.belief import State
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.version import Statement
from palimpsest.ports.work_queue import Job, Work
from palimpsest.usecases.drafts import Annotation, Choice
from tests.support.conflicting import KEEP_EXISTING, KEEP_NEW, MERGE, Towns, begin
from tests.support.installation import OWNER, Installation
from tests.support.judging import AGAIN, TEA, Judging
from tests.unit.jobs.test_erase import erase, memory

__all__ = ["memory"]


@pytest.fixture
def towns(memory: Installation) -> Towns:
    return begin(memory)


@pytest.fixture
def judging(tmp_path: Path) -> Iterator[Judging]:
    judging = Judging(tmp_path / "judging")
    yield judging
    judging.memory.sqlite.close()


def joined(judging: Judging) -> tuple[RootId, RootId]:
    """A memory, and one that was joined into it in the background."""
    root = judging.root(TEA)
    judging.is_late()
    new = judging.root(AGAIN)
    judging.says({TEA: "identical"})
    judging.work()
    assert judging.head(new).merged_into == root
    return root, new


def said(memory: Installation, root: RootId) -> Statement:
    return memory.wired.service.read(OWNER, VersionRef(root)).version.statement


@pytest.mark.parametrize("choice", [KEEP_NEW, MERGE], ids=lambda choice: choice.action)
def test_no_recall_returns_the_words_of_an_erased_memory_that_a_decision_had_kept(towns: Towns, choice: Choice) -> None:
    towns.resolve(choice)
    assert said(towns.memory, towns.old).derived_from == (f"{towns.new}@1",)
    assert len(towns.memory.recalled("where does Ola live")) == 1

    receipt = erase(towns.memory, towns.new)

    assert towns.memory.recalled("where does Ola live") == []
    assert list(receipt.erasure.hidden) == [towns.old]
    with pytest.raises(NotFound):
        towns.read(towns.old)


def test_no_recall_returns_the_words_of_an_erased_memory_that_was_joined_in_the_background(judging: Judging) -> None:
    root, new = joined(judging)
    assert said(judging.memory, root).derived_from == (f"{new}@1",)
    assert judging.memory.recalled("green tea") == [AGAIN]

    erase(judging.memory, new)

    assert judging.memory.recalled("green tea") == []
    assert judging.head(root).state is State.FORGOTTEN


@pytest.mark.parametrize("choice", [KEEP_NEW, MERGE], ids=lambda choice: choice.action)
def test_a_decision_that_was_taken_back_leaves_nothing_made_from_the_other_side(towns: Towns, choice: Choice) -> None:
    before = said(towns.memory, towns.old)
    towns.resolve(choice)

    towns.take_back()

    assert said(towns.memory, towns.old) == before
    towns.memory.wired.service.forget(OWNER, VersionRef(towns.new))
    assert towns.memory.recalled("where does Ola live") == ["Ola lives in Gdańsk"]


def test_no_memory_names_itself_as_what_it_was_made_from(towns: Towns) -> None:
    towns.resolve(KEEP_NEW)
    towns.take_back()
    towns.resolve(MERGE)

    assert said(towns.memory, towns.old).derived_from == (f"{towns.new}@1",)


def test_what_a_memory_took_over_does_not_end_with_the_expiry_of_the_retired_one(towns: Towns) -> None:
    expire_tomorrow(towns)
    towns.resolve(KEEP_NEW)

    days_go_by(towns.memory)

    assert towns.memory.recalled("where does Ola live") == ["Ola lives in Kraków"]
    towns.take_back()
    days_go_by(towns.memory)
    assert towns.memory.recalled("where does Ola live") == ["Ola lives in Gdańsk"]


def test_what_was_retired_and_is_said_nowhere_else_still_ends_by_its_own_time(towns: Towns) -> None:
    expire_tomorrow(towns)
    towns.resolve(KEEP_EXISTING)

    days_go_by(towns.memory)

    with pytest.raises(NotFound):
        towns.read(towns.new)
    assert towns.memory.recalled("where does Ola live") == ["Ola lives in Gdańsk"]


def expire_tomorrow(towns: Towns) -> None:
    ends = towns.memory.clock.now() + timedelta(days=1)
    towns.memory.wired.service.annotate(OWNER, VersionRef(towns.new), Annotation(expires_at=ends))


def days_go_by(memory: Installation) -> None:
    memory.clock.turn(timedelta(days=3))
    memory.wired.worker(Work(Job.EXPIRE, ""), lambda: 60.0)
