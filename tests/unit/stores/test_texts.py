"""A text that two beliefs say is found as long as one of them says it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.table import Delete, Key
from palimpsest.usecases.drafts import Draft, Outcome, Revision
from tests.support.installation import OWNER, Installation, install

NUTS, APPLES = "Ola is allergic to nuts", "Ola likes apples"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    yield memory
    memory.sqlite.close()


@pytest.fixture
def twins(memory: Installation) -> tuple[RootId, RootId]:
    """Two beliefs that say the same: the first by its beginning, the second by an update."""
    first, second = RootId(memory.save(NUTS)), RootId(memory.save(APPLES))
    memory.wired.service.revise(OWNER, VersionRef(second), Revision(NUTS))
    return first, second


def save_again(memory: Installation) -> tuple[Outcome, RootId]:
    saved = memory.wired.service.remember(OWNER, Draft(NUTS, space="default"))
    return saved.outcome, saved.memory.head.root


def text_records(memory: Installation) -> list[str]:
    return sorted(str(item["sk"]) for item in memory.sqlite.scan().items if str(item["pk"]).startswith("K#"))


def test_the_one_with_the_record_is_found_first(memory: Installation, twins: tuple[RootId, RootId]) -> None:
    assert save_again(memory) == (Outcome.UNCHANGED, twins[0])


def test_after_the_first_is_forgotten_the_second_is_found(memory: Installation, twins: tuple[RootId, RootId]) -> None:
    memory.wired.service.forget(OWNER, VersionRef(twins[0]))

    assert save_again(memory) == (Outcome.UNCHANGED, twins[1])


def test_after_both_are_forgotten_the_text_is_new_and_nothing_is_left(
    memory: Installation, twins: tuple[RootId, RootId]
) -> None:
    for root in twins:
        memory.wired.service.forget(OWNER, VersionRef(root))

    assert text_records(memory) == []
    assert save_again(memory)[0] is Outcome.ADDED


def test_the_second_leaves_no_record_behind_when_it_says_something_else(
    memory: Installation, twins: tuple[RootId, RootId]
) -> None:
    memory.wired.service.revise(OWNER, VersionRef(twins[1]), Revision("Ola likes pears"))
    memory.wired.service.forget(OWNER, VersionRef(twins[0]))

    assert save_again(memory)[0] is Outcome.ADDED


def test_the_first_comes_back_beside_the_second(memory: Installation, twins: tuple[RootId, RootId]) -> None:
    memory.wired.service.forget(OWNER, VersionRef(twins[0]))
    memory.wired.service.restore(OWNER, VersionRef(twins[0]))
    memory.wired.service.forget(OWNER, VersionRef(twins[1]))

    assert save_again(memory) == (Outcome.UNCHANGED, twins[0])


def test_steps_of_two_that_say_the_same_share_no_item_but_the_record_itself(
    memory: Installation, twins: tuple[RootId, RootId]
) -> None:
    record = [Key(str(item["pk"]), str(item["sk"])) for item in memory.sqlite.scan().items if item["sk"] == "K"]

    holders = text_records(memory)

    assert len(record) == 1
    assert holders == [f"H#{twins[1]}", "K"]


def test_a_second_from_before_this_rule_can_still_move_on(memory: Installation, twins: tuple[RootId, RootId]) -> None:
    """Beliefs that an earlier release let say the same have no record of their own."""
    for item in memory.sqlite.scan().items:
        if str(item["sk"]).startswith("H#"):
            memory.sqlite.write(Delete(Key(str(item["pk"]), str(item["sk"]))))

    memory.wired.service.forget(OWNER, VersionRef(twins[1]))

    assert save_again(memory) == (Outcome.UNCHANGED, twins[0])


def said_by(memory: Installation, whose: str | None) -> tuple[Outcome, RootId]:
    saved = memory.wired.service.remember(OWNER, Draft(NUTS, attributed_to=whose))
    return saved.outcome, saved.memory.head.root


def test_the_same_words_of_two_people_are_two_memories(memory: Installation) -> None:
    """Reported of others: two users' facts merged (reference/peers.md)."""
    outcomes = [said_by(memory, whose) for whose in ("anna", "ben", None)]

    assert [outcome for outcome, _ in outcomes] == [Outcome.ADDED] * 3
    assert [said_by(memory, whose) for whose in ("anna", "ben", None)] == [
        (Outcome.UNCHANGED, root) for _, root in outcomes
    ]
