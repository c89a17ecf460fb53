"""Entities that are one by their letters are merged in a run that can be undone; those that may be one wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.ids import EntityId
from palimpsest.domain.run import Run
from palimpsest.stores.duplicates import DuplicateState
from palimpsest.usecases.entities import EntityEdit, NewEntity
from tests.support.graph import entities, require_counts, settle, stores
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import READER, WRITER, work


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    for name, type_ in (
        ("Next.js", "tool"),
        ("NextJS", "tool"),
        ("Kasia Nowak", "person"),
        ("Katarzyna Nowak", "person"),
    ):
        installed.wired.service.graph.entities.declare(WRITER, NewEntity(name, type_))
    installed.save("The shop runs on Next.js.")
    settle(installed)
    yield installed
    installed.sqlite.close()


def resolve(memory: Installation, *, is_dry: bool = False) -> Run:
    run = memory.wired.service.graph.index.resolve(WRITER, None, is_dry=is_dry).run
    work(memory)
    return memory.wired.service.runs.show(WRITER, run.id).run


def waiting(memory: Installation, state: DuplicateState = DuplicateState.OPEN) -> list[tuple[str, str, str]]:
    page = memory.wired.service.graph.duplicates.page(READER, space=None, state=state)
    return [(each.one.name, each.other.name, each.duplicate.reason) for each in page.duplicates]


def are_one(memory: Installation, one: EntityId, other: EntityId) -> bool:
    standing = stores(memory).entities.standing([one, other])
    return standing[one].id == standing[other].id


def test_what_is_one_by_its_letters_is_merged_into_what_is_named_more(memory: Installation) -> None:
    run = resolve(memory)

    assert run.counts.applied == 2
    assert "NextJS" not in entities(memory)
    assert memory.wired.service.graph.show.one(READER, entities(memory)["Next.js"].id)[1].aliases == ("NextJS",)
    assert waiting(memory) == [("Kasia Nowak", "Katarzyna Nowak", "diminutive")]
    require_counts(memory)


def test_a_dry_run_changes_nothing(memory: Installation) -> None:
    run = resolve(memory, is_dry=True)

    assert run.counts.planned == 2
    assert (set(entities(memory)) >= {"NextJS", "Next.js"}, waiting(memory)) == (True, [])


def test_a_run_is_taken_back_as_a_whole_but_for_what_somebody_decided_since(memory: Installation) -> None:
    run = resolve(memory)
    (pair,) = memory.wired.service.graph.duplicates.page(READER, space=None).duplicates
    memory.wired.service.graph.duplicates.answer(WRITER, pair.duplicate.id, DuplicateState.APART)

    undo(memory, run)

    assert {"NextJS", "Next.js"} <= set(entities(memory))
    assert (waiting(memory), len(waiting(memory, DuplicateState.APART))) == ([], 1)
    require_counts(memory)


def test_two_that_somebody_keeps_apart_are_not_asked_about_again(memory: Installation) -> None:
    resolve(memory)
    (pair,) = memory.wired.service.graph.duplicates.page(READER, space=None).duplicates
    memory.wired.service.graph.duplicates.answer(WRITER, pair.duplicate.id, DuplicateState.APART)

    again = resolve(memory)

    assert (waiting(memory), again.counts.skipped) == ([], 1)


def test_a_pair_of_which_one_was_merged_waits_no_more(memory: Installation) -> None:
    resolve(memory)
    ids = entities(memory)
    memory.wired.service.graph.merge(WRITER, ids["Kasia Nowak"].id, ids["Katarzyna Nowak"].id)

    assert waiting(memory) == []


def undo(memory: Installation, run: Run) -> None:
    memory.wired.service.runs.undo(OWNER, run.id)
    work(memory)


def test_two_that_somebody_parted_are_not_merged_again(memory: Installation) -> None:
    resolve(memory)
    merged = memory.wired.service.graph.merge.page(READER, space=None).merges[0].entity
    memory.wired.service.graph.merge.revert(WRITER, merged.id)

    again = resolve(memory)

    assert {"NextJS", "Next.js"} <= set(entities(memory))
    assert (again.counts.applied, again.counts.skipped) == (0, 2)
    assert waiting(memory, DuplicateState.APART) == [("Next.js", "NextJS", "same_letters")]


def test_a_pair_that_waits_is_kept_apart_when_its_two_were_merged_and_parted(memory: Installation) -> None:
    resolve(memory)
    ids = entities(memory)
    memory.wired.service.graph.merge(WRITER, ids["Kasia Nowak"].id, ids["Katarzyna Nowak"].id)
    memory.wired.service.graph.merge.revert(WRITER, ids["Kasia Nowak"].id)

    assert waiting(memory) == []
    assert waiting(memory, DuplicateState.APART) == [("Kasia Nowak", "Katarzyna Nowak", "diminutive")]


def test_two_that_were_merged_by_hand_and_parted_are_two_however_they_are_called_later(memory: Installation) -> None:
    ids, graph = entities(memory), memory.wired.service.graph
    graph.merge(WRITER, ids["Kasia Nowak"].id, ids["NextJS"].id)
    graph.merge.revert(WRITER, ids["Kasia Nowak"].id)
    graph.entities.change(WRITER, ids["Kasia Nowak"].id, EntityEdit(name="Next-JS", type="tool"))

    resolve(memory)

    assert not are_one(memory, ids["Kasia Nowak"].id, ids["NextJS"].id)


def test_an_entity_that_was_parted_is_not_merged_by_way_of_a_third(memory: Installation) -> None:
    graph = memory.wired.service.graph
    resolve(memory)
    (merge,) = graph.merge.page(READER, space=None).merges
    graph.merge.revert(WRITER, merge.entity.id)
    third = graph.entities.declare(WRITER, NewEntity("next js", "tool")).entity

    run = resolve(memory)

    assert run.counts.applied == 1
    assert not are_one(memory, merge.entity.id, merge.into.id)
    assert are_one(memory, third.id, merge.entity.id) != are_one(memory, third.id, merge.into.id)


def test_a_run_that_was_undone_decides_nothing_so_the_next_one_merges_again(memory: Installation) -> None:
    undo(memory, resolve(memory))

    again = resolve(memory)

    assert (again.counts.applied, waiting(memory, DuplicateState.APART)) == (2, [])
    assert "NextJS" not in entities(memory)


def test_the_undo_of_a_run_leaves_what_another_run_has_found(memory: Installation) -> None:
    resolve(memory)
    again = resolve(memory)

    undo(memory, again)

    assert waiting(memory) == [("Kasia Nowak", "Katarzyna Nowak", "diminutive")]
    assert memory.wired.service.runs.show(WRITER, again.id).run.counts == again.counts
